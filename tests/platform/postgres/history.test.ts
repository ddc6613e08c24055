import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { ManualPlatformClock } from "../../support/platform-clock";
import { until } from "../../support/until";
import { assertError } from "../support/responses";
import { query } from "../support/sql";
import { hour, second } from "../support/time";
import { type RealProject, suiteDatabases } from "./support";

const mebibyte = 2 ** 20;
const minute = 60 * second;
const retention = hour / second;

describe("local platform with Postgres: history", () => {
  // Postgres has the time of the system. The platform's catches up with it when the history is to become old.
  let clock: ManualPlatformClock;
  const historyLimits = { logBytes: mebibyte, dataShare: 0, pruneBytes: mebibyte, intervalMs: minute, graceMs: 0 };
  before(() => {
    clock = new ManualPlatformClock(Date.now() - 3 * hour);
  });
  const suite = suiteDatabases({
    clock: { now: () => clock.now(), after: (milliseconds, run) => clock.after(milliseconds, run) },
    historyLimits,
  });

  let project: RealProject;
  const folderOf = (branchId: string) => dirname(suite.dataFolder(branchId));
  const basesOf = (branchId: string) => readdirSync(folderOf(branchId)).filter((name) => name.startsWith("base"));
  const logOf = (branchId: string) =>
    readdirSync(join(suite.dataFolder(branchId), "pg_wal"))
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .sort();
  const values = (branchId: string) => project.values(branchId);
  const moment = (branchId: string) => project.moment(branchId);
  const insert = (branchId: string, value: number) => project.sql(branchId, `INSERT INTO item VALUES (${value})`);
  /** Writes so much that a base is worth it. */
  const writeMuch = async (branchId: string) => {
    await project.sql(branchId, "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 4000)");
    await project.sql(branchId, "CHECKPOINT");
  };
  /** Lets time pass until the histories were looked after, and that has this result. */
  const pass = async (milliseconds: number, isDone: () => boolean) => {
    clock.advance(milliseconds);
    await until(isDone);
  };
  const keep = (seconds: number) => project.done("PATCH", "", { project: { history_retention_seconds: seconds } });
  const rejects = async (point: object, message: RegExp) => {
    const branch = { parent_id: project.main, ...point };
    assertError(await project.call("POST", "/branches", { branch }), 422, message);
  };
  const newProject = async (seconds = retention) => {
    project = await suite.project({
      history_retention_seconds: seconds,
      // Hours pass.
      default_endpoint_settings: { suspend_timeout_seconds: -1 },
    });
    await project.sql(project.main, "CREATE TABLE item (value int); CREATE TABLE filler (text text)");
  };

  it("a history older than the retention is given up, and each point within it stays recoverable", async () => {
    await newProject();
    const { main } = project;
    const replica = await project.compute(main, "read_only");
    await insert(main, 1);
    const early = await moment(main);
    await writeMuch(main);
    await pass(minute, () => basesOf(main).length === 2 && !basesOf(main).includes("base.new"));

    await insert(main, 2);
    const late = await moment(main);
    await insert(main, 3);
    const child = await project.branch({ parent_lsn: early.lsn });
    assert.deepEqual(await values(child), [1]);

    const [oldest = ""] = logOf(main);
    // The end of the log moves on while its beginning is removed.
    const writing = project.sql(main, "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 20000)");
    await pass(3 * hour + minute, () => basesOf(main).length === 1 && !logOf(main).includes(oldest));
    await writing;
    assert.notDeepEqual(basesOf(main), ["base"]);
    await until(() => readdirSync(join(suite.dataFolder(main), "pg_replslot")).length === 0);
    assert.deepEqual(await project.sql(main, "SHOW wal_keep_size"), [{ wal_keep_size: "1000000000MB" }]);
    assert.deepEqual(await values(await project.branch({ parent_lsn: late.lsn })), [1, 2]);
    assert.deepEqual(await values(await project.branch({ parent_timestamp: late.time })), [1, 2]);
    assert.deepEqual(basesOf(child), ["base"], "hardly anything was written to it");
    await insert(main, 4);
    await rejects({ parent_lsn: early.lsn }, /before the start of the history: 0\//);

    await until(async () => (await query(project.replica(replica), "SELECT FROM item")).length === 4);
  });

  it("a suspended branch gets another base without being woken, and its log is shortened when it runs again", async () => {
    await newProject();
    const { main } = project;
    const { lsn } = await moment(main);
    await writeMuch(main);
    await project.act("suspend");
    const [oldest = ""] = logOf(main);
    await pass(minute, () => basesOf(main).length === 2 && !basesOf(main).includes("base.new"));
    await pass(2 * hour, () => basesOf(main).length === 1);
    assert.equal(existsSync(join(suite.dataFolder(main), "postmaster.pid")), false);
    await rejects({ parent_lsn: lsn }, /before the start of the history: 0\//);
    await project.act("start");
    await pass(minute, () => !logOf(main).includes(oldest));
    assert.deepEqual(await values(main), []);
  });

  it("without retention there is no base, no kept log and no earlier point, until it is set again", async () => {
    await newProject(0);
    const { main } = project;
    assert.deepEqual(basesOf(main), []);
    const { lsn } = await moment(main);
    await writeMuch(main);
    const [oldest = ""] = logOf(main);
    await pass(minute, () => !logOf(main).includes(oldest));
    await rejects({ parent_lsn: lsn }, /has no history: history_retention_seconds of its project is 0/);
    await rejects({ parent_timestamp: new Date(clock.now()).toISOString() }, /has no history/);

    await keep(retention);
    assert.equal(basesOf(main).length, 1);
    await rejects({ parent_lsn: lsn }, /before the start of the history: 0\//);
    await insert(main, 1);
    const later = await moment(main);
    await insert(main, 2);
    assert.deepEqual(await values(await project.branch({ parent_lsn: later.lsn })), [1]);
    await keep(0);
    assert.deepEqual(basesOf(main), []);
  });

  it("what a killed platform has not finished is finished by the next one", async () => {
    await newProject();
    const { main } = project;
    await insert(main, 1);
    const { lsn } = await moment(main);
    await insert(main, 2);
    await project.sql(main, "SELECT pg_create_physical_replication_slot('neon_platform_history', true)");
    await project.sql(main, "ALTER SYSTEM SET wal_keep_size = 0");
    mkdirSync(join(folderOf(main), "base.new"));
    mkdirSync(join(folderOf(main), "base-0000000000000001-1.old"));
    await suite.restart();
    assert.deepEqual(basesOf(main), ["base"]);
    await project.act("start");
    await pass(minute, () => readdirSync(join(suite.dataFolder(main), "pg_replslot")).length === 0);
    assert.deepEqual(await project.sql(main, "SHOW wal_keep_size"), [{ wal_keep_size: "1000000000MB" }]);
    assert.deepEqual(await values(await project.branch({ parent_lsn: lsn })), [1]);
  });
});
