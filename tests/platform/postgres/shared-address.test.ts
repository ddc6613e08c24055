import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import postgres from "postgres";

import { startPlatform } from "../../../platform/index";
import { testPostgres } from "../../support/postgres-files";
import { query } from "../support/sql";
import { type RealProject, suiteDatabases } from "./support";
import { assertMembers } from "../support/responses";

describe("local platform with Postgres: computes that share an address", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const shared = { databasePort: 0 };
  before(async () => {
    await suite.restart(shared);
    project = await suite.project();
  });

  const uriOf = async (of: RealProject, branchId = of.main, database = "neondb"): Promise<URL> => {
    const query = `?branch_id=${branchId}&database_name=${database}&role_name=neondb_owner`;
    return new URL((await of.call("GET", `/connection_uri${query}`)).body.uri);
  };
  const ask = async ({ href }: URL, sql: string) => (await query({ connectionString: href }, sql))[0]?.["answer"];

  it("the URI of each branch leads to its own database, and wakes it", async () => {
    const branchId = await project.branch();
    await project.sql(project.main, "CREATE TABLE of_main AS SELECT 1", { database: "neondb" });
    const [main, child] = [await uriOf(project), await uriOf(project, branchId)];
    assertMembers(main, { hostname: "127.0.0.1", port: child.port });
    await project.act("suspend");
    const sql = "SELECT to_regclass('of_main') IS NOT NULL AS answer";
    assert.deepEqual([await ask(main, sql), await ask(child, sql)], [true, false]);
  });

  it("postgres.js opens a database with a space in its name, which it has to be told, because it decodes none", async () => {
    const name = "a b";
    await project.done("POST", `/branches/${project.main}/databases`, {
      database: { name, owner_name: "neondb_owner" },
    });
    const { href } = await uriOf(project, project.main, encodeURIComponent(name));
    const sql = postgres(href, { max: 1, database: name });
    try {
      assert.deepEqual([...(await sql`SELECT current_database() AS answer`)], [{ answer: name }]);
    } finally {
      await sql.end();
    }
  });

  it("a compute keeps its kind of address when the platform is started in the other way", async () => {
    await suite.restart();
    const own = await suite.project();
    assert.notEqual((await uriOf(own)).hostname, "127.0.0.1");
    assert.equal((await uriOf(project)).hostname, "127.0.0.1");
    for (const each of [project, own]) assert.equal(await ask(await uriOf(each), "SELECT 1 AS answer"), 1);
    await suite.restart(shared);
    for (const each of [project, own]) assert.equal(await ask(await uriOf(each), "SELECT 1 AS answer"), 1);
  });

  it("a port that another program uses ends the start with its number", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    try {
      await assert.rejects(startPlatform({ postgres: testPostgres(), databasePort: port }), {
        message: `port ${port} on 127.0.0.1 is in use by another program`,
      });
    } finally {
      other.close();
    }
  });

  it("a port without a Postgres is refused", async () => {
    await assert.rejects(startPlatform({ postgres: false, databasePort: 5433 }), {
      name: "RangeError",
      message: "databasePort (--database-port) needs a Postgres, but none is used",
    });
  });
});
