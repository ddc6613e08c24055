import Database from "libsql";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startTestPlatform } from "../support/platform";
import { ManualPlatformClock } from "../support/platform-clock";
import { suitePaths } from "./support/paths";
import { withPlatform } from "./support/running";

describe("local platform: data folder", () => {
  const folder = suitePaths();

  it("a restart keeps all data and continues the operations in progress", async () => {
    const clock = new ManualPlatformClock();
    const options = { data: folder("restart"), clock, operationTime: "1s" };
    const { key, created } = await withPlatform(options, async (platform) => {
      const { body } = await platform.call("POST", "/projects", { project: { name: "kept" } });
      return { key: platform.apiKey, created: body };
    });
    await withPlatform(options, async (platform) => {
      const path = `/projects/${created.project.id}`;
      const statuses = async () =>
        (await platform.call("GET", `${path}/operations`)).body.operations.map(({ status }) => status);
      assert.equal((await platform.call("GET", path, undefined, { key })).body.project.name, "kept");
      assert.notEqual(platform.apiKey, key);
      assert.deepEqual(await statuses(), ["scheduling", "running"]);
      clock.advance(2000);
      assert.deepEqual(await statuses(), ["finished", "finished"]);
      const { branch } = (await platform.call("POST", `${path}/branches`, {})).body;
      assert.ok(branch.created_at > created.branch.created_at);
    });
  });

  it("timestamps stay unique if the system clock is set back between two starts", async () => {
    /** Creates a project, and returns the cursor of its operations: only that has all digits of a time. */
    const createAt = (start: string) =>
      withPlatform(
        { data: folder("set-back"), clock: new ManualPlatformClock(Date.parse(start)) },
        async (platform) => {
          const { project } = (await platform.call("POST", "/projects", { project: {} })).body;
          const { pagination } = (await platform.call("GET", `/projects/${project.id}/operations`)).body;
          return pagination?.cursor ?? "";
        },
      );
    const before = await createAt("2030-06-01");
    assert.ok((await createAt("2030-01-01")) > before);
  });

  it("other users of the machine have no access", async () => {
    const data = folder(join("modes", "inner"));
    await withPlatform({ data }, () => {
      assert.equal(statSync(data).mode & 0o077, 0);
      for (const name of readdirSync(data)) assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
      return Promise.resolve();
    });
  });

  it("startPlatform rejects a folder that another platform uses", async () => {
    const data = folder("shared");
    await withPlatform({ data }, () =>
      assert.rejects(startTestPlatform({ data }), /another platform uses the data folder/),
    );
  });

  it("startPlatform rejects data of another version", async () => {
    const data = folder("another version");
    await (await startTestPlatform({ data })).close();
    const database = new Database(join(data, "platform.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(startTestPlatform({ data }), {
      message:
        `the data folder ${data} has version 99, but this release of neon-platform reads version 1 only. ` +
        "Use another data folder, or the release that wrote this one",
    });
  });
});
