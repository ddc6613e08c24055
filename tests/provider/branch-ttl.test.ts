import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { branchOf, createdBranch, undeclaredBranch } from "../support/created-branch";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import type { Values } from "../support/provider-server";
import { type Stage, suiteStage } from "../support/stage";
import { assertRefreshed, assertUpToDate } from "../support/up-to-date";

const hour = 3_600_000;
const day = 24 * hour;

/** The moment in so many days of the platform, in whole seconds. */
function inDays(stage: Stage, days: number): string {
  return new Date(stage.now() + days * day).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Runs a step, and asserts that the branch then expires so long after it. */
async function assertExpiresIn(stage: Stage, branch: EngineResource, life: number, step: () => Promise<unknown>) {
  const before = stage.now();
  await step();
  const expiry = Date.parse((await branchOf(stage, branch)).expires_at ?? "");
  // `Date` headers, and the times that the platform stores, are exact to the second.
  const isInTime = expiry >= before + life - 2_000 && expiry <= stage.now() + life;
  assert.ok(isInTime, `${new Date(expiry).toISOString()} is not ${life} ms after the step`);
}

/** The bodies of the changes of a branch in a step. */
async function patchesIn(stage: Stage, branch: EngineResource, step: () => Promise<unknown>): Promise<Values[]> {
  const sent = await stage.sentBy(branch.id.split("/")[1] ?? "", step);
  return sent.map(({ body }) => (body as { branch: Values }).branch);
}

describe("Branch ttl", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ clock });

  it("create › asks for the time at which the life ends, and an unchanged program changes nothing", async () => {
    const { base, branch } = await undeclaredBranch(stage());
    await assertExpiresIn(stage(), branch, 7 * day, () => branch.up({ ...base, ttl: "7d" }));
    const { ttl, ttlIntervalSeconds, expiresAt } = branch.outputs;
    assert.equal(ttl, "7d");
    assert.equal(expiresAt, (await branchOf(stage(), branch)).expires_at);
    assert.equal(ttlIntervalSeconds, (await branchOf(stage(), branch)).ttl_interval_seconds);
    await assertUpToDate(stage(), branch, { ...base, ttl: "7d" });
  });

  it("create › gives the longest life that Neon allows", async () => {
    const { branch, program } = await createdBranch(stage(), { ttl: "30d" });
    await assertUpToDate(stage(), branch, program);
  });

  it("create › gives a branch of a snapshot its life with a second request", async () => {
    const { id: projectId, branchId } = await stage().project();
    const program = { projectId, snapshotId: await stage().snapshot(projectId, branchId), ttl: "12h" };
    const branch = stage().resource("Branch");
    await assertExpiresIn(stage(), branch, 12 * hour, () => branch.up(program));
    await assertUpToDate(stage(), branch, program);
  });

  it("update › begins the life again when `ttl` changes, and not when it is written in another way", async () => {
    const { branch, base } = await createdBranch(stage(), { ttl: "7d" });
    assert.deepEqual(await patchesIn(stage(), branch, () => branch.up({ ...base, ttl: "1w" })), []);
    const longer = { ...base, ttl: "14d" };
    const plan = await branch.preview(longer);
    assert.equal(plan.step, "update");
    await assertExpiresIn(stage(), branch, 14 * day, () => branch.up(longer));
    await assertUpToDate(stage(), branch, longer);
  });

  it("update › begins the life again when `ttlTrigger` is added or changes, and not when it is removed", async () => {
    const { branch, base } = await createdBranch(stage(), { ttl: "90s" });
    for (const ttlTrigger of ["1", "2"]) {
      clock.putForward(20_000);
      const program = { ...base, ttl: "90s", ttlTrigger };
      await assertExpiresIn(stage(), branch, 90_000, () => branch.up(program));
      await assertUpToDate(stage(), branch, program);
    }
    assert.deepEqual(await patchesIn(stage(), branch, () => branch.up({ ...base, ttl: "90s" })), []);
  });

  it("update › changes from `expiresAt` to `ttl` and back with one request each, and removing both clears the expiration", async () => {
    const { branch, base } = await createdBranch(stage(), { ttl: "7d" });
    const expiresAt = inDays(stage(), 3);
    assert.deepEqual(await patchesIn(stage(), branch, () => branch.up({ ...base, expiresAt })), [
      { expires_at: expiresAt },
    ]);
    await assertUpToDate(stage(), branch, { ...base, expiresAt });
    const [patch, ...others] = await patchesIn(stage(), branch, () => branch.up({ ...base, ttl: "7d" }));
    assert.deepEqual([Object.keys(patch ?? {}), others], [["expires_at"], []]);
    await assertUpToDate(stage(), branch, { ...base, ttl: "7d" });
    assert.deepEqual(await patchesIn(stage(), branch, () => branch.up(base)), [{ expires_at: null }]);
    assert.ok(!("ttl" in branch.outputs) && !("ttlIntervalSeconds" in branch.outputs));
    await assertUpToDate(stage(), branch, base);
  });

  it("refresh › finds an expiration that somebody else has set or cleared, and the next up sets the declared life", async () => {
    const { branch, program, path } = await createdBranch(stage(), { ttl: "7d" });
    for (const [expires_at, found] of [
      [inDays(stage(), 1), "1d"],
      // A time that somebody has chosen is no life that a program would declare.
      [inDays(stage(), 2.32), undefined],
      [null, undefined],
    ] as const) {
      await stage().platform.call("PATCH", path, { branch: { expires_at } });
      assert.equal(await branch.refresh(), "changed");
      assert.equal(branch.outputs["ttl"], found);
      await assertExpiresIn(stage(), branch, 7 * day, () => branch.up(program));
      await assertUpToDate(stage(), branch, program);
    }
  });

  it("update › leaves the life to the platform when the branch is reset, which begins it again", async () => {
    const { branch, program } = await createdBranch(stage(), { ttl: "1h" });
    clock.putForward(60_000);
    const reset = { ...program, resetTrigger: "1" };
    await assertExpiresIn(stage(), branch, hour, () => branch.up(reset));
    assert.equal(branch.outputs["expiresAt"], (await branchOf(stage(), branch)).expires_at);
    assert.equal(branch.outputs["ttl"], "1h");
    await assertUpToDate(stage(), branch, reset);
  });

  it("adopt › keeps a life of the declared length, and gives any other branch the declared one", async () => {
    const { id: projectId } = await stage().project();
    for (const [expires_at, patches] of [
      [inDays(stage(), 7), 0],
      [inDays(stage(), 2), 1],
      [undefined, 1],
    ] as const) {
      const { id } = await stage().branch(projectId, { branch: { expires_at } });
      const branch = stage().resource("Branch");
      const program = { projectId, adopt: id, ttl: "7d", ttlTrigger: "1" };
      const sent = await stage().sentBy(id, () => branch.up(program));
      assert.equal(sent.length, patches);
      assert.equal(branch.outputs["ttl"], "7d");
      await assertRefreshed(branch);
    }
  });

  it("update › says that a branch with children cannot get a life", async () => {
    const { branch, base, projectId, branchId } = await createdBranch(stage());
    await stage().branch(projectId, { branch: { parent_id: branchId } });
    await assert.rejects(
      branch.up({ ...base, ttl: "7d" }),
      failsWith(/cannot expire: it is the parent of .* \(PATCH .*\)\. Delete the children first\./),
    );
    assert.equal((await branchOf(stage(), branch)).expires_at, undefined);
    await branch.up(base);
  });
});
