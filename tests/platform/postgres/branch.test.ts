import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { bucketObjects } from "../support/objects";
import { until } from "../../support/until";
import { type RealProject, suiteDatabases } from "./support";
import { valuesOf } from "../support/responses";

describe("local platform with Postgres: branches", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  const values = (branchId: string) => project.values(branchId);
  const insert = (branchId: string, value: number) => project.sql(branchId, `INSERT INTO item VALUES (${value})`);

  before(async () => {
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1), (2)");
  });

  it("a branch of a running parent has its data, and neither sees what the other one writes", async () => {
    const child = await project.branch();
    assert.deepEqual(await values(child), [1, 2]);
    await insert(child, 10);
    await insert(project.main, 3);
    assert.deepEqual(await values(child), [1, 2, 10]);
    assert.deepEqual(await values(project.main), [1, 2, 3]);
    const { parent_lsn, logical_size } = await project.getBranch(child);
    assert.match(parent_lsn ?? "", /^0\/[0-9A-F]+$/);
    const [row] = await project.sql(
      child,
      "SELECT sum(pg_database_size(oid))::int AS size FROM pg_database WHERE NOT datistemplate",
    );
    assert.ok(Math.abs(Number(logical_size) - Number(row?.["size"])) < 1_000_000, JSON.stringify([logical_size, row]));
  });

  it("a branch of a suspended parent has its data and does not wake it", async () => {
    const before = await values(project.main);
    await project.act("suspend");
    const child = await project.branch();
    assert.deepEqual(await values(child), before);
    assert.equal(existsSync(`${suite.dataFolder(project.main)}/postmaster.pid`), false);
    await project.act("start");
  });

  it("a branch made while others write has each commit that was acknowledged before, and none without those before it", async () => {
    await project.sql(project.main, "CREATE TABLE written (writer int, number int)");
    let isWriting = true;
    const acknowledged = [0, 0];
    const writers = acknowledged.map(async (_, writer) => {
      const session = await project.session(project.main);
      for (let number = 1; isWriting; number += 1) {
        await session.query("INSERT INTO written VALUES ($1, $2)", [writer, number]);
        acknowledged[writer] = number;
      }
      await session.end();
    });
    await until(() => acknowledged.every((count) => count >= 20));
    const least = [...acknowledged];
    const child = await project.branch();
    isWriting = false;
    await Promise.all(writers);
    const rows = await project.sql(
      child,
      "SELECT count(*)::int AS count, max(number) AS last FROM written GROUP BY writer ORDER BY writer",
    );
    for (const [writer, { count, last }] of rows.entries()) {
      assert.equal(count, last, "no gaps");
      assert.ok(Number(count) >= (least[writer] ?? Infinity), `${String(count)} of ${String(least[writer])}`);
    }
    assert.equal(rows.length, 2);
    await project.sql(child, "CREATE EXTENSION amcheck");
    assert.deepEqual(await project.sql(child, "SELECT * FROM verify_heapam('written')"), []);
  });

  it("a branch at an earlier moment has the commits up to then, by log position and by time", async () => {
    const before = await values(project.main);
    const early = await project.moment(project.main);
    await insert(project.main, 4);
    const byLsn = await project.branch({ parent_lsn: early.lsn });
    const byTime = await project.branch({ parent_timestamp: early.time });
    await insert(project.main, 5);
    assert.deepEqual([await values(byLsn), await values(byTime)], [before, before]);
    assert.deepEqual(await values(project.main), [...before, 4, 5]);
  });

  it("a branch at a log position does not have the commit that is recorded there", async () => {
    const session = await project.session(project.main);
    await session.query("BEGIN; INSERT INTO item VALUES (1000)");
    const { rows } = await session.query<{ lsn: string }>("SELECT pg_current_wal_insert_lsn() AS lsn");
    await session.query("COMMIT");
    await session.end();
    const child = await project.branch({ parent_lsn: rows[0]?.lsn });
    assert.equal((await values(child)).includes(1000), false);
    assert.equal((await values(project.main)).includes(1000), true);
    await project.sql(project.main, "DELETE FROM item WHERE value = 1000");
  });

  it("points in time work through three generations, and with a suspended parent", async () => {
    const expected = (await values(project.main)) as number[];
    let parent = project.main;
    for (const generation of [1, 2, 3]) {
      await insert(parent, 100 + generation);
      const then = await project.moment(parent);
      await insert(parent, 200 + generation);
      if (generation === 2) await project.act("suspend", parent);
      const point = generation === 2 ? { parent_timestamp: then.time } : { parent_lsn: then.lsn };
      parent = await project.branch({ parent_id: parent, ...point });
      expected.push(100 + generation);
      assert.deepEqual(
        await values(parent),
        [...expected].sort((one, other) => one - other),
        `generation ${generation}`,
      );
    }
  });

  it("a point in time works with a suspended parent that has a logical replication slot", async () => {
    const logical = await suite.project({ settings: { enable_logical_replication: true } });
    await logical.sql(logical.main, "SELECT pg_create_logical_replication_slot('kept', 'pgoutput')");
    const { lsn } = await logical.moment(logical.main);
    await logical.act("suspend");
    const child = await logical.branch({ parent_id: logical.main, parent_lsn: lsn });
    assert.deepEqual(await logical.sql(child, "SELECT slot_name FROM pg_replication_slots"), []);
  });

  it("a schema-only branch has the tables without their rows", async () => {
    await project.sql(project.main, "CREATE TABLE counted (id serial); INSERT INTO counted DEFAULT VALUES");
    const child = await project.branch({ init_source: "schema-only" });
    assert.deepEqual(await values(child), []);
    assert.deepEqual(await project.sql(child, "INSERT INTO counted DEFAULT VALUES RETURNING id"), [{ id: 1 }]);
    assert.equal((await project.getBranch(child)).parent_id, undefined);
  });

  it("a reset gives a branch the data of its parent again", async () => {
    const child = await project.branch();
    await insert(child, 99);
    await project.done("POST", `/branches/${child}/restore`, { source_branch_id: project.main });
    assert.equal((await project.endpointOf(child)).current_state, "idle");
    await project.act("start", child);
    assert.deepEqual(await values(child), await values(project.main));
  });

  it("a restore from its own history keeps the data that it replaces under another name", async () => {
    const child = await project.branch();
    const before = await values(child);
    const early = await project.moment(child);
    await insert(child, 77);
    await project.done("POST", `/branches/${child}/restore`, {
      source_branch_id: child,
      source_lsn: early.lsn,
      preserve_under_name: "before the restore",
    });
    await project.act("start", child);
    assert.deepEqual(await values(child), before);
    const { branches } = (await project.call("GET", "/branches?search=before%20the%20restore")).body;
    const preserved = branches.find(({ name }) => name === "before the restore")?.id ?? "";
    await project.compute(preserved);
    assert.deepEqual(new Set(await values(preserved)), new Set([...before, 77]));
  });

  it("a snapshot has the data of its moment, and its restore replaces the branch", async () => {
    const other = await suite.project();
    const call = other.done;
    await other.sql(other.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
    const { snapshot } = await call("POST", `/branches/${other.main}/snapshot`);
    await other.sql(other.main, "INSERT INTO item VALUES (2)");
    const restored = (await call("POST", `/snapshots/${snapshot.id}/restore`, { finalize_restore: true })).branch.id;
    assert.deepEqual(await other.sql(restored, "SELECT value FROM item"), [{ value: 1 }]);
    assert.match(snapshot.lsn ?? "", /^0\//);
    // Until it is finalized, the restored branch has a compute of its own, and both go on with the other's data then.
    const body = { name: "previewed", target_branch_id: restored };
    const { branch: previewed, endpoints } = await call("POST", `/snapshots/${snapshot.id}/restore`, body);
    assert.deepEqual(await other.sql(previewed.id, "SELECT value FROM item"), [{ value: 1 }]);
    await other.sql(restored, "INSERT INTO item VALUES (3)");
    await call("POST", `/branches/${previewed.id}/finalize_restore`);
    assert.deepEqual(await other.values(previewed.id), [1]);
    assert.deepEqual(await other.values(restored), [1, 3]);
    assert.equal((await other.endpointOf(restored)).id, endpoints[0]?.id);
    await call("DELETE", `/snapshots/${snapshot.id}`);
    const folder = `${suite.folder()}/postgres/snapshots/${snapshot.id}`;
    await until(() => !existsSync(folder));
  });

  it("a deleted branch can be recovered with its data, and has none left after a hard delete", async () => {
    const child = await project.branch();
    await insert(child, 55);
    await project.done("DELETE", `/branches/${child}`);
    await project.done("POST", `/branches/${child}/recover`);
    await project.act("start", child);
    assert.ok((await values(child)).includes(55));
    await project.done("DELETE", `/branches/${child}?hard_delete=true`);
    await until(() => !existsSync(suite.dataFolder(child)));
  });

  it("a deleted project can be recovered with the data, hosts, settings and objects of its branches", async () => {
    const other = await suite.project({ settings: { enable_logical_replication: true } });
    await other.sql(other.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
    const child = await other.branch({ name: "child" });
    await other.sql(child, "INSERT INTO item VALUES (2)");
    await other.done("POST", `/branches/${child}/buckets`, { name: "files" });
    const files = bucketObjects(other.call, child, "files");
    await files.upload("a", "kept");
    const before = await Promise.all([other.endpointOf(), other.endpointOf(child)]);
    assert.equal((await other.call("DELETE")).status, 200);
    await until(() => !existsSync(`${suite.dataFolder(other.main)}/postmaster.pid`));
    const { project: recovered, branches } = (await other.call("POST", "/recover")).body;
    assert.deepEqual([recovered.settings?.enable_logical_replication, branches.length], [true, 2]);
    const after = await Promise.all([other.endpointOf(), other.endpointOf(child)]);
    assert.deepEqual(
      valuesOf(after, "host"),
      before.map(({ host }) => host),
    );
    await other.act("start");
    await other.act("start", child);
    assert.deepEqual([await other.values(other.main), await other.values(child)], [[1], [1, 2]]);
    assert.equal(await files.download("a"), "kept");
  });

  it("a branch whose work fails says why, and the platform goes on", async () => {
    const child = await project.branch();
    await project.act("suspend", child);
    rmSync(`${suite.dataFolder(child)}/global/pg_control`);
    const reason = await project.failure("POST", `/endpoints/${(await project.endpointOf(child)).id}/start`);
    assert.match(reason, /start_compute did not succeed \(.*pg_control/);
    assert.deepEqual(await values(await project.branch()), await values(project.main));
  });
});
