import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { ManualPlatformClock } from "../../support/platform-clock";
import { query as queryAt } from "../support/sql";
import { second } from "../support/time";
import { postmasterPid } from "../../support/postgres-files";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: connections", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const query = (text: string, settings: object = {}) => queryAt({ connectionString: project.uri, ...settings }, text);

  before(async () => {
    project = await suite.project();
  });

  it("the URI of a new project opens as it stands, also over TLS that verifies the printed certificate", async () => {
    const sql = "SELECT current_user AS user, current_database() AS database";
    assert.deepEqual(await query(sql), [{ user: "neondb_owner", database: "neondb" }]);
    const { caFile } = suite.platform().platform;
    assert.ok(caFile);
    const ssl = { ca: readFileSync(caFile, "utf8") };
    assert.deepEqual(await query(sql, { ssl }), [{ user: "neondb_owner", database: "neondb" }]);
  });

  it("a connection wakes a suspended compute, many at once with one operation", async () => {
    await project.act("suspend");
    const one = await Promise.all(Array.from({ length: 5 }, () => query("SELECT 1 AS one")));
    assert.deepEqual(
      one.flat(),
      Array.from({ length: 5 }, () => ({ one: 1 })),
    );
    assert.equal((await project.endpointOf()).current_state, "active");
    const { operations } = (await project.call("GET", "/operations")).body;
    const starts = operations.filter(({ action }: { readonly action: string }) => action === "start_compute");
    assert.equal(starts.length, 2, "the first start and the one that the connections caused");
  });

  it("a connection to a disabled compute is refused", async () => {
    const path = `/endpoints/${project.endpointId}`;
    await project.done("PATCH", path, { endpoint: { disabled: true } });
    await assert.rejects(query("SELECT 1"), /disabled/);
    await project.done("PATCH", path, { endpoint: { disabled: false } });
  });

  it("a connection to a project that blocks public connections is refused", async () => {
    const block = (isBlocked: boolean) =>
      project.done("PATCH", "", { project: { settings: { block_public_connections: isBlocked } } });
    await block(true);
    await assert.rejects(query("SELECT 1"), /from a blocked network/);
    await block(false);
    assert.deepEqual(await query("SELECT 1 AS one"), [{ one: 1 }]);
  });

  it("a compute that crashed serves the next connection", async () => {
    await query("SELECT 1");
    process.kill(postmasterPid(suite.dataFolder(project.main)), "SIGKILL");
    for (;;) {
      try {
        assert.deepEqual(await query("SELECT 2 AS two"), [{ two: 2 }]);
        return;
      } catch (error) {
        // Until the platform has noticed it, connections are refused.
        assert.match(String(error), /terminat|ECONNREFUSED|closed|unavailable|could not|cannot/i);
      }
    }
  });

  it("a password that is set in SQL is valid at once, and after the compute has slept", async function () {
    // Below 16, a role that can replicate cannot change its own password.
    if (project.created.project.pg_version < 16) this.skip();
    await query("ALTER ROLE neondb_owner PASSWORD 'set in SQL'");
    const changed = new URL(project.uri);
    changed.password = "set in SQL";
    const settings = { connectionString: changed.href };
    assert.deepEqual(await query("SELECT 1 AS one", settings), [{ one: 1 }]);
    await assert.rejects(query("SELECT 1"), /password authentication failed/);
    await project.act("suspend");
    assert.deepEqual(await query("SELECT 1 AS one", settings), [{ one: 1 }]);
  });
});

describe("local platform with Postgres: autosuspend", () => {
  const clock = new ManualPlatformClock();
  const suite = suiteDatabases({ clock });

  it("suspends a compute whose clients send nothing for its timeout, without --background", async () => {
    const project = await suite.project({ default_endpoint_settings: { suspend_timeout_seconds: 60 } });
    const client = new Client({ connectionString: project.uri });
    const ended = new Promise<Error>((resolve) => client.on("error", resolve));
    await client.connect();
    clock.advance(59 * second);
    await client.query("SELECT 1");
    clock.advance(59 * second);
    const { current_state, last_active } = await project.endpointOf();
    assert.equal(current_state, "active", "activity postpones it");
    assert.equal(Date.parse(last_active ?? ""), clock.now() - 59 * second);
    clock.advance(2 * second);
    assert.equal(((await ended) as { code?: string }).code, "57P01");
    await suite.platform().settled(project.id);
    assert.equal((await project.endpointOf()).current_state, "idle");
  });
});
