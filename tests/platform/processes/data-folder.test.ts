import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { startTestPlatform, TestPlatform } from "../../support/platform";
import { ManualPlatformClock } from "../../support/platform-clock";
import { runPlatform, startProcess } from "../../support/platform-process";
import { until } from "../../support/until";
import { failed } from "../support/command";
import { assertError } from "../support/responses";
import { suitePaths } from "../support/paths";
import { deployed, waitForBuild } from "../support/function";
import { withPlatform } from "../support/running";

const isRoot = process.getuid?.() === 0;
const hasLimits = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** Starts a platform in a process of its own. */
async function inProcess(data: string) {
  const running = await startProcess(["--no-postgres", "--operation-time", "0", "--data", data]);
  const said = (pattern: RegExp) =>
    running
      .stderr()
      .split("\n")
      .filter((line) => pattern.test(line)).length;
  return {
    platform: new TestPlatform(running.platform),
    pid: running.pid,
    /** How many lines of the log match a pattern. */
    said,
    assertSaidOnce: (pattern: RegExp) => assert.equal(said(pattern), 1, running.stderr()),
    end: async () => assert.equal(await running.end(), 0),
  };
}

describe("local platform: a data folder that cannot be used any more", () => {
  const folder = suitePaths();

  /** Starts a platform in a process of its own, takes its folder away, and gives it back. */
  async function withoutFolder(data: string, takeAway: () => void, giveBack: () => void, reason: RegExp) {
    const { platform, assertSaidOnce, end } = await inProcess(data);
    const { project } = await platform.project({ name: "before" });
    takeAway();
    for (let round = 0; round < 3; round += 1) {
      assertError(await platform.call("GET", `/projects/${project.id}`), 503, reason);
      assertError(await platform.call("POST", "/projects", { project: {} }), 503, reason);
    }
    const local = await platform.local<{ message: string }>("GET", "/status");
    assert.equal(local.status, 503);
    assert.match(local.body.message, reason);
    assertSaidOnce(reason);
    giveBack();
    assert.equal((await platform.call("GET", `/projects/${project.id}`)).body.project.name, "before");
    await platform.project({ name: "after" });
    assertSaidOnce(/can be used again/);
    await end();
  }

  it("requests are answered with what to do while it is moved away, and work when it is back", async () => {
    const data = folder("moved");
    await withoutFolder(
      data,
      () => renameSync(data, `${data}.away`),
      () => renameSync(`${data}.away`, data),
      new RegExp(`the data folder ${data} cannot be used: it was moved or removed.*Move it back.*restart the platform`),
    );
  });

  it("requests are answered with what to do while it cannot be read, and work when it can", async function () {
    // Root can read everything.
    if (isRoot || process.platform === "win32") this.skip();
    const data = folder("unreadable");
    await withoutFolder(
      data,
      () => chmodSync(data, 0),
      () => chmodSync(data, 0o700),
      /access is denied \(EACCES.*Restore its permissions/,
    );
  });

  it("another folder in its place gets no changes", async () => {
    const data = folder("replaced");
    await withPlatform({ data }, async (platform) => {
      renameSync(data, `${data}.away`);
      await (await startTestPlatform({ data })).close();
      assertError(await platform.call("POST", "/projects", { project: {} }), 503, /it was replaced by another folder/);
      rmSync(data, { recursive: true });
      renameSync(`${data}.away`, data);
      await platform.project();
    });
  });

  it("a platform whose folder is removed can be closed", async () => {
    const { platform, end } = await inProcess(folder("removed"));
    rmSync(folder("removed"), { recursive: true });
    assertError(await platform.call("POST", "/projects", { project: {} }), 503, /it was moved or removed/);
    await end();
  });

  it("operations whose time is up meanwhile end when it is back", async () => {
    const clock = new ManualPlatformClock();
    const data = folder("late");
    await withPlatform({ data, clock, operationTime: "1s" }, async (platform) => {
      const { project } = (await platform.call("POST", "/projects", { project: {} })).body;
      renameSync(data, `${data}.away`);
      // The timer fires, fails, and tries again later.
      for (let step = 0; step < 20; step += 1) clock.advance(1000);
      assertError(await platform.call("GET", `/projects/${project.id}/operations`), 503, /moved or removed/);
      renameSync(`${data}.away`, data);
      clock.advance(5000);
      clock.advance(5000);
      const { operations } = (await platform.call("GET", `/projects/${project.id}/operations`)).body;
      assert.deepEqual([...new Set(operations.map(({ status }) => status))], ["finished"]);
    });
  });

  it("the build of a function that ends meanwhile is recorded when it is back", async () => {
    const data = folder("building");
    const { platform, said, end } = await inProcess(data);
    const { project, branch } = await platform.project();
    const path = `/projects/${project.id}/branches/${branch.id}/functions/api`;
    const flag = `${data}.built`;
    const code = `import { existsSync } from "node:fs";
      while (!existsSync(${JSON.stringify(flag)})) await new Promise((resolve) => setTimeout(resolve, 5));
      export default () => new Response();`;
    await deployed(platform, path, { files: { "index.mjs": code } });
    renameSync(data, `${data}.away`);
    writeFileSync(flag, "");
    await until(() => said(/moved or removed/) === 1);
    renameSync(`${data}.away`, data);
    assert.equal((await waitForBuild(platform, path)).current_deployment?.status, "completed");
    await end();
  });

  it("a change that the disk does not take is not performed, and the platform goes on when it does", async function () {
    if (!hasLimits) this.skip();
    const data = folder("full");
    const { platform, pid, said, assertSaidOnce, end } = await inProcess(data);
    const { project } = await platform.project({ name: "before" });
    const limit = (size: string) => {
      const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:`]);
      assert.equal(status, 0, stderr.toString());
    };
    limit(String(statSync(join(data, "platform.db-wal")).size));
    const rename = (name: string) => platform.call("PATCH", `/projects/${project.id}`, { project: { name } });
    for (let round = 0; round < 3; round += 1) {
      assertError(await rename("lost"), 500, /the disk reports an error.*Check the disk and the limits/);
    }
    assert.equal((await platform.call("GET", `/projects/${project.id}`)).body.project.name, "before");
    assertSaidOnce(/the disk reports an error/);
    limit("unlimited");
    assert.equal((await rename("after")).status, 200);
    await platform.project();
    await until(() => said(/can be used again/) === 1);
    await end();
  });
});

describe("local platform: a data folder that cannot be used at the start", () => {
  const folder = suitePaths();

  const rejected = async (data: string, message: RegExp): Promise<void> => {
    const stderr = failed(await runPlatform(["--no-postgres", "--data", data]));
    assert.match(stderr, message);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  };

  it("is reported in one line if it is a file", async () => {
    writeFileSync(folder("file"), "");
    await rejected(folder("file"), /^neon-platform: the data folder .*file cannot be used: ENOTDIR/);
  });

  it("is reported in one line by each command that makes one, if it cannot be made", async function () {
    if (process.platform !== "linux") this.skip();
    const archive = folder("data.tar.gz");
    writeFileSync(archive, "");
    writeFileSync(folder("below"), "");
    const refused = [
      // Node's recursive `mkdir` does not return here.
      ["/proc/data", /ENOENT.* Name a folder that exists or can be created/],
      ["/proc/data/below", /ENOENT.* Name a folder that exists or can be created/],
      [join(folder("below"), "data"), /ENOTDIR.* Name a folder that exists or can be created/],
    ] as const;
    for (const command of [["--no-postgres"], ["run", "true"], ["import", archive]]) {
      for (const [data, reason] of refused) {
        const args = [...command, "--data", data];
        const message = new RegExp(`^neon-platform: the data folder ${data} cannot be used: ${reason.source}\n$`);
        const stderr = failed(await runPlatform(args));
        assert.match(stderr, message, `${args.join(" ")}: ${stderr}`);
      }
    }
  });

  it("is not the present folder if its name is empty", async () => {
    for (const command of [["--no-postgres"], ["run", "true"], ["reset"], ["import", "file"], ["timeline"]]) {
      const stderr = failed(await runPlatform([...command, "--data", ""]));
      assert.equal(stderr, "neon-platform: --data needs the path of a folder\n", command.join(" "));
    }
  });

  it("is not made by `timeline` out of a folder of the user", async () => {
    mkdirSync(folder("own"));
    const stderr = failed(await runPlatform(["timeline", "--data", folder("own")]));
    assert.equal(stderr, `neon-platform: ${folder("own")} is not the data folder of a platform\n`);
    assert.deepEqual(readdirSync(folder("own")), []);
  });

  it("is reported in one line if it cannot be read", async function () {
    if (isRoot || process.platform === "win32") this.skip();
    mkdirSync(folder("unreadable"), { mode: 0 });
    await rejected(folder("unreadable"), /cannot be used: access is denied \(EACCES.*Change its permissions/);
  });

  it("is reported in one line if its database is damaged", async () => {
    mkdirSync(folder("damaged"));
    writeFileSync(join(folder("damaged"), "platform.db"), "x".repeat(8192));
    await rejected(folder("damaged"), /cannot be used: its file platform.db is damaged/);
  });

  it("is reported in one line if the disk does not take what is written", function () {
    if (!hasLimits) this.skip();
    const program = join(process.cwd(), "dist/platform/main.js");
    const args = ["--fsize=4096", process.execPath, program, "--no-postgres", "--data", folder("full")];
    const { status, stderr } = spawnSync("prlimit", args, { encoding: "utf8" });
    assert.match(stderr, /^neon-platform: the data folder .*full cannot be used: the disk .*\n$/);
    assert.equal(status, 1);
  });
});
