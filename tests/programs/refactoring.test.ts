import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRefactorings } from "../reliability/refactoring";
import { pick, quickSeed, seededRandom } from "../support/seeded-random";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";

describe("programs: refactorings", function () {
  this.timeout(600_000);

  // The long run carries out all of them.
  it("renaming a stack leaves alone what the stack does not manage, and says nothing false", async () => {
    const seed = quickSeed();
    const kind = pick(everySample.map(titleOf), seededRandom(seed)) ?? assert.fail();
    const said: string[] = [`seed ${seed}`];
    const say = (line: string): void => void said.push(line);
    const choice = { workers: 1, seed, sample: 1, deadline: Infinity, say };
    const { ran, failures } = await runRefactorings("CLI", { ...choice, only: `CLI/${kind}/stack rename` });
    console.log(`    refactoring: a case of ${kind} (seed ${seed})`);
    assert.equal(ran.length, 1);
    assert.deepEqual(failures, [], said.join("\n"));
  });
});
