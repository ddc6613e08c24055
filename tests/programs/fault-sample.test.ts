import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { countsOf, drawn, isFailed } from "../reliability/real";
import { quickSeed, sampleOf, seededRandom } from "../reliability/seeded-random";
import { samples } from "../support/samples";

/** How many cases, of one kind: to list those of more takes longer than to run these. */
const size = 3;

describe("programs: a sample of the fault matrix", function () {
  this.timeout(900_000);

  it("comes to the same as with the model of the engine", async () => {
    const seed = quickSeed();
    const draw = seededRandom(seed);
    const kinds = sampleOf(Object.values(samples), 1, draw).map(({ kind }) => kind);
    const said: string[] = [];
    const comparisons = await drawn({
      kinds,
      lanes: 2,
      recordingLanes: 2,
      draw,
      sample: size,
      slow: false,
      // One `up` and two quicker commands: the long run has the time for all the others.
      suits: ({ clean: { verb }, point, recovery }) =>
        recovery === "destroy" && (verb.is === "create" ? point.is === "operation" : verb.is !== "update"),
      deadline: Infinity,
      say: (line) => said.push(line),
    });
    const { cases, "steps compared": steps } = countsOf(comparisons);
    console.log(`    fault-sample: ${cases} cases of ${kinds.join(", ")}, ${steps} steps (seed ${seed})`);
    assert.equal(cases, size);
    assert.ok(!comparisons.some(isFailed), said.join("\n"));
  });
});
