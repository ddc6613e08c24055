import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { before, beforeEach, describe, it } from "mocha";
import { Client } from "pg";

import type { DynamicKindName } from "../../provider/frozen-entry";
import { fileArchive } from "../support/contents";
import { EngineResource } from "../support/engine";
import { suiteFolder } from "../support/folder";
import { suitePlatform } from "../support/platform";
import { testPostgres } from "../support/postgres-files";
import { CallError, ProviderServer, unknownText, type Values } from "../support/provider-server";
import { suite } from "../support/suite";
import { until } from "../support/until";

/** A migration tool: runs each file once, in a transaction. */
const toolProgram = `
const postgres = require(${JSON.stringify(require.resolve("postgres"))});
const { readdirSync, readFileSync } = require("node:fs");
const sql = postgres(process.env.DATABASE_URL, { max: 1, onnotice: () => undefined });
async function migrate() {
  await sql\`CREATE TABLE IF NOT EXISTS applied (name text PRIMARY KEY)\`;
  for (const name of readdirSync("migrations").sort()) {
    if ((await sql\`SELECT 1 FROM applied WHERE name = \${name}\`).length > 0) continue;
    console.log("applying " + name);
    await sql.begin(async (transaction) => {
      await transaction.unsafe(readFileSync("migrations/" + name, "utf8"));
      await transaction\`INSERT INTO applied VALUES (\${name})\`;
    });
  }
}
migrate().then(
  () => sql.end(),
  (error) => {
    console.error(error.message);
    process.exit(3);
  },
);
`;

type AnyResource = EngineResource<DynamicKindName>;

describe("Migration", function () {
  this.timeout(120_000);
  const platform = suitePlatform({ operationTime: "20ms", postgres: testPostgres() });
  const newServer = (): Promise<ProviderServer> => {
    const { apiKey, apiUrl } = platform();
    return ProviderServer.start({ door: "dynamic", config: { apiKey, apiUrl } });
  };
  const server = suite(newServer, (one) => one.stop());
  const folder = suiteFolder("neon-pulumi-migration-");
  const files = join(folder, "migrations");
  const tool = `node ${join(folder, "apply.cjs")}`;
  writeFileSync(join(folder, "apply.cjs"), toolProgram);
  let projectId = "";
  let names = 0;

  before(async () => {
    projectId = (await platform().project({ name: "shop" })).project.id;
  });
  beforeEach(() => {
    rmSync(files, { recursive: true, force: true });
    mkdirSync(files);
  });

  const sql = (name: string, text: string): void => writeFileSync(join(files, name), text);
  /** A branch of the program, and what a migration of it declares: each file is run once, as a migration tool does. */
  const branchWithMigration = async (more: Values = {}) => {
    names += 1;
    const branch = new EngineResource<DynamicKindName>(server(), "Branch", `pr-${names}`);
    const branchArgs = { projectId, compute: {} };
    await branch.up(branchArgs);
    const { branchId } = branch.outputs;
    const args = { projectId, branchId, run: tool, files: fileArchive(files), workingDirectory: folder, ...more };
    return {
      branch,
      branchArgs,
      args,
      migration: new EngineResource<DynamicKindName>(server(), "Migration", `schema-${names}`),
    };
  };
  /** A run of its own, after others have changed something. */
  const nextRun = async (...resources: readonly AnyResource[]): Promise<void> => {
    const next = await newServer();
    for (const resource of resources) resource.server = next;
  };
  const tables = async ({ outputs }: AnyResource): Promise<string[]> => {
    const client = new Client({ connectionString: String(outputs["connectionUri"]) });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'applied' ORDER BY 1",
      );
      return rows.map(({ name }) => name);
    } finally {
      await client.end();
    }
  };
  const why = (migration: AnyResource): string | undefined =>
    migration.said("line").findLast((line) => line.startsWith("This migration runs again"));

  it("runs when it is new and when its files or its command change, and says why", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { branch, args, migration } = await branchWithMigration();
    assert.equal(await migration.up(args), "create");
    assert.deepEqual(await tables(branch), ["orders"]);
    assert.deepEqual(migration.said("line"), ["applying 1.sql"]);
    assert.equal(await migration.up(args), "same");
    assert.deepEqual(migration.said("line"), ["applying 1.sql"]);

    sql("2.sql", "CREATE TABLE customers (id int)");
    assert.equal(await migration.up(args), "update");
    assert.deepEqual(await tables(branch), ["customers", "orders"]);
    assert.equal(why(migration), "This migration runs again, because the files changed.");
    const run = `${tool} && echo done`;
    assert.equal(await migration.up({ ...args, run }), "update");
    assert.equal(why(migration), "This migration runs again, because the command changed.");
    assert.equal(migration.said("line").at(-1), "done");
    assert.equal(await migration.up({ ...args, run, runTrigger: "1" }), "update");
    assert.equal(why(migration), "This migration runs again, because `runTrigger` changed.");
    assert.equal(await migration.up({ ...args, run, runTrigger: "1" }), "same");
    assert.equal(await migration.refresh(), "same");
    assert.equal(await migration.up({ ...args, run, runTrigger: "1" }), "same");
  });

  it("runs again in the run that resets its branch, and the preview says so", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { branch, branchArgs, args, migration } = await branchWithMigration();
    await migration.up(args);
    await nextRun(branch, migration);
    const reset = { ...branchArgs, resetTrigger: "1" };
    assert.equal((await branch.preview(reset)).step, "update");
    const plan = await migration.preview(args);
    assert.deepEqual([plan.step, plan.replaces], ["update", []]);
    assert.equal(why(migration), `This migration runs again, because the reset of Branch "${branch.name}" undoes it.`);
    await branch.up(reset);
    assert.deepEqual(await tables(branch), []);
    assert.equal(await migration.up(args), "update");
    assert.deepEqual(await tables(branch), ["orders"]);
    assert.equal(await migration.up(args), "same");
    await nextRun(branch, migration);
    await branch.up(reset);
    assert.equal(await migration.up(args), "same");
  });

  it("waits for the reset of its branch if it does not depend on the branch", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { branch, branchArgs, args, migration } = await branchWithMigration();
    await migration.up(args);
    await nextRun(branch, migration);
    const reset = { ...branchArgs, resetTrigger: "1" };
    await branch.preview(reset);
    const both = await Promise.all([migration.up(args), branch.up(reset)]);
    assert.deepEqual(both, ["update", "update"]);
    assert.deepEqual(await tables(branch), ["orders"]);
  });

  for (const [title, refreshes] of [
    ["without a refresh", false],
    ["after a refresh", true],
  ] as const) {
    it(`runs again after somebody else has reset its branch, ${title}`, async () => {
      sql("1.sql", "CREATE TABLE orders (id int)");
      const { branch, args, migration } = await branchWithMigration();
      await migration.up(args);
      await nextRun(branch, migration);
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${String(args.branchId)}`);
      const path = `/projects/${projectId}/branches/${String(args.branchId)}/restore`;
      await platform().call("POST", path, { source_branch_id: body.branch.parent_id });
      await platform().settled(projectId);
      if (refreshes) assert.equal(await migration.refresh(), "changed");
      assert.equal(await migration.up(args), "update");
      if (!refreshes)
        assert.match(why(migration) ?? "", /because the branch was reset or restored since the last run\.$/);
      assert.deepEqual(await tables(branch), ["orders"]);
      assert.equal(await migration.up(args), "same");
    });
  }

  it("is gone with its branch, and created again on another one", async () => {
    const { branch, args, migration } = await branchWithMigration();
    await migration.up(args);
    await platform().call("DELETE", `/projects/${projectId}/branches/${String(args.branchId)}`);
    await platform().settled(projectId);
    await nextRun(branch, migration);
    assert.equal(await migration.refresh(), "gone");
    const other = await branchWithMigration();
    assert.equal(await migration.up({ ...args, branchId: other.args.branchId }), "create");
  });

  it("is replaced with its branch, and says that it runs there", async () => {
    const { args, migration } = await branchWithMigration();
    await migration.up(args);
    const plan = await migration.preview({ ...args, branchId: unknownText });
    assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["branchId"], false]);
    assert.match(migration.warning, /replaces this migration\. It runs on the new branch\.$/);
  });

  it("fails with the last lines of the tool, is not run in the state, and runs again in the next run", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { branch, args, migration } = await branchWithMigration();
    await migration.up(args);
    const before = migration.outputs["filesHash"];
    sql("2.sql", "CREATE TABEL customers (id int)");
    const error: unknown = await migration.up(args).catch((failed: unknown) => failed);
    assert.ok(error instanceof CallError);
    assert.match(
      error.message,
      /^The command ended with the exit code 3\. The next `pulumi up` runs it again\. Its last lines:\n/,
    );
    assert.match(error.message, / {2}applying 2\.sql\n {2}syntax error at or near "TABEL"$/);
    assert.equal(migration.outputs["branchVersion"], undefined);
    assert.doesNotMatch(JSON.stringify(migration.outputs["__neon"]), /TABEL/);
    // The program takes the change back: the run has not ended well all the same.
    rmSync(join(files, "2.sql"));
    await migration.refresh();
    assert.equal(await migration.up(args), "update");
    assert.equal(why(migration), "This migration runs again, because the last run did not succeed.");
    assert.equal(migration.outputs["filesHash"], before);
    assert.deepEqual(await tables(branch), ["orders"]);
    assert.equal(await migration.up(args), "same");
  });

  it("runs again after its provider was killed, on this machine, also if the program takes the change back", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { args, migration } = await branchWithMigration();
    await migration.up(args);
    const start = async (home: string, isProcess = false): Promise<void> => {
      const { apiKey, apiUrl } = platform();
      migration.server = await ProviderServer.start({
        door: "dynamic",
        config: { apiKey, apiUrl },
        home: join(folder, home),
        isProcess,
      });
    };
    const marks = (): readonly string[] => readdirSync(join(folder, "home", "neon-pulumi", "work"));
    const killedUp = async (): Promise<void> => {
      rmSync(join(folder, "begun"), { force: true });
      await start("home", true);
      const killed = assert.rejects(migration.up({ ...args, run: "echo > begun; sleep 1000" }));
      await until(() => existsSync(join(folder, "begun")));
      await migration.server.interrupt("SIGKILL");
      await killed;
    };
    await killedUp();

    await start("another-home");
    assert.equal(await migration.up(args), "same");
    await start("home");
    assert.equal(await migration.refresh(), "same");
    assert.equal((await migration.preview(args)).step, "update");
    assert.equal(why(migration), "This migration runs again, because the last run did not end.");
    // A run that does not come to its command leaves what is known.
    const noDatabase = { ...args, databaseName: "nowhere" };
    await assert.rejects(migration.up(noDatabase), /has no database "nowhere"/);
    assert.equal(await migration.up(args), "update");
    assert.equal(await migration.up(args), "same");
    assert.deepEqual(marks(), []);

    await killedUp();
    assert.equal(marks().length, 1);
    await start("home");
    await migration.destroy();
    assert.deepEqual(marks(), [], "a deleted migration leaves no mark");
  });

  it("fails when it is new, and the next run updates it", async () => {
    sql("1.sql", "CREATE TABEL orders (id int)");
    const { branch, args, migration } = await branchWithMigration();
    await assert.rejects(migration.up(args), /exit code 3/);
    sql("1.sql", "CREATE TABLE orders (id int)");
    assert.equal(await migration.up(args), "update");
    assert.deepEqual(await tables(branch), ["orders"]);
    await migration.destroy();
    assert.deepEqual(await tables(branch), ["orders"], "nothing is undone");
  });

  it("gives the command a direct connection in the variable of choice, and shows neither URI nor secret variables", async () => {
    const run = `node -p 'process.env.URL_OF_IT + " " + process.env.TOKEN + " " + process.env.LEVEL'`;
    const environment = { TOKEN: "a-secret-token", LEVEL: "debug" };
    const { branch, args, migration } = await branchWithMigration({ run, urlVariable: "URL_OF_IT", environment });
    const secretMembers = ["environment.TOKEN"];
    await migration.up(args, { secretMembers });
    assert.deepEqual(migration.said("line"), ["[secret] [secret] debug"]);
    const stored = JSON.stringify(migration.state);
    const { password } = new URL(String(branch.outputs["connectionUri"]));
    for (const secret of [environment.TOKEN, environment.LEVEL, password]) assert.ok(!stored.includes(secret), stored);
    assert.equal(await migration.up(args, { secretMembers }), "same");
    const changed = { ...args, environment: { ...environment, TOKEN: "another-token" } };
    assert.equal(await migration.up(changed, { secretMembers }), "update");
    assert.equal(why(migration), "This migration runs again, because `environment` changed.");
  });

  it("connects to the named database as the named role, and asks for one if there are several", async () => {
    const { branch, args, migration } = await branchWithMigration();
    const at = `/projects/${projectId}/branches/${String(args.branchId)}`;
    for (const [path, body] of [
      ["/roles", { role: { name: "app" } }],
      ["/databases", { database: { name: "shop", owner_name: "app" } }],
    ] as const) {
      await platform().call("POST", `${at}${path}`, body);
      await platform().settled(projectId);
    }
    await assert.rejects(
      migration.up(args),
      /has several databases: neondb, shop\. Declare the one to connect to as `databaseName`\./,
    );
    const run = `node -p 'const u = new URL(process.env.DATABASE_URL); u.username + u.pathname'`;
    await migration.up({ ...args, run, databaseName: "shop" });
    assert.equal(migration.said("line").at(-1), "app/shop");
    await migration.up({ ...args, run, databaseName: "shop", roleName: "neondb_owner" });
    assert.equal(migration.said("line").at(-1), "neondb_owner/shop");
    const { connectionUri } = branch.outputs;
    await migration.up({ ...args, run, environment: { DATABASE_URL: connectionUri } });
    assert.equal(migration.said("line").at(-1), "neondb_owner/neondb");
  });

  it("runs again in the run that creates its database again", async () => {
    sql("1.sql", "CREATE TABLE orders (id int)");
    const { args, migration } = await branchWithMigration();
    const { branchId } = args;
    const database = new EngineResource<DynamicKindName>(server(), "Database", `shop-${names}`);
    const databaseArgs = { projectId, branchId, name: "shop", ownerName: "neondb_owner" };
    await database.up(databaseArgs);
    await migration.up({ ...args, databaseName: "shop" });
    await platform().call("DELETE", `/projects/${projectId}/branches/${String(branchId)}/databases/shop`);
    await platform().settled(projectId);
    await nextRun(database, migration);
    assert.equal(await database.refresh(), "gone");
    await nextRun(database, migration);
    assert.equal(await database.up(databaseArgs), "create");
    assert.equal(await migration.up({ ...args, databaseName: "shop" }), "update");
    assert.equal(
      why(migration),
      `This migration runs again, because the creation of Database "${database.name}" undoes it.`,
    );
    assert.deepEqual(migration.said("line").at(-1), "applying 1.sql");
    assert.equal(await migration.up({ ...args, databaseName: "shop" }), "same");
  });

  it("is refused if `ignoreChanges` names its variables", async () => {
    const { args, migration } = await branchWithMigration({ environment: { LEVEL: "debug" } });
    await migration.up(args);
    const changed = { ...args, environment: { LEVEL: "info" } };
    await assert.rejects(
      migration.up(changed, { ignoreChanges: ["environment"] }),
      /^Error: environment: must be a map of texts\. The option `ignoreChanges` cannot name it$/,
    );
  });

  it("wakes the compute, and waits for it", async () => {
    const { branch, args, migration } = await branchWithMigration();
    const endpoint = `/projects/${projectId}/endpoints/${String(branch.outputs["endpointId"])}`;
    await platform().call("POST", `${endpoint}/suspend`);
    await platform().settled(projectId);
    await migration.up(args);
    assert.ok(migration.said("progress").includes("connecting to the database"));
    assert.equal((await platform().call("GET", endpoint)).body.endpoint.current_state, "active");
  });

  it("runs one at a time on a branch", async () => {
    const { args } = await branchWithMigration();
    const log = join(folder, "log");
    writeFileSync(log, "");
    const run = `echo begin >> ${log}; sleep 0.2; echo end >> ${log}`;
    const both = ["a", "b"].map(
      (name) => new EngineResource<DynamicKindName>(server(), "Migration", `${name}-${names}`),
    );
    await Promise.all(both.map((one) => one.up({ ...args, run })));
    assert.equal(readFileSync(log, "utf8"), "begin\nend\nbegin\nend\n");
  });

  it("is ended after the time of `customTimeouts`", async () => {
    const { args, migration } = await branchWithMigration({ run: "sleep 1000" });
    await assert.rejects(
      migration.up(args, { timeouts: { create: "1s" } }),
      /The command was ended\. It took longer than 1 s/,
    );
  });

  for (const [what, more, reason] of [
    ["an empty command", { run: " " }, /^run: must not be blank$/],
    ["a folder that is not there", { workingDirectory: "/no/such/folder" }, /^workingDirectory: must be a folder$/],
    ["a file in place of files", { files: "./drizzle" }, /^files: must be an archive/],
    ["a variable without a name", { environment: { "A B": "1" } }, /^environment\.A B: must have a name/],
    ["a name of another tool", { command: "x" }, /^command: there is no such property here: it is `run`$/],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      const migration = new EngineResource<DynamicKindName>(server(), "Migration", "refused");
      const args = { projectId, branchId: "br-1", run: "true", ...more };
      await assert.rejects(migration.up(args), ({ message }: Error) => reason.test(message.split("\n")[0] ?? ""));
    });
  }
});
