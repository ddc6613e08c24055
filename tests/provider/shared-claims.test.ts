import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";

import { systemClock } from "../../api/core/clock";
import type { Claim } from "../../provider/ownership/claim";
import { ClaimFiles } from "../../provider/ownership/shared-claims";

const engine = "127.0.0.1:43210";

function claimTo(id: string): Claim {
  const urn = `urn:pulumi:dev::shop::neon:Branch::${id}`;
  return { kind: "Branch", id, service: "neon", urn, origin: id, as: "managed" };
}

describe("claims that the provider processes of one run share", () => {
  /** Another process that lives. */
  let other: ChildProcess;
  let otherPid: number;
  let folder: string;
  before(() => {
    other = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
    otherPid = other.pid ?? assert.fail("it was not started");
  });
  after(() => other.kill());
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "neon-pulumi-claims-")), "runs");
  });
  afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

  function filesOf(pid?: number, address = engine): ClaimFiles {
    return new ClaimFiles(folder, address, systemClock, pid);
  }

  function deadPid(): number {
    return spawnSync(process.execPath, ["--version"]).pid;
  }

  it("are seen by each other as soon as they are published, and not by their own process", () => {
    const [one, two] = [filesOf(), filesOf(otherPid)];
    assert.deepEqual(one.ofOthers(), []);
    one.publish(claimTo("a"));
    two.publish(claimTo("b"));
    two.publish(claimTo("c"));
    assert.deepEqual(one.ofOthers(), [claimTo("b"), claimTo("c")]);
    assert.deepEqual(two.ofOthers(), [claimTo("a")]);
  });

  it("are not seen by a process of another engine", () => {
    filesOf(otherPid).publish(claimTo("a"));
    const addresses = ["127.0.0.1:4321", "127.0.0.1:432100", "127.0.0.1:54321", "127.0.0.14:3210", "localhost:43210"];
    for (const address of addresses) {
      assert.deepEqual(filesOf(undefined, address).ofOthers(), []);
    }
  });

  it("of a process that has ended are ignored", () => {
    const own = filesOf();
    filesOf(deadPid()).publish(claimTo("a"));
    filesOf(otherPid).publish(claimTo("c"));
    assert.deepEqual(own.ofOthers(), [claimTo("c")]);
  });

  it("are removed a day later, when another process publishes its first claim", () => {
    filesOf(otherPid).publish(claimTo("a"));
    writeFileSync(join(folder, "of-another-version"), "");
    const inHours = (hours: number) => ({ ...systemClock, date: () => new Date(Date.now() + hours * 3_600_000) });
    for (const [hours, files] of [
      [23, 3],
      [25, 1],
    ] as const) {
      new ClaimFiles(folder, `localhost:${hours}`, inHours(hours)).publish(claimTo("b"));
      assert.equal(readdirSync(folder).length, files);
    }
  });

  it("can be read by their user alone", () => {
    new ClaimFiles(join(folder, "deep"), engine, systemClock).publish(claimTo("a"));
    const [name = ""] = readdirSync(join(folder, "deep"));
    assert.deepEqual(
      [statSync(join(folder, "deep")), statSync(join(folder, "deep", name))].map(({ mode }) => mode & 0o777),
      [0o700, 0o600],
    );
  });

  it("of an earlier run with the same address and process id are not those of this one", () => {
    filesOf(otherPid).publish(claimTo("earlier"));
    const own = filesOf();
    filesOf(otherPid).publish(claimTo("now"));
    assert.deepEqual(own.ofOthers(), [claimTo("now")]);
  });

  it("are read up to a line that is half written", () => {
    const own = filesOf();
    filesOf(otherPid).publish(claimTo("a"));
    const [name = ""] = readdirSync(folder);
    appendFileSync(join(folder, name), JSON.stringify(claimTo("b")).slice(0, 20));
    assert.deepEqual(own.ofOthers(), [claimTo("a")]);
    writeFileSync(join(folder, name), "no claim\n");
    assert.deepEqual(own.ofOthers(), []);
  });

  it("are kept to oneself where the folder cannot be written", () => {
    writeFileSync(join(folder, "..", "file"), "");
    const own = new ClaimFiles(join(folder, "..", "file", "runs"), engine, systemClock);
    own.publish(claimTo("a"));
    assert.deepEqual(own.ofOthers(), []);
  });
});
