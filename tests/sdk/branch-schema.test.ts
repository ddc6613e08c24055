import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount } from "./program";

describe("getBranchSchema and compareSchema", () => {
  const platform = suiteAccount();
  let projectId = "";
  let mainId = "";
  let branchId = "";
  let moment = "";
  const databaseName = "neondb";
  before(async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
    projectId = body.project.id;
    mainId = body.branch.id;
    const created = await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "preview" } });
    branchId = created.body.branch.id;
    moment = new Date(Math.ceil(Date.parse(created.body.branch.created_at))).toISOString();
  });

  it("getBranchSchema returns SQL or tables, depending on `format`", async () => {
    const asSql = await neon.getBranchSchema({ projectId, branchId, databaseName });
    assert.deepEqual(Object.keys(asSql), ["sql"]);
    assert.match(asSql.sql ?? "", /PostgreSQL database dump/);
    assert.deepEqual(await neon.getBranchSchema({ projectId, branchId, databaseName, format: "sql" }), asSql);
    const asTables = await neon.getBranchSchema({ projectId, branchId, databaseName, format: "json" });
    assert.deepEqual(asTables, { tables: [] });
  });

  it("getBranchSchema returns only the documented members of tables", async () => {
    const column = { name: "id", type: "bigint", nullable: false, generated: false, position: 1 };
    const referenced_table = { schema: "public", table: "orders", columns: ["id"], deferrable: false };
    const constraint = { type: "foreign_key", columns: ["id"], name: "fk", referenced_table, valid: true };
    const table = { schema: "public", name: "lines", columns: [column], constraints: [constraint], owner: "app" };
    const plain = { schema: "public", name: "plain", columns: [{ name: "a", type: "text" }] };
    const path = `/branches/${branchId}/schema\\?`;
    await platform().fault({ method: "GET", path, status: 200, body: { json: { tables: [table, plain] } } });
    const { tables } = await neon.getBranchSchema({ projectId, branchId, databaseName, format: "json" });
    assert.deepEqual(tables, [
      {
        schema: "public",
        name: "lines",
        columns: [{ name: "id", type: "bigint", nullable: false, generated: false }],
        constraints: [
          {
            type: "foreign_key",
            columns: ["id"],
            name: "fk",
            referencedTable: { schema: "public", table: "orders", columns: ["id"] },
          },
        ],
      },
      plain,
    ]);
    await platform().clearFaults();
  });

  it("getBranchSchema sends `timestamp` and `lsn`", async () => {
    await platform().clearRequests();
    await neon.getBranchSchema({ projectId, branchId: mainId, databaseName, timestamp: moment });
    await neon.getBranchSchema({ projectId, branchId: mainId, databaseName, lsn: "0/1DE2850" });
    const queries = (await platform().requests()).map(({ path }) => new URLSearchParams(path.split("?", 2)[1]));
    assert.deepEqual(
      queries.map((query) => [query.get("timestamp"), query.get("lsn")]),
      [
        [moment, null],
        [null, "0/1DE2850"],
      ],
    );
  });

  it("compareSchema compares with the parent, or with `baseBranchId`", async () => {
    assert.deepEqual(await neon.compareSchema({ projectId, branchId, databaseName }), { diff: "" });
    await platform().clearRequests();
    const base = { baseBranchId: branchId, baseTimestamp: moment, timestamp: moment };
    assert.deepEqual(await neon.compareSchema({ projectId, branchId: mainId, databaseName, ...base }), { diff: "" });
    const [request] = await platform().requests();
    const query = Object.fromEntries(new URLSearchParams(request?.path.split("?", 2)[1]));
    assert.deepEqual(query, {
      db_name: databaseName,
      base_branch_id: branchId,
      base_timestamp: moment,
      timestamp: moment,
    });
  });

  it("fail if the database or the base branch is missing, or if `lsn` and `timestamp` are combined", async () => {
    const args = { projectId, branchId, databaseName };
    for (const read of [neon.getBranchSchema, neon.compareSchema]) {
      await assertFails(
        read({ ...args, databaseName: "nosuch" }),
        /HTTP 404: database not found \[.*use the output `name`, so that/,
      );
      await assertFails(
        read({ ...args, lsn: "0/1", timestamp: moment }),
        /takes either `lsn` or `timestamp`, not both\.$/,
      );
    }
    await assertFails(
      neon.compareSchema({ ...args, branchId: mainId }),
      /base_branch_id is required .*\]\. A branch without a parent needs `baseBranchId`\.(?!.*Try again)/,
    );
    const nothing = { projectId: "", branchId: "", databaseName: "" };
    await assertFails(
      neon.compareSchema(nothing),
      /^compareSchema needs `projectId`, `branchId` and `databaseName`\.$/,
    );
    const both = { ...args, baseLsn: "0/1", baseTimestamp: moment };
    await assertFails(neon.compareSchema(both), /takes either `baseLsn` or `baseTimestamp`, not both\.$/);
  });

  it("fail instead of returning an empty schema if Neon returns none", async () => {
    const path = `/branches/${branchId}/(schema|compare_schema)\\?`;
    await platform().fault({ method: "GET", path, status: 200, body: {}, times: 2 });
    await assertFails(
      neon.getBranchSchema({ projectId, branchId, databaseName }),
      'Neon returned no schema of the database "neondb" as sql.',
    );
    await assertFails(neon.compareSchema({ projectId, branchId, databaseName }), /^Neon returned no comparison/);
    await platform().clearFaults();
  });
});
