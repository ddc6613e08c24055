import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRounds } from "../reliability/kills";
import { type Plan, planOf, type Setting } from "../reliability/kills/plan";
import { quickSeed } from "../support/seeded-random";

describe("programs: an interrupted `pulumi up`", function () {
  this.timeout(900_000);

  it("loses and doubles nothing", async () => {
    await runFirst({ backend: "file", door: "dynamic" }, ({ action }) => action === "change");
  });

  it("loses and doubles nothing through the plugin", async () => {
    await runFirst({ backend: "file", door: "plugin" }, ({ action }) => action === "create");
  });

  it("leaves nothing unnamed that a bucket has not saved", async () => {
    const [outcome] = await runFirst(
      { backend: "s3", door: "dynamic" },
      ({ action, interruption, moment, onAnotherMachine }) =>
        action === "create" && interruption === "crash" && moment.at === "save" && moment.addsOnly && !onAnotherMachine,
    );
    assert.equal(outcome?.wasInterrupted, true);
  });
});

/** Runs the first round of this kind. */
async function runFirst(setting: Setting, suits: (plan: Plan) => boolean) {
  const seed = quickSeed();
  let round = 1;
  let plan = planOf(seed, round, setting);
  while (!suits(plan)) plan = planOf(seed, (round += 1), setting);
  const { failures, ran } = await runRounds({ seed, deadline: Infinity, say: () => undefined }, [plan], 1);
  assert.deepEqual(failures, []);
  return ran.map(({ result }) => result);
}
