import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { crowd } from "../../tests/reliability/load/crowd";
import { quickSeed } from "../../tests/support/seeded-random";
import { withPlatformProcess } from "../../tests/support/platform-process";

describe("local platform: load", () => {
  it("answers 500 concurrent clients, each with its own responses", async () => {
    const seed = quickSeed();
    const outcome = await withPlatformProcess(["--operation-time", "20ms"], (running) =>
      crowd({ ...running, seed, clients: 500, milliseconds: 1_000 }),
    );
    assert.deepEqual(outcome.failures, []);
    assert.ok(outcome.fewest >= 1);
    assert.ok(outcome.changes > 0, `seed ${seed}: nothing was changed`);
    assert.ok(outcome.memory[1] - outcome.memory[0] < 400, `${outcome.memory.join(" → ")} MiB`);
  });
});
