import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { quickSeed, seededRandom } from "../reliability/seeded-random";
import { SlowPlatform } from "../support/slow-platform";
import { operationSample } from "./samples";
import { scriptedClient } from "./scripted-client";

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function assertAtMost(value: number, limit: number, what: string): void {
  assert.ok(value <= limit, `${what}: ${value} > ${limit}`);
}

describe("NeonClient.wait, once an action has been seen", () => {
  it("polls once for operations that take equally long, and notices their end within 2 %", async () => {
    const platform = new SlowPlatform();
    const both = { create_branch: 600, start_compute: 400 };
    for (let count = 0; count < 4; count += 1) await platform.waitFor(both);
    const { lag, polls } = await platform.waitFor(both);
    assertAtMost(lag, 21, "lag");
    assert.equal(polls, 1);
  });

  it("notices the end of operations that vary by 20 % after 5 % of their time, with 4.5 polls, on average", async () => {
    const platform = new SlowPlatform();
    const durations = Array.from({ length: 40 }, (_, index) => 800 + ((index * 137) % 401));
    await platform.waitFor({ start_compute: 1000 });
    const waits: { readonly lag: number; readonly polls: number }[] = [];
    for (const duration of durations) {
      const { lag, polls } = await platform.waitFor({ start_compute: duration });
      waits.push({ lag: lag / duration, polls });
    }
    assertAtMost(mean(waits.map(({ lag }) => lag)), 0.05, "mean lag");
    assertAtMost(mean(waits.map(({ polls }) => polls)), 4.5, "mean of the polls");
  });

  it("takes 13 % longer than two operations of unpredictable length, with twelve polls, on average", async () => {
    const draw = seededRandom(quickSeed());
    const length = (): number => 200 * 25 ** draw();
    const waits: { readonly lag: number; readonly polls: number }[] = [];
    for (let process = 0; process < 60; process += 1) {
      const platform = new SlowPlatform();
      for (let count = 0; count < 5; count += 1) {
        const durations = { create_branch: length(), start_compute: length() };
        const { lag, polls } = await platform.waitFor(durations);
        waits.push({ lag: lag / (durations.create_branch + durations.start_compute), polls });
      }
    }
    assertAtMost(mean(waits.map(({ lag }) => lag)), 0.13, "mean lag");
    assertAtMost(mean(waits.map(({ polls }) => polls)), 12.5, "mean of the polls");
  });

  it("notices the end of a 60-second operation within 5 %, with 15 polls at most", async () => {
    const platform = new SlowPlatform();
    await platform.waitFor({ create_branch: 60_000 });
    const lags: number[] = [];
    for (const duration of [60_000, 66_000, 55_000, 62_000, 58_000]) {
      const { lag, polls } = await platform.waitFor({ create_branch: duration });
      assertAtMost(polls, 15, `polls of ${duration} ms`);
      lags.push(lag / duration);
    }
    assertAtMost(mean(lags), 0.05, "mean lag");
  });

  it("notices within 2 % the end of an operation that takes as long as the only one before", async () => {
    for (const [duration, most] of [
      [700, 8],
      [10_000, 11],
      [60_000, 14],
    ] as const) {
      const platform = new SlowPlatform();
      await platform.waitFor({ create_branch: duration });
      const { lag, polls } = await platform.waitFor({ create_branch: duration });
      assertAtMost(lag / duration, 0.021, `lag of ${duration} ms`);
      assertAtMost(polls, most, `polls of ${duration} ms`);
    }
  });

  it("polls at once for operations that take no time, also for those of actions that it has not seen", async () => {
    const platform = new SlowPlatform();
    for (const action of ["create_timeline", "apply_config", "start_compute", "apply_config"]) {
      const { lag, polls } = await platform.waitFor({ [action]: 1 });
      assertAtMost(lag, 25, `lag of ${action}`);
      assert.equal(polls, 1, `polls of ${action}`);
    }
  });

  it("spreads a few polls over the time before the expected end as long as it knows only one or two durations", async () => {
    const platform = new SlowPlatform();
    await platform.waitFor({ create_branch: 40_000 });
    const { lag, polls } = await platform.waitFor({ create_branch: 1_000 });
    assertAtMost(polls, 4, "polls");
    assertAtMost(lag, 1_100, "lag");
  });

  it("polls once before the expected end if the operations of other actions have taken as long as before", async () => {
    const platform = new SlowPlatform();
    for (const action of ["start_compute", "apply_config"]) {
      for (const duration of [1_000, 1_200]) await platform.waitFor({ [action]: duration });
    }
    await platform.waitFor({ create_branch: 2_000 });
    const { lag, polls } = await platform.waitFor({ create_branch: 2_000 });
    assertAtMost(lag, 50, "lag");
    assertAtMost(polls, 4, "polls");
  });

  it("polls as for an unknown operation if the operations of other actions have not taken as long as before", async () => {
    const platform = new SlowPlatform();
    for (const duration of [300, 3_000]) await platform.waitFor({ start_compute: duration });
    for (const duration of [3_000, 300]) await platform.waitFor({ apply_config: duration });
    await platform.waitFor({ create_branch: 20_000 });
    const { lag } = await platform.waitFor({ create_branch: 3_500 });
    assertAtMost(lag / 3_500, 0.17, "lag");
  });

  it("counts the age of an operation from the end of the one before it", async () => {
    const platform = new SlowPlatform();
    const { lag } = await platform.waitFor({ create_branch: 60_000, start_compute: 8_000 });
    assertAtMost(lag / 8_000, 0.17, "lag");
  });

  it("polls at least every 10 seconds, however long all operations before have taken", async () => {
    const platform = new SlowPlatform();
    for (let count = 0; count < 4; count += 1) await platform.waitFor({ create_branch: 60_000 });
    const { lag } = await platform.waitFor({ create_branch: 50 });
    assertAtMost(lag, 10_000, "lag");
  });

  it("goes on as before when an operation takes much longer than those before", async () => {
    const platform = new SlowPlatform();
    for (let count = 0; count < 4; count += 1) await platform.waitFor({ create_branch: 500 });
    const { lag, polls } = await platform.waitFor({ create_branch: 30_000 });
    assertAtMost(lag, 30_000 * 0.26, "lag");
    assertAtMost(polls, 40, "polls");
  });

  it("learns how long the operations of one request take together", async () => {
    const platform = new SlowPlatform();
    const both = { create_branch: 600, start_compute: 900 };
    await platform.waitFor(both);
    await platform.waitFor(both);
    const { lag, polls } = await platform.waitFor(both);
    assertAtMost(lag, 180, "lag");
    assertAtMost(polls, 6, "polls");
  });

  it("learns from operations of the project that the same list shows", async () => {
    const platform = new SlowPlatform();
    const seen = platform.start({ create_branch: 0, start_compute: 0 });
    assert.equal(seen.length, 2);
    await platform.waitFor({ apply_config: 400, suspend_compute: 400 });
    const { lag, polls } = await platform.waitFor({ create_branch: 1 });
    assertAtMost(lag, 25, "lag");
    assert.equal(polls, 1);
  });

  it("remembers the latest operations that a list shows, not the oldest", async () => {
    const platform = new SlowPlatform();
    for (let count = 0; count < 8; count += 1) await platform.pass({ apply_config: 30_000 });
    for (let count = 0; count < 8; count += 1) await platform.pass({ apply_config: 1_000 });
    await platform.waitFor({ create_branch: 400, start_compute: 400 });
    const { lag, polls } = await platform.waitFor({ apply_config: 1_000 });
    assertAtMost(lag, 100, "lag");
    assertAtMost(polls, 3, "polls");
  });

  it("learns nothing from operations that are skipped", async () => {
    const platform = new SlowPlatform();
    for (let count = 0; count < 3; count += 1) await platform.waitFor({ apply_config: 1_000 });
    for (let count = 0; count < 3; count += 1) await platform.end({ apply_config: 0 }, "skipped");
    const { polls } = await platform.waitFor({ apply_config: 1_000 });
    assertAtMost(polls, 2, "polls");
  });

  it("learns nothing from operations whose timestamps are no time", async () => {
    const noTime = { total_duration_ms: 0, status: "finished", updated_at: "2016-12-31T23:59:60Z" };
    const [short, long] = [operationSample({ id: "short" }), operationSample({ id: "long" })];
    const { client, clock, sent } = scriptedClient(({ path, at }) => {
      const [operation, end] = path.endsWith("short") ? [short, 300] : [long, 6_000];
      return { body: { operation: at < end ? operation : { ...operation, ...noTime } }, takes: 5 };
    });
    await clock.run(client.wait([short]));
    const before = sent.length;
    await clock.run(client.wait([long]));
    assertAtMost(sent.length - before, 25, "polls");
  });

  it("learns nothing from operations that fail", async () => {
    const platform = new SlowPlatform();
    await platform.end({ create_branch: 10 }, "error");
    const { polls } = await platform.waitFor({ create_branch: 200 });
    const other = new SlowPlatform();
    await other.end({ create_branch: 10 }, "skipped");
    const unseen = await other.waitFor({ create_branch: 200 });
    assertAtMost(Math.abs(polls - unseen.polls), 1, "difference of the polls");
  });
});
