import Database from "libsql";
import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestPlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

describe("local platform: data folder", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-platform-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("a restart keeps all data and continues the operations in progress", async () => {
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

  it("timestamps stay unique if the system clock is set back between two starts", async () => {
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

  it("other users of the machine have no access", async () => {
    const data = join(folder, "modes", "inner");
    const platform = await startTestPlatform({ data });
    try {
      assert.equal(statSync(data).mode & 0o077, 0);
      for (const name of readdirSync(data)) assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
    } finally {
      await platform.close();
    }
  });

  it("startPlatform rejects a folder that another platform uses", async () => {
    const data = join(folder, "shared");
    const first = await startTestPlatform({ data });
    try {
      await assert.rejects(startTestPlatform({ data }), /another platform uses the data folder/);
    } finally {
      await first.close();
    }
  });

  it("startPlatform rejects data of a newer version", async () => {
    const data = join(folder, "newer");
    await (await startTestPlatform({ data })).close();
    const database = new Database(join(data, "platform.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(startTestPlatform({ data }), /the data has version 99/);
  });
});
