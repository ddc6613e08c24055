import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

import { type RealProject, suiteDatabases } from "./support";
import { valuesOf } from "../support/responses";

/** The statements of examples/vector-search that no plugin sends here: `@pulumi/postgresql` is a download. */
const schema = readFileSync(join(process.cwd(), "examples/vector-search/schema.sql"), "utf8");

/** The configuration of the program. */
const password = "the password of the reader";

describe("local platform with Postgres: what examples/vector-search declares", () => {
  const databases = suiteDatabases();
  let project: RealProject;
  let branch: string;
  before(async () => {
    project = await databases.project();
    branch = await project.branch();
    await project.done("POST", `/branches/${branch}/roles`, { role: { name: "owner" } });
    await project.done("POST", `/branches/${branch}/databases`, {
      database: { name: "documents", owner_name: "owner" },
    });
  });

  /** A session of a role, through the proxy, as a program has it. */
  async function as<Result>(role: "owner" | "reader", work: (session: Client) => Promise<Result>): Promise<Result> {
    const query = `branch_id=${branch}&role_name=owner&database_name=documents`;
    const { uri } = (await project.call("GET", `/connection_uri?${query}`)).body;
    const address = new URL(uri);
    address.search = "";
    if (role === "reader") [address.username, address.password] = [role, password];
    const session = new Client({ connectionString: address.href, ssl: { rejectUnauthorized: false } });
    await session.connect();
    try {
      return await work(session);
    } finally {
      await session.end();
    }
  }

  it("the reader may select what a table of the owner shows by its policy, without a grant on that table", async () => {
    // The statements of `postgresql.Role` and `postgresql.DefaultPrivileges`, before any table exists.
    await as("owner", async (session) => {
      await session.query(`CREATE ROLE reader LOGIN PASSWORD '${password}'`);
      await session.query("ALTER DEFAULT PRIVILEGES FOR ROLE owner IN SCHEMA public GRANT SELECT ON TABLES TO reader");
    });
    await as("owner", async (session) => {
      await session.query(schema);
      await session.query("INSERT INTO document (owner, body) VALUES ('ann', 'hers'), ('bob', 'his')");
    });
    await as("reader", async (session) => {
      await session.query("SET app.customer = 'ann'");
      const { rows } = await session.query<{ body: string }>("SELECT body FROM document");
      assert.deepEqual(valuesOf(rows, "body"), ["hers"]);
      await assert.rejects(session.query("DELETE FROM document"), /permission denied for table document/);
    });
  });

  it("the owner creates the extension vector, where this machine's Postgres has it", async function () {
    const available = await project.sql(branch, "SELECT name FROM pg_available_extensions WHERE name = 'vector'");
    if (available.length === 0) {
      console.log("    skipped: this Postgres has no extension vector (on Debian: apt install postgresql-17-pgvector)");
      this.skip();
    }
    const nearest = await as("owner", async (session) => {
      await session.query("CREATE EXTENSION vector");
      await session.query("CREATE TABLE item (at vector(2)); INSERT INTO item VALUES ('[1,1]'), ('[9,9]')");
      return (await session.query<{ at: string }>("SELECT at FROM item ORDER BY at <-> '[2,2]' LIMIT 1")).rows;
    });
    assert.deepEqual(nearest, [{ at: "[1,1]" }]);
  });
});
