import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, before, beforeEach, describe, it } from "mocha";
import { tool } from "../support/tool";

interface Lock {
  tryLock: (path: string) => { release: () => void } | { holder: number };
}

describe("tools: a lock between processes", () => {
  let tryLock: Lock["tryLock"];
  let folder: string;
  let path: string;
  before(async () => {
    ({ tryLock } = await tool<Lock>("base/lock.mjs"));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-lock-"));
    path = join(folder, "lock");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const holding = (pid: number, host = hostname()) => JSON.stringify({ pid, host, token: "of another process" });
  const deadProcess = () => spawnSync(process.execPath, ["-e", "0"]).pid;

  it("names its holder to a second one, and is free again after release", () => {
    const first = tryLock(path);
    assert.ok("release" in first);
    assert.deepEqual(tryLock(path), { holder: process.pid });
    first.release();
    const second = tryLock(path);
    assert.ok("release" in second);
    second.release();
    assert.deepEqual(readdirSync(folder), []);
  });

  it("is taken over from a process that is gone", () => {
    writeFileSync(path, holding(deadProcess()));
    const lock = tryLock(path);
    assert.ok("release" in lock);
    lock.release();
  });

  it("is taken over when nobody has touched it for long, whatever its content says", () => {
    for (const text of [holding(process.pid), holding(process.pid, "another machine"), '{"pid":']) {
      writeFileSync(path, text);
      const longAgo = new Date(Date.now() - 3_600_000);
      utimesSync(path, longAgo, longAgo);
      const lock = tryLock(path);
      assert.ok("release" in lock, text);
      lock.release();
    }
  });

  it("is not taken from another machine whose process id means nothing here", () => {
    const pid = deadProcess();
    writeFileSync(path, holding(pid, "another machine"));
    assert.deepEqual(tryLock(path), { holder: pid });
  });

  it("does not release what another process has taken over since", () => {
    const first = tryLock(path);
    assert.ok("release" in first);
    writeFileSync(path, holding(process.pid, "another machine"));
    first.release();
    assert.equal(readFileSync(path, "utf8"), holding(process.pid, "another machine"));
  });

  it("goes when its process ends, and is taken over when its process is killed", async () => {
    const module = pathToFileURL(join(process.cwd(), "tools", "base", "lock.mjs")).href;
    const code = (rest: string) =>
      `const { tryLock } = await import(${JSON.stringify(module)}); tryLock(${JSON.stringify(path)}); ${rest}`;
    const ended = spawnSync(process.execPath, ["--input-type=module", "-e", code("process.exit(0);")]);
    assert.equal(ended.status, 0);
    assert.equal(existsSync(path), false);

    const running = code('console.log("held"); setInterval(() => undefined, 1000);');
    const child = spawn(process.execPath, ["--input-type=module", "-e", running], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    assert.deepEqual(tryLock(path), { holder: child.pid });
    child.kill("SIGKILL");
    await once(child, "exit");
    const lock = tryLock(path);
    assert.ok("release" in lock);
    lock.release();
  });
});
