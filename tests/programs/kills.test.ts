import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { planned, runRounds } from "../reliability/kills";
import type { Verb } from "../reliability/kills/plan";
import { quickSeed } from "../reliability/seeded-random";

describe("programs: a process that comes to a sudden end", function () {
  this.timeout(900_000);

  it("loses and doubles nothing, whenever that is", async () => {
    const seed = quickSeed();
    const first = (verb: Verb): number => {
      for (let round = 1; ; round += 1) if (planned(seed, round).verb === verb) return round;
    };
    const run = { seed, deadline: Infinity, say: () => undefined };
    const { failures, ran } = await runRounds(run, [first("make"), first("change")], 1);
    assert.deepEqual(failures, []);
    assert.equal(ran.length, 2);
  });
});
