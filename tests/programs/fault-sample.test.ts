import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runSample } from "../reliability/real";
import { quickSeed, sampleOf, seededRandom } from "../support/seeded-random";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";

describe("programs: a case of the fault matrix", function () {
  this.timeout(900_000);

  it("comes to the same as with the model of the engine", async () => {
    const seed = quickSeed();
    const [kind = ""] = sampleOf(everySample.map(titleOf), 1, seededRandom(seed));
    const said: string[] = [];
    const { ran, failures } = await runSample({
      // One `up` and two or three quicker commands: the long run has a hundred cases of all verbs.
      only: `${kind}/delete`,
      sample: 1,
      workers: 1,
      seed,
      slow: false,
      deadline: Infinity,
      say: (line) => said.push(line),
    });
    console.log(`    fault-sample: a case of ${kind} (seed ${seed})`);
    assert.equal(ran.length, 1);
    assert.equal(failures.length, 0, said.join("\n"));
  });
});
