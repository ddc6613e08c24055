import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRefactorings } from "../reliability/refactoring";
import { pick, quickSeed, seededRandom } from "../support/seeded-random";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";

describe("programs: refactorings", function () {
  this.timeout(600_000);

  // The long run carries out all refactorings.
  it("renaming a stack changes no object that the stack does not manage, and no message is false", async () => {
    const seed = quickSeed();
    const kind = pick(everySample.map(titleOf), seededRandom(seed)) ?? assert.fail();
    const run = { workers: 1, seed, deadline: Infinity, only: `${kind}/stack rename`, say: () => undefined };
    const { ran, failures } = await runRefactorings(run);
    assert.deepEqual([ran.length, failures], [1, []]);
  });
});
