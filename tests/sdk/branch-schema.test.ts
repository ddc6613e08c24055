import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount, valueOf } from "./program";

describe("looking up the schema of a database", () => {
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
    const made = await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "preview" } });
    branchId = made.body.branch.id;
    moment = new Date(Math.ceil(Date.parse(made.body.branch.created_at))).toISOString();
  });

  it("tells it as SQL, or as tables", async () => {
    const asSql = await neon.getBranchSchema({ projectId, branchId, databaseName });
    assert.deepEqual(Object.keys(asSql), ["sql"]);
    assert.match(asSql.sql ?? "", /PostgreSQL database dump/);
    assert.deepEqual(await neon.getBranchSchema({ projectId, branchId, databaseName, format: "sql" }), asSql);
    const asTables = await neon.getBranchSchema({ projectId, branchId, databaseName, format: "json" });
    assert.deepEqual(asTables, { tables: [] });
  });

  it("tells the documented members of tables, however many more there are", async () => {
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

  it("asks for the point of the history that it is told", async () => {
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

  it("compares it with that of the parent, or of the branch that is named", async () => {
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

  it("fails where there is no such branch or database, or nothing to compare with", async () => {
    const args = { projectId, branchId, databaseName };
    for (const lookup of [neon.getBranchSchema, neon.compareSchema]) {
      await assertFails(lookup({ ...args, databaseName: "nosuch" }), /HTTP 404: database not found/);
      await assertFails(lookup({ ...args, branchId: "br-no-such-1" }), /HTTP 404: branch not found/);
      await assertFails(
        lookup({ ...args, lsn: "0/1", timestamp: moment }),
        /takes either `lsn` or `timestamp`, not both\.$/,
      );
    }
    await assertFails(neon.compareSchema({ ...args, branchId: mainId }), /base_branch_id is required/);
    const both = { ...args, baseLsn: "0/1", baseTimestamp: moment };
    await assertFails(neon.compareSchema(both), /takes either `baseLsn` or `baseTimestamp`, not both\.$/);
  });

  it("fails rather than telling an empty schema when the platform tells none", async () => {
    const path = `/branches/${branchId}/(schema|compare_schema)\\?`;
    await platform().fault({ method: "GET", path, status: 200, body: {}, times: 2 });
    await assertFails(
      neon.getBranchSchema({ projectId, branchId, databaseName }),
      /^The platform answered no schema of the database "neondb" as sql\.$/,
    );
    await assertFails(
      neon.compareSchema({ projectId, branchId, databaseName }),
      /^The platform answered no comparison/,
    );
    await platform().clearFaults();
  });

  it("takes arguments that are outputs, in the forms that wait for them", async () => {
    const later = { projectId: pulumi.output(Promise.resolve(projectId)), branchId, databaseName };
    assert.match((await valueOf(neon.getBranchSchemaOutput(later))).sql ?? "", /PostgreSQL/);
    assert.equal((await valueOf(neon.compareSchemaOutput(later))).diff, "");
  });
});
