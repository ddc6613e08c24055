import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { runRounds } from "../reliability/kills";
import { planOf } from "../reliability/kills/plan";
import { quickSeed } from "../reliability/seeded-random";

describe("programs: a process that comes to a sudden end", function () {
  this.timeout(900_000);

  it("loses and doubles nothing while it changes what there is", async () => {
    const seed = quickSeed();
    let round = 1;
    while (planOf(seed, round).verb !== "change") round += 1;
    const { failures, ran } = await runRounds({ seed, deadline: Infinity, say: () => undefined }, [round], 1);
    assert.deepEqual(failures, []);
    assert.equal(ran.length, 1);
  });
});
