import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRefactorings } from "../reliability/refactoring";
import { quickSeed, sampleOf, seededRandom } from "../reliability/seeded-random";
import { samples } from "../support/samples";

/** Refactorings of which the real CLI does the most itself, each with a kind of its own. */
const titles = ["state rename", "stack rename", "default provider to an explicit one"];

describe("programs: refactorings", function () {
  this.timeout(600_000);

  it("leave alone what the stack does not manage, and say nothing false", async () => {
    const seed = quickSeed();
    const draw = seededRandom(seed);
    const kinds = sampleOf(Object.values(samples), titles.length, draw).map(({ kind }) => kind);
    const said: string[] = [`seed ${seed}`];
    const say = (line: string): void => void said.push(line);
    const choice = { workers: 1, seed, draw, sample: 1, deadline: Infinity, say };
    const all = await Promise.all(
      titles.map((title, index) => runRefactorings("CLI", { ...choice, only: `CLI/${kinds[index] ?? ""}/${title}` })),
    );
    console.log(`    refactoring: ${titles.length} cases of ${kinds.join(", ")} (seed ${seed})`);
    assert.equal(all.flatMap(({ ran }) => ran).length, titles.length);
    assert.deepEqual(
      all.flatMap(({ failures }) => failures),
      [],
      said.join("\n"),
    );
  });
});
