import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { quickSeed, seededRandom } from "../support/seeded-random";
import { SlowPlatform } from "../support/slow-platform";

type Waits = readonly { readonly lag: number; readonly polls: number }[];

/** Waits for one operation after the other, of this action. */
async function waitsFor(
  platform: SlowPlatform,
  durations: readonly number[],
  action = "create_branch",
): Promise<Waits> {
  const waits = [];
  for (const duration of durations) waits.push(await platform.waitFor({ [action]: duration }));
  return waits;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function pollsOf(waits: Waits): number {
  return sum(waits.map(({ polls }) => polls));
}

function assertAtMost(value: number, limit: number, what: string): void {
  assert.ok(value <= limit, `${what}: ${value} > ${limit}`);
}

const minute = 60_000;

describe("NeonClient.wait, by the time that operations took last", () => {
  it("polls once for operations that take as long as the last ones", async () => {
    const platform = new SlowPlatform();
    const both = { create_branch: 400, start_compute: 300 };
    await platform.waitFor(both);
    for (let count = 0; count < 3; count += 1) assert.equal((await platform.waitFor(both)).polls, 1);
  });

  it("polls less than five times, and notices the end after 10 % of the time, for operations that vary by 20 %", async () => {
    const platform = new SlowPlatform();
    const draw = seededRandom(quickSeed());
    const durations = Array.from({ length: 200 }, () => 1000 * (0.8 + 0.4 * draw()));
    await platform.waitFor({ create_branch: 1000 });
    const waits = await waitsFor(platform, durations);
    assertAtMost(pollsOf(waits), 5 * durations.length, "polls");
    assertAtMost(sum(waits.map(({ lag }) => lag)), 0.1 * sum(durations), "lag");
  });

  it("polls a minute 45 times if it has seen no such operation, and 15 times if it has", async () => {
    const platform = new SlowPlatform();
    const [unseen, seen] = await waitsFor(platform, [minute, minute]);
    assertAtMost(unseen?.polls ?? NaN, 45, "polls, never seen");
    assertAtMost(seen?.polls ?? NaN, 15, "polls, seen");
    assertAtMost((seen?.lag ?? NaN) / minute, 0.04, "lag, seen");
  });

  it("polls after 0.8, 1.6, 3.2 and 6.4 s and every 5 s, however long the last operation took", async () => {
    const ends = { 700: 1, 1500: 2, 3100: 3, 6300: 4, 11_300: 5, 16_300: 6 };
    for (const [duration, polls] of Object.entries(ends)) {
      const platform = new SlowPlatform();
      await platform.waitFor({ create_branch: minute });
      assert.equal((await platform.waitFor({ create_branch: Number(duration) })).polls, polls, `${duration} ms`);
    }
  });

  it("backs off again if operations take much longer than the last ones", async () => {
    const [, long] = await waitsFor(new SlowPlatform(), [500, minute]);
    assertAtMost(long?.polls ?? NaN, 65, "polls");
  });

  it("starts the backoff again for the next operation of a request", async () => {
    const { lag } = await new SlowPlatform().waitFor({ create_branch: minute, start_compute: 8_000 });
    assertAtMost(lag, 8_000 * 0.14, "lag");
  });

  it("remembers operations of one request together, apart from single ones", async () => {
    const platform = new SlowPlatform();
    await platform.waitFor({ create_branch: 300, start_compute: 400 });
    const [single] = await waitsFor(platform, [700]);
    assert.equal((await platform.waitFor({ start_compute: 100, create_branch: 600 })).polls, 1);
    assertAtMost(4, single?.polls ?? NaN, "least polls of a single operation");
  });

  it("polls at once for actions that it has not seen where other operations take no time", async () => {
    const platform = new SlowPlatform();
    await platform.waitFor({ create_timeline: 1 });
    for (const action of ["create_branch", "apply_config", "apply_config"]) {
      const { lag, polls } = await platform.waitFor({ [action]: 1 });
      assert.equal(polls, 1, `polls of ${action}`);
      assertAtMost(lag, 25, `lag of ${action}`);
    }
  });

  it("polls at once for operations that took no time the last time", async () => {
    const platform = new SlowPlatform();
    const both = { create_branch: 0, start_compute: 0 };
    await platform.waitFor(both);
    assertAtMost((await platform.waitFor(both)).lag, 25, "lag");
  });

  for (const status of ["skipped", "error"]) {
    it(`learns nothing from operations that end as ${status}`, async () => {
      const platform = new SlowPlatform();
      await platform.waitFor({ create_branch: 700 });
      await platform.waitFor({ create_branch: 10 }, status);
      assert.equal((await platform.waitFor({ create_branch: 700 })).polls, 1);
    });
  }

  describe("at a platform that notes an end when it is first read", () => {
    for (const [count, duration, polls] of [
      [60, 100, 2],
      [200, 700, 2],
      [30, 10_000, 7],
    ] as const) {
      it(`notices the end of the last of ${count} operations of ${duration} ms within 5 %`, async () => {
        const platform = new SlowPlatform((_, age) => ({ total_duration_ms: Math.round(age) }));
        const last = (await waitsFor(platform, Array<number>(count).fill(duration))).slice(-10);
        assertAtMost(sum(last.map(({ lag }) => lag)), 10 * Math.max(duration * 0.05, 20), "lag");
        assertAtMost(pollsOf(last), 10 * polls, "polls");
      });
    }
  });

  for (const duration of [400, 900, 1_400, 3_000]) {
    it(`polls once for operations of ${duration} ms at a platform whose timestamps have whole seconds`, async () => {
      const inSeconds = (time: string): string => `${time.slice(0, 19)}Z`;
      const platform = new SlowPlatform(({ created_at, updated_at }) => ({
        created_at: inSeconds(created_at),
        updated_at: inSeconds(updated_at),
      }));
      const waits = await waitsFor(platform, Array<number>(20).fill(duration));
      // Where the operations take longer than 0.8 s, polls before the expected end find out whether they take much less.
      assert.equal(waits.at(-1)?.polls, [800, 1_600].filter((age) => age < duration).length + 1);
      assertAtMost(sum(waits.slice(1).map(({ lag }) => lag)), 19 * duration * 0.05, "lag");
    });
  }

  it("polls hardly more often for an operation of a minute after one of 0.2 s than where none was seen", async () => {
    const [, late] = await waitsFor(new SlowPlatform(), [200, minute]);
    const [unseen] = await waitsFor(new SlowPlatform(), [minute]);
    assertAtMost(late?.polls ?? NaN, (unseen?.polls ?? NaN) + 12, "polls");
  });

  describe("at a platform whose durations are wrong", () => {
    const duration = 3_000;
    for (const [what, total_duration_ms] of [
      ["missing", undefined],
      ["zero", 0],
      ["negative", -1],
      ["much too long", 1e12],
    ] as const) {
      it(`relies on its own polls if they are ${what}`, async () => {
        const platform = new SlowPlatform(() => ({ total_duration_ms }));
        const waits = await waitsFor(platform, Array<number>(20).fill(duration));
        assertAtMost(pollsOf(waits.slice(1)), 19 * 5, "polls");
        assertAtMost(sum(waits.map(({ lag }) => lag)), 20 * duration * 0.08, "lag");
      });
    }
  });
});
