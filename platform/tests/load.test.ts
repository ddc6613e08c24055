import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { crowd } from "../../tests/reliability/load/crowd";
import { quickSeed } from "../../tests/reliability/seeded-random";
import { TestPlatform } from "../../tests/support/platform";
import { spawnPlatform } from "../../tests/support/platform-process";

describe("local platform: load", () => {
  let running: Awaited<ReturnType<typeof spawnPlatform>>;
  before(async () => {
    running = await spawnPlatform(["--operation-time", "20ms"]);
  });
  after(async () => {
    await running.platform.close();
  });

  it("answers 500 concurrent clients, each with its own responses", async () => {
    const { child, platform } = running;
    const seed = quickSeed();
    const order = {
      seed,
      platform: new TestPlatform(platform),
      pid: child.pid ?? 0,
      clients: 500,
      milliseconds: 1_000,
    };
    const outcome = await crowd(order);
    assert.deepEqual(outcome.failures, []);
    assert.ok(outcome.fewest >= 1);
    assert.ok(outcome.changes > 0, `seed ${seed}: nothing was changed`);
    assert.ok(outcome.memory[1] - outcome.memory[0] < 400, `${outcome.memory.join(" → ")} MiB`);
  });
});
