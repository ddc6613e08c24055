import { before, describe, it } from "mocha";
import assert from "node:assert/strict";

import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: Data APIs", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  before(async () => {
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE old (value int)", { user: "neondb_owner" });
  });

  const asVisitor = (branchId: string, text: string, database = "neondb") =>
    project.sql(branchId, `SET ROLE authenticated; ${text}`, { database }).then(
      () => "allowed",
      (error: unknown) => String(error),
    );

  it("the default grants let a client with a token use old and new tables in the schema public, and nothing else", async () => {
    await project.done("POST", `/branches/${project.main}/data-api/neondb`, { add_default_grants: true });
    const owner = { user: "neondb_owner" };
    await project.sql(project.main, "CREATE TABLE new (value int); CREATE SCHEMA hidden", owner);
    await project.sql(project.main, "CREATE TABLE hidden.rows (value int)", owner);
    for (const table of ["old", "new"]) {
      assert.equal(await asVisitor(project.main, `INSERT INTO ${table} VALUES (1)`), "allowed", table);
    }
    assert.match(await asVisitor(project.main, "SELECT * FROM hidden.rows"), /permission denied/);
  });

  it("without them, a client with a token reads nothing, also if the compute was suspended", async () => {
    const branchId = await project.branch();
    await project.done("POST", `/branches/${branchId}/databases`, {
      database: { name: "shop", owner_name: "neondb_owner" },
    });
    await project.act("suspend", branchId);
    await project.done("POST", `/branches/${branchId}/data-api/shop`);
    await project.act("start", branchId);
    const there = { user: "neondb_owner", database: "shop" };
    await project.sql(branchId, "CREATE TABLE item (value int)", there);
    assert.match(await asVisitor(branchId, "SELECT * FROM item", "shop"), /permission denied/);
  });
});
