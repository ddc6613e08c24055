import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRounds } from "../reliability/kills";
import { type Plan, planOf, type Setting } from "../reliability/kills/plan";
import { quickSeed } from "../support/seeded-random";

describe("programs: an interrupted `pulumi up` of every kind, on another machine", function () {
  this.timeout(900_000);

  it("§6.8 is finished by the next run with consent, through the plugin: each declared object exists once", async () => {
    await runFirst({ backend: "file", door: "plugin" }, ({ action, consents }) => action === "change" && consents);
  });

  it("without consent, the next run adopts and doubles nothing, and names the objects that the state in a bucket lacks", async () => {
    const outcome = await runFirst(
      { backend: "s3", door: "dynamic" },
      ({ action, interruption, moment, consents }) =>
        action === "create" &&
        interruption === "crash" &&
        moment.at === "request" &&
        moment.changesOnly &&
        moment.place === "after its answer" &&
        !consents,
    );
    assert.equal(outcome?.wasInterrupted, true);
  });
});

/** Runs the first round with this setting whose plan suits. */
async function runFirst(setting: Setting, suits: (plan: Plan) => boolean) {
  const seed = quickSeed();
  let round = 1;
  let plan = planOf(seed, round, setting);
  while (!suits(plan)) plan = planOf(seed, (round += 1), setting);
  const { failures, ran } = await runRounds({ seed, deadline: Infinity, say: () => undefined }, [plan], 1);
  assert.deepEqual(failures, []);
  return ran[0]?.result;
}
