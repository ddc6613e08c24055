import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { TestPlatform } from "../../support/platform";
import { spawnPlatform } from "../../support/platform-process";
import { testPostgres } from "../../support/postgres-files";
import { assertError } from "../support/responses";
import { suitePaths } from "../support/paths";
import { query } from "../support/sql";
import { CopyBarrier } from "./barrier";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: a branch that no Postgres has run on", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  before(async () => {
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
  });
  const values = (branchId: string) => project.values(branchId);
  const compute = (branchId: string) => project.compute(branchId);
  const filesOf = (branchId: string) => readdirSync(dirname(suite.dataFolder(branchId))).sort();
  const unused = async (): Promise<string> => (await project.done("POST", "/branches", { branch: {} })).branch.id;

  it("is only the base of its history, and gets its data when its compute starts", async () => {
    const child = await unused();
    assert.deepEqual(filesOf(child), ["base"]);
    await project.sql(project.main, "INSERT INTO item VALUES (2)");
    await compute(child);
    assert.deepEqual(filesOf(child), ["base", "data", "data.log"]);
    assert.deepEqual(await values(child), [1]);
    await project.sql(project.main, "DELETE FROM item WHERE value = 2");
  });

  it("has each point in time from its beginning on", async () => {
    const child = await unused();
    await compute(child);
    const { lsn } = await project.moment(child);
    await project.sql(child, "INSERT INTO item VALUES (3)");
    const earlier = await project.branch({ parent_id: child, parent_lsn: lsn });
    assert.deepEqual([await values(earlier), await values(child)], [[1], [1, 3]]);
  });

  it("can be branched, also at a point in time, and restored from", async () => {
    const parent = await unused();
    assert.deepEqual(await values(await project.branch({ parent_id: parent })), [1]);
    const other = await unused();
    const { parent_lsn } = await project.getBranch(other);
    assert.deepEqual(await values(await project.branch({ parent_id: other, parent_lsn })), [1]);
    const restored = await project.branch();
    await project.sql(restored, "INSERT INTO item VALUES (9)");
    await project.done("POST", `/branches/${restored}/restore`, { source_branch_id: await unused() });
    await project.act("start", restored);
    assert.deepEqual(await values(restored), [1]);
  });

  it("is reset to the data of its parent", async () => {
    const child = await unused();
    await project.sql(project.main, "INSERT INTO item VALUES (4)");
    await project.done("POST", `/branches/${child}/restore`, { source_branch_id: project.main });
    assert.deepEqual(filesOf(child), ["base"]);
    await compute(child);
    assert.deepEqual(await values(child), [1, 4]);
    await project.sql(project.main, "DELETE FROM item WHERE value = 4");
  });

  it("has a schema, which is read without giving it data", async () => {
    const child = await unused();
    const { status, body } = await project.call("GET", `/branches/${child}/schema?db_name=neondb`);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /CREATE TABLE public\.item/);
    assert.deepEqual(filesOf(child), ["base"]);
  });

  it("can have a read replica before it has another compute", async () => {
    const child = await unused();
    await project.compute(child, "read_only");
    assert.deepEqual(filesOf(child), ["base", "data", "data.log"]);
    await compute(child);
    assert.deepEqual(await values(child), [1]);
  });

  it("has its data without a base when its project keeps no history any more", async () => {
    const other = await suite.project();
    await other.sql(other.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
    const child = (await other.done("POST", "/branches", { branch: {} })).branch.id;
    await other.done("PATCH", "", { project: { history_retention_seconds: 0 } });
    assert.deepEqual(filesOf(child), ["data"]);
    const { parent_lsn } = await other.getBranch(child);
    const branch = { parent_id: child, parent_lsn };
    assertError(await other.call("POST", "/branches", { branch }), 422, /has no history/);
    await other.compute(child);
    assert.deepEqual(await other.values(child), [1]);
  });
});

describe("local platform with Postgres: a branch whose data is being copied from its base", () => {
  before(function () {
    if (process.platform === "win32") this.skip();
  });
  const folder = suitePaths();

  it("gets all of it from the next platform when the platform is killed", async () => {
    const args = ["--data", folder("data"), "--operation-time", "0", "--postgres", testPostgres()];
    const first = await spawnPlatform(args);
    let platform = new TestPlatform(first.platform);
    const { project, connection_uris: uris } = await platform.project();
    await query({ connectionString: uris[0]?.connection_uri }, "CREATE TABLE item AS SELECT 1 AS value");
    const path = `/projects/${project.id}`;
    const { branch } = (await platform.call("POST", `${path}/branches`, {})).body;
    await platform.settled(project.id);
    const branchFolder = folder(`data/postgres/branches/${branch.id}`);
    const files = () => readdirSync(branchFolder).sort();

    const barrier = new CopyBarrier(join(branchFolder, "base"));
    const endpoint = { branch_id: branch.id, type: "read_write" };
    await platform.call("POST", `${path}/endpoints`, { endpoint });
    await barrier.whileHeld(async () => {
      const ended = new Promise((resolve) => first.child.once("exit", resolve));
      first.child.kill("SIGKILL");
      await ended;
      assert.deepEqual(files(), ["base", "data.new"]);
      const { apiKey } = first.platform;
      platform = new TestPlatform({ ...(await spawnPlatform(args)).platform, apiKey });
    });
    for (const { action, status, error } of await platform.settled(project.id)) {
      assert.equal(status, "finished", `${action}: ${error ?? ""}`);
    }
    assert.deepEqual(files(), ["base", "data", "data.log"]);
    const of = `branch_id=${branch.id}&database_name=neondb&role_name=neondb_owner`;
    const { uri } = (await platform.call("GET", `${path}/connection_uri?${of}`)).body;
    assert.deepEqual(await query({ connectionString: uri }, "SELECT value FROM item"), [{ value: 1 }]);
    await platform.close();
  });
});
