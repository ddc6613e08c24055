import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRounds } from "../reliability/kills";
import { type Backend, type Plan, planOf } from "../reliability/kills/plan";
import { quickSeed } from "../reliability/seeded-random";

describe("programs: an interrupted `pulumi up`", function () {
  this.timeout(900_000);

  it("loses and doubles nothing", async () => {
    await runFirst("file", ({ action }) => action === "change");
  });

  it("leaves nothing unnamed that a bucket has not saved", async () => {
    const [outcome] = await runFirst(
      "s3",
      ({ action, interruption, moment, onAnotherMachine }) =>
        action === "create" && interruption === "crash" && moment.at === "save" && moment.addsOnly && !onAnotherMachine,
    );
    assert.equal(outcome?.wasInterrupted, true);
  });
});

/** Runs the first round of this kind. */
async function runFirst(backend: Backend, suits: (plan: Plan) => boolean) {
  const seed = quickSeed();
  let round = 1;
  let plan = planOf(seed, round, backend);
  while (!suits(plan)) plan = planOf(seed, (round += 1), backend);
  const { failures, ran } = await runRounds({ seed, deadline: Infinity, say: () => undefined }, [plan], 1);
  assert.deepEqual(failures, []);
  return ran.map(({ result }) => result);
}
