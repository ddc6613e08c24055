import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { planned, rounds } from "../reliability/kills";
import type { Verb } from "../reliability/kills/plan";
import { quickSeed } from "../reliability/seeded-random";

describe("programs: a process that comes to a sudden end", function () {
  this.timeout(900_000);

  it("loses and doubles nothing, whenever that is", async () => {
    const seed = quickSeed();
    const first = (verb: Verb): number => {
      for (let round = 1; ; round += 1) if (planned(seed, round).verb === verb) return round;
    };
    const numbers = [first("make"), first("change")].values();
    const { failures, counts } = await rounds({ seed, deadline: Infinity, say: () => undefined, numbers, lanes: 1 });
    assert.deepEqual(failures, []);
    assert.equal(counts["rounds"], 2);
  });
});
