import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { runRounds } from "../../tests/reliability/durability";
import { quickSeed } from "../../tests/support/seeded-random";

describe("local platform: durability", () => {
  it("kill -9 under load loses no acknowledged change and leaves no partial one", async () => {
    const seed = quickSeed();
    const say = (): void => undefined;
    const { counts, failures } = await runRounds({
      seed,
      kills: 3,
      clients: 6,
      longestMs: 800,
      deadline: Infinity,
      say,
    });
    assert.deepEqual(failures, []);
    assert.ok(Number(counts["kills"]) >= 3);
    assert.ok(Number(counts["acknowledged changes"]) > 0, `seed ${seed}: nothing was acknowledged`);
  });
});
