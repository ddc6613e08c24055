import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { findRun, listRuns } from "../../platform/pulumi-run/build";
import type { Recorded, RunOperation, RunRequest, Span } from "../../platform/pulumi-run/run";
import { durationText, tickMarks } from "../../platform/pulumi-run/scale";
import { timelineSvg } from "../../platform/pulumi-run/svg";
import { assertMembers, rowsOf } from "./support/responses";

const request = (at: number, method: string, path: string, more: Partial<RunRequest> = {}): RunRequest => ({
  at,
  milliseconds: 10,
  method,
  path,
  status: method === "POST" ? 201 : 200,
  requestId: `r${at}`,
  agent: "neon-pulumi",
  operations: [],
  ...more,
});
const operation = (id: string, startedAt: number, milliseconds: number, branchId?: string): RunOperation => ({
  id,
  projectId: "p",
  branchId,
  action: "create_branch",
  status: "finished",
  isFailed: false,
  startedAt,
  milliseconds,
  isEnded: true,
});
const recorded = (requests: readonly RunRequest[], operations: readonly RunOperation[] = []): Recorded => ({
  requests,
  operation: (id) => operations.find((each) => each.id === id),
  projectName: (id) => `project ${id}`,
  branchName: (id) => `branch ${id}`,
});
const spansOf = (all: readonly Span[], kind: Span["kind"]) =>
  all.filter((span) => span.kind === kind).map(({ from, to, isCritical }) => [from, to, isCritical]);

/** A project, and two branches of it, one after the other. */
const up = recorded(
  [
    request(0, "GET", "/projects?limit=400"),
    request(100, "POST", "/projects", { operations: ["o1"], name: "shop" }),
    request(1_200, "POST", "/projects/p/branches", { operations: ["o2"], name: "a" }),
    request(1_300, "GET", "/projects/p/operations/o2"),
    request(2_300, "POST", "/projects/p/branches", { operations: ["o3"], name: "b" }),
    request(2_400, "POST", "/projects/p/branches/b/roles", { status: 429, name: "ann" }),
    request(2_900, "POST", "/projects/p/branches/b/roles", { name: "ann" }),
  ],
  [operation("o1", 110, 1_000), operation("o2", 1_210, 1_000, "a"), operation("o3", 2_310, 500, "b")],
);

describe("local platform: timeline of a run", () => {
  it("has a lane for each object, named as in the program, with its requests and operations", () => {
    const run = findRun(up);
    assert.ok(run);
    const lanes = run.lanes.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(lanes, ["account account", "project shop", "branch a", "branch b", "role ann"]);
    const [, project, first] = run.lanes;
    assert.deepEqual(spansOf(project?.spans ?? [], "operation"), [[110, 1_110, true]]);
    assert.equal(first?.spans.filter(({ isRead }) => isRead).length, 1);
  });

  it("adds up what operations took, and compares it with the whole time", () => {
    const { totals } = listRuns(up)[0] ?? {};
    assertMembers(totals, { requests: 7, operations: 3, operationMs: 2_500, wallMs: 2_910 });
  });

  it("shows the wait for the lock of the project, and for the rate limit", () => {
    const lanes = findRun(up)?.lanes ?? [];
    const waits = (name: string) =>
      lanes.find((lane) => lane.name === name)?.spans.filter(({ kind }) => kind === "wait") ?? [];
    assert.deepEqual(rowsOf(waits("b"), "from", "to"), [[1_110, 2_300]]);
    assert.ok(waits("ann").some(({ title, from, to }) => /rate limit/.test(title) && from === 2_410 && to === 2_900));
  });

  it("marks the critical path only", () => {
    const parallel = recorded(
      [
        request(0, "POST", "/projects/p/branches", { operations: ["short"], name: "short" }),
        request(5, "POST", "/projects/q/branches", { operations: ["long"], name: "long" }),
      ],
      [operation("short", 10, 100, "s"), operation("long", 20, 900, "l")],
    );
    const [short, long] = findRun(parallel)?.lanes ?? [];
    assert.deepEqual(spansOf(short?.spans ?? [], "operation"), [[10, 110, false]]);
    assert.deepEqual(spansOf(long?.spans ?? [], "operation"), [[20, 920, true]]);
  });

  it("is by default that of the latest run that created or changed something", () => {
    const at = (time: number, method: string, status = 200) => request(time, method, "/projects", { status });
    const shown = (...requests: RunRequest[]) => findRun(recorded(requests))?.from;
    const minute = 60_000;
    assert.equal(shown(at(0, "POST"), at(minute, "PATCH"), at(2 * minute, "DELETE"), at(3 * minute, "GET")), minute);
    assert.equal(shown(at(0, "POST"), at(minute, "POST", 422)), 0);
    assert.equal(shown(at(0, "DELETE"), at(minute, "GET")), minute);
  });

  it("begins a new run after a pause, and for another client", () => {
    const runs = listRuns(
      recorded([
        request(0, "GET", "/projects"),
        request(1_000, "GET", "/projects", { agent: "another neon-pulumi" }),
        request(20_000, "POST", "/projects"),
      ]),
    );
    assert.deepEqual(rowsOf(runs, "from", "title"), [
      [20_000, "1 created"],
      [1_000, "no changes"],
      [0, "no changes"],
    ]);
  });

  it("does not end while its operations run", () => {
    const runs = listRuns(
      recorded(
        [request(0, "POST", "/projects", { operations: ["slow"] }), request(61_000, "GET", "/projects/p")],
        [operation("slow", 10, 60_000)],
      ),
    );
    assert.equal(runs.length, 1);
  });

  it("is a picture that stands alone, in which every name is escaped", () => {
    const run = findRun(recorded([request(0, "POST", "/api_keys", { name: `<script>"&` })]));
    assert.ok(run);
    const svg = timelineSvg(run);
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.ok(svg.includes("&lt;script&gt;&quot;&amp;"));
    assert.ok(!svg.includes("<script"));
  });

  it("has round marks, and durations for people", () => {
    assert.deepEqual(tickMarks(0, 9_300, 10), [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000]);
    assert.deepEqual(tickMarks(1_500, 4_000, 3), [2_000, 3_000, 4_000]);
    assert.deepEqual([340.4, 4_200, 60_000, 65_000].map(durationText), ["340 ms", "4.2 s", "1 min", "1 min 5 s"]);
  });
});
