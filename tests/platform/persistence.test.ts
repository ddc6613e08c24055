import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { after, before, describe, it } from "mocha";
import { startTestPlatform, TestPlatform } from "../support/platform";
import { ManualPlatformClock } from "../support/platform-clock";
import { spawnPlatform } from "../support/platform-process";

describe("platform: with a data folder", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-platform-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("knows everything again after a restart, and goes on with what was under way", async () => {
    const data = join(folder, "restart");
    const clock = new ManualPlatformClock();
    const first = await startTestPlatform({ data, clock, operationTime: "1s" });
    const { body } = await first.call("POST", "/projects", { project: { name: "kept" } });
    await first.close();
    const second = await startTestPlatform({ data, clock, operationTime: "1s" });
    try {
      const path = `/projects/${body.project.id}`;
      const old = await second.call("GET", path, undefined, { key: first.apiKey });
      assert.equal(old.body.project.name, "kept");
      assert.notEqual(second.apiKey, first.apiKey);
      const { body: during } = await second.call("GET", `${path}/operations`);
      assert.deepEqual(
        during.operations.map(({ status }) => status),
        ["scheduling", "running"],
      );
      clock.advance(2000);
      const { body: afterwards } = await second.call("GET", `${path}/operations`);
      assert.deepEqual(
        afterwards.operations.map(({ status }) => status),
        ["finished", "finished"],
      );
      const { body: branch } = await second.call("POST", `${path}/branches`, {});
      assert.ok(branch.branch.created_at > body.branch.created_at);
    } finally {
      await second.close();
    }
  });

  it("gives out no timestamp twice, even if the machine's clock was set back meanwhile", async () => {
    const data = join(folder, "set-back");
    const first = await startTestPlatform({ data, clock: new ManualPlatformClock(Date.parse("2030-06-01")) });
    const { body } = await first.call("POST", "/projects", { project: {} });
    await first.close();
    const second = await startTestPlatform({ data, clock: new ManualPlatformClock(Date.parse("2030-01-01")) });
    try {
      const { body: later } = await second.call("POST", "/projects", { project: {} });
      assert.ok(later.project.created_at > (body.operations.at(-1)?.created_at ?? ""));
    } finally {
      await second.close();
    }
  });

  it("keeps other users of the machine out of it", async () => {
    const data = join(folder, "modes", "inner");
    const platform = await startTestPlatform({ data });
    try {
      assert.equal(statSync(data).mode & 0o077, 0);
      for (const name of readdirSync(data)) assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
    } finally {
      await platform.close();
    }
  });

  it("refuses a folder that another platform uses", async () => {
    const data = join(folder, "shared");
    const first = await startTestPlatform({ data });
    try {
      await assert.rejects(startTestPlatform({ data }), /another platform uses the data folder/);
    } finally {
      await first.close();
    }
  });

  it("refuses data of a version it does not know, and leaves it alone", async () => {
    const data = join(folder, "newer");
    await (await startTestPlatform({ data })).close();
    const database = new Database(join(data, "platform.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(startTestPlatform({ data }), /the data is of version 99/);
  });

  it("has lost nothing that was acknowledged when it is killed under load, and nothing is half done", async () => {
    const data = join(folder, "killed");
    const projects = new Set<string>();
    const branches = new Map<string, string>();
    for (let round = 0; round < 3; round += 1) {
      const { child, platform } = await spawnPlatform(["--data", data, "--operation-time", "5ms"]);
      const running = new TestPlatform(platform);
      const work = async (): Promise<void> => {
        for (;;) {
          const { body } = await running.call("POST", "/projects", { project: {} });
          projects.add(body.project.id);
          await running.settled(body.project.id);
          const answer = await running.call("POST", `/projects/${body.project.id}/branches`, {});
          if (answer.status === 201) branches.set(answer.body.branch.id, body.project.id);
        }
      };
      const load = Array.from({ length: 8 }, () => work().catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, 400));
      child.kill("SIGKILL");
      await Promise.all(load);
    }
    assert.ok(projects.size > 5, `only ${projects.size} projects were made`);

    const { child, platform } = await spawnPlatform(["--data", data, "--operation-time", "5ms"]);
    try {
      const again = new TestPlatform(platform);
      for (const id of projects) assert.equal((await again.call("GET", `/projects/${id}`)).status, 200, id);
      for (const [id, projectId] of branches) {
        await again.settled(projectId);
        const { body } = await again.call("GET", `/projects/${projectId}/branches/${id}`);
        assert.equal(body.branch.current_state, "ready");
      }
      const { body } = await again.call("GET", "/projects?limit=400");
      for (const { id } of body.projects) {
        const operations = await again.settled(id);
        const { body: list } = await again.call("GET", `/projects/${id}/branches`);
        const [main] = list.branches.filter((branch) => branch.default);
        assert.equal(main?.current_state, "ready", id);
        assert.equal(operations.length, 1 + list.branches.length, `${id}: a create without all of its operations`);
        for (const resource of ["roles", "databases"] as const) {
          const { body: made } = await again.call("GET", `/projects/${id}/branches/${main.id}/${resource}`);
          assert.equal(made[resource].length, 1);
        }
      }
    } finally {
      child.kill("SIGKILL");
    }
  }).timeout(30_000);
});
