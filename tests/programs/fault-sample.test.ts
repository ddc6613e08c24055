import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runSample } from "../reliability/real";
import { quickSeed, sampleOf, seededRandom } from "../reliability/seeded-random";
import { samples } from "../support/samples";

describe("programs: a case of the fault matrix", function () {
  this.timeout(900_000);

  it("comes to the same as with the model of the engine", async () => {
    const seed = quickSeed();
    const draw = seededRandom(seed);
    const kinds = sampleOf(Object.values(samples), 1, draw).map(({ kind }) => kind);
    const said: string[] = [];
    const { ran, failures } = await runSample({
      kinds,
      workers: 2,
      seed,
      draw,
      // The long run compares a hundred cases.
      sample: 1,
      slow: false,
      // One `up` and two quicker commands: the long run has the time for all the others.
      suits: ({ clean: { verb }, point, recovery }) =>
        recovery === "destroy" && (verb.is === "create" ? point.is === "operation" : verb.is !== "update"),
      deadline: Infinity,
      say: (line) => said.push(line),
    });
    console.log(`    fault-sample: a case of ${kinds.join(", ")} (seed ${seed})`);
    assert.equal(ran.length, 1);
    assert.equal(failures.length, 0, said.join("\n"));
  });
});
