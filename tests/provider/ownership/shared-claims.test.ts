import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";

import { systemClock } from "../../../api/core/clock";
import type { Claim } from "../../../provider/ownership/claim";
import { type ClaimEntry, SharedClaimLog } from "../../../provider/ownership/shared-claims";

const engine = "127.0.0.1:43210";

function claimTo(id: string): { readonly claim: Claim } {
  const urn = `urn:pulumi:dev::shop::neon:Branch::${id}`;
  return { claim: { kind: "Branch", id, service: "neon", urn, origin: id, as: "managed" } };
}

const unexpected = (urn: string): never => assert.fail(`the claim of ${urn} is not shared`);

/** What is new in a log, without the process that has written it. */
function newsOf(log: SharedClaimLog): readonly ClaimEntry[] {
  return log.news().map((entry) => ("claim" in entry ? { claim: entry.claim } : entry));
}

describe("ownership › shared claims", () => {
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

  function filesOf(pid?: number, address = engine): SharedClaimLog {
    return new SharedClaimLog(folder, address, systemClock, unexpected, pid);
  }

  function deadPid(): number {
    return spawnSync(process.execPath, ["--version"]).pid;
  }

  it("are seen in one order by all of them, once", () => {
    const [one, two] = [filesOf(), filesOf(otherPid)];
    assert.deepEqual(newsOf(one), []);
    one.append(claimTo("a"));
    two.append(claimTo("b"));
    assert.deepEqual(newsOf(one), [claimTo("a"), claimTo("b")]);
    one.append(claimTo("c"));
    assert.deepEqual(newsOf(one), [claimTo("c")]);
    assert.deepEqual(newsOf(two), [claimTo("a"), claimTo("b"), claimTo("c")]);
    assert.deepEqual(newsOf(two), []);
  });

  it("are not seen by a process of another engine", () => {
    filesOf(otherPid).append(claimTo("a"));
    const addresses = ["127.0.0.1:4321", "127.0.0.1:432100", "127.0.0.1:54321", "127.0.0.14:3210", "localhost:43210"];
    for (const address of addresses) {
      assert.deepEqual(newsOf(filesOf(undefined, address)), []);
    }
  });

  it("of a process that has ended are ignored", () => {
    const own = filesOf();
    filesOf(deadPid()).append(claimTo("a"));
    filesOf(otherPid).append(claimTo("c"));
    assert.deepEqual(newsOf(own), [claimTo("c")]);
  });

  it("are removed a day later, when a process of another run writes its first one", () => {
    filesOf(otherPid).append(claimTo("a"));
    writeFileSync(join(folder, "of-another-version"), "");
    const inHours = (hours: number) => ({ ...systemClock, date: () => new Date(Date.now() + hours * 3_600_000) });
    for (const [hours, files] of [
      [23, 3],
      [25, 1],
    ] as const) {
      new SharedClaimLog(folder, `localhost:${hours}`, inHours(hours), unexpected).append(claimTo("b"));
      assert.equal(readdirSync(folder).length, files);
    }
  });

  it("can be read by their user alone", () => {
    new SharedClaimLog(join(folder, "deep"), engine, systemClock, unexpected).append(claimTo("a"));
    const [name = ""] = readdirSync(join(folder, "deep"));
    assert.deepEqual(
      [statSync(join(folder, "deep")), statSync(join(folder, "deep", name))].map(({ mode }) => mode & 0o777),
      [0o700, 0o600],
    );
  });

  it("of an earlier run with the same address and process id are not those of this one", () => {
    filesOf(otherPid).append(claimTo("earlier"));
    const own = filesOf();
    filesOf(otherPid).append(claimTo("now"));
    assert.deepEqual(newsOf(own), [claimTo("now")]);
  });

  it("are read up to a line that is half written, and on from there", () => {
    const own = filesOf();
    assert.deepEqual(newsOf(own), []);
    filesOf(otherPid).append(claimTo("a"));
    const [name = ""] = readdirSync(folder);
    const line = JSON.stringify({ pid: otherPid, ...claimTo("b") });
    appendFileSync(join(folder, name), line.slice(0, 20));
    assert.deepEqual(newsOf(own), [claimTo("a")]);
    appendFileSync(join(folder, name), `${line.slice(20)}\nno claim\n`);
    assert.deepEqual(newsOf(own), [claimTo("b")]);
  });

  it("are read without leaving the file open", () => {
    const own = filesOf();
    const openFiles = (): number => readdirSync("/proc/self/fd").length;
    const before = openFiles();
    for (const id of ["a", "b", "c"]) {
      own.append(claimTo(id));
      assert.deepEqual(newsOf(own), [claimTo(id)]);
    }
    assert.equal(openFiles(), before);
  });

  it("are kept to oneself where the folder cannot be written, of which each one tells", () => {
    writeFileSync(join(folder, "..", "file"), "");
    const told: string[] = [];
    const own = new SharedClaimLog(join(folder, "..", "file", "runs"), engine, systemClock, (urn) => told.push(urn));
    own.append(claimTo("a"));
    assert.deepEqual(newsOf(own), [claimTo("a")]);
    assert.deepEqual(told, [claimTo("a").claim.urn]);
  });
});
