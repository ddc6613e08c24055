import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isAlive } from "../../../platform/postgres/is-alive";
import { postmasterPid } from "../../support/postgres-files";
import { until } from "../../support/until";
import { query, withClient } from "../support/sql";
import { Barrier, CopyBarrier } from "./barrier";
import { type RealProject, suiteDatabases } from "./support";

const inUse = 'lock file "postmaster.pid" already exists';

describe("local platform with Postgres: interrupted work", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const values = (branchId: string) => project.values(branchId);
  const logOf = (branchId: string) => readFileSync(`${suite.dataFolder(branchId)}.log`, "utf8");
  const pidFileOf = (branchId: string) => join(suite.dataFolder(branchId), "postmaster.pid");
  const killPostmaster = async (branchId: string) => {
    const pid = postmasterPid(suite.dataFolder(branchId));
    process.kill(pid, "SIGKILL");
    await until(() => !isAlive(pid));
  };
  /** A branch without a running compute, whose folder says that the Postgres of another branch uses it. */
  const occupiedBranch = async () => {
    const id = await project.branch();
    await project.act("suspend", id);
    writeFileSync(pidFileOf(id), readFileSync(pidFileOf(project.main)));
    return id;
  };
  /** How often a Postgres did not start because another one uses the folder. */
  const refusedStarts = (branchId: string, reason = inUse) => logOf(branchId).split(reason).length - 1;
  const failedStart = async (branchId: string) =>
    await project.failure("POST", `/endpoints/${(await project.endpointOf(branchId)).id}/start`);

  before(async function () {
    if (process.platform === "win32") this.skip();
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1), (2)");
  });

  it("a branch is created although the postmaster of its parent is killed while it is copied", async () => {
    const barrier = new CopyBarrier(suite.dataFolder(project.main));
    const child = project.branch();
    await barrier.whileHeld(() => killPostmaster(project.main));
    assert.deepEqual(await values(await child), [1, 2]);
    await project.act("restart");
  });

  it("a branch is created although a server process of its parent is killed while it is copied", async () => {
    const barrier = new CopyBarrier(suite.dataFolder(project.main));
    const child = project.branch();
    await barrier.whileHeld(async () => {
      const session = await project.session(project.main);
      const { rows } = await session.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      process.kill(rows[0]?.pid ?? 0, "SIGKILL");
      await until(() => /all server processes terminated; reinitializing/.test(logOf(project.main)));
    });
    assert.deepEqual(await values(await child), [1, 2]);
  });

  it("a client can connect to a branch that was killed and is being copied", async () => {
    const { main } = project;
    const first = new CopyBarrier(suite.dataFolder(main));
    const child = project.branch();
    let second: CopyBarrier | undefined;
    await first.whileHeld(async () => {
      await killPostmaster(main);
      second = new CopyBarrier(suite.dataFolder(main));
    });
    let rows: Promise<unknown[]> = Promise.resolve([]);
    // The copy has started Postgres by itself.
    await second?.whileHeld(async () => {
      rows = query({ connectionString: project.uri }, "SELECT value FROM item");
      await until(() => refusedStarts(main) > 0);
    });
    assert.equal((await rows).length, 2);
    assert.deepEqual(await values(await child), [1, 2]);
  });

  it("a compute starts although its Postgres is killed while it starts", async () => {
    const child = await project.branch();
    await project.act("suspend", child);
    const file = join(suite.dataFolder(child), "pg_hba.conf");
    renameSync(file, `${file}.kept`);
    const barrier = new Barrier(file);
    const started = project.act("start", child);
    await barrier.whileHeld(async () => {
      renameSync(`${file}.kept`, file);
      await killPostmaster(child);
    });
    await started;
    assert.deepEqual(await values(child), [1, 2]);
  });

  it("a compute that was killed starts with all its settings when a client connects", async () => {
    const logical = await suite.project({ settings: { enable_logical_replication: true } });
    await logical.sql(logical.main, "SELECT pg_create_logical_replication_slot('kept', 'pgoutput')");
    await killPostmaster(logical.main);
    assert.deepEqual(await query({ connectionString: logical.uri }, "SHOW wal_level"), [{ wal_level: "logical" }]);
  });

  it("a replica follows its primary, which was killed and has started again", async () => {
    const replica = await project.compute(project.main, "read_only");
    await killPostmaster(project.main);
    await query({ connectionString: project.uri }, "CREATE TABLE later AS SELECT 1 AS value");
    await withClient(project.replica(replica), async (reader) => {
      await until(async () => (await reader.query("SELECT FROM pg_tables WHERE tablename = 'later'")).rowCount === 1);
      // A replica that is not told of the new socket reads the log from files.
      const streams = "SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'";
      await until(async () => (await reader.query(streams)).rowCount === 1);
    });
    await project.done("DELETE", `/endpoints/${replica}`);
  });

  it("a compute starts as soon as no other Postgres uses its data", async () => {
    const child = await occupiedBranch();
    const started = project.act("start", child);
    await until(() => refusedStarts(child) > 0);
    rmSync(pidFileOf(child));
    await started;
    assert.deepEqual(await values(child), [1, 2]);
  });

  it("the operation fails if another Postgres goes on using the data", async () => {
    const child = await occupiedBranch();
    const error = await failedStart(child);
    assert.ok(error.includes(inUse), error);
    assert.ok(refusedStarts(child) > 1);
  });

  it("an operation that fails for another reason is not repeated", async () => {
    const child = await project.branch();
    await project.act("suspend", child);
    rmSync(join(suite.dataFolder(child), "pg_hba.conf"));
    assert.match(await failedStart(child), /pg_hba\.conf/);
    assert.equal(refusedStarts(child, "FATAL:  could not load"), 1);
  });
});
