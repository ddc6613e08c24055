import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { isFailed, playedCases } from "../reliability/refactoring";
import { real } from "../reliability/refactoring/verdict";
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
    const played = titles.map((title, index) =>
      playedCases({ name: `${kinds[index] ?? ""}/${title}`, lanes: 1, draw, sample: 1, deadline: Infinity, say }, real),
    );
    const verdicts = (await Promise.all(played)).flatMap((one) => one.verdicts);
    console.log(`    refactoring: ${titles.length} cases of ${kinds.join(", ")} (seed ${seed})`);
    assert.equal(verdicts.length, titles.length);
    assert.ok(!verdicts.some(isFailed), said.join("\n"));
  });
});
