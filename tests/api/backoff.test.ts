import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";
import { backoffDelay } from "../../api/backoff";
import { operationSample } from "./samples";
import { scriptedClient } from "./scripted-client";

/** Another one: `NEON_TEST_SEED=7 npm test`. */
const seed = Number(process.env["NEON_TEST_SEED"] ?? 20300101);

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randoms(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits for operations that run one after the other and are done after so many milliseconds. */
async function waitFor(milliseconds: number, operations = 1): Promise<{ took: number; looks: readonly number[] }> {
  const begun = Array.from({ length: operations }, (_, index) => operationSample({ id: `operation-${index}` }));
  const { client, clock, sent } = scriptedClient(({ path }) => {
    const seen = begun.map((operation, index) => ({
      ...operation,
      status: clock.now() * operations >= milliseconds * (index + 1) ? "finished" : "running",
    }));
    const single = seen.find(({ id }) => path.endsWith(id));
    return { body: single === undefined ? { operations: seen } : { operation: single } };
  });
  await clock.run(client.wait(begun));
  return { took: clock.now(), looks: sent.map(({ at }) => at) };
}

/** The pauses between two looks, and before the first. */
const pausesOf = (looks: readonly number[]) => looks.map((at, index) => at - (looks[index - 1] ?? 0));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe(`api: pace (seed ${seed})`, () => {
  const random = randoms(seed);
  before(() => sinon.replace(Math, "random", random));
  after(() => sinon.restore());

  it("an operation of 0.2 to 5 s is noticed at most 13 % late on average, 27 % in 95 of 100, with 11 looks", async () => {
    const ratios: number[] = [];
    const looks: number[] = [];
    for (let draw = 0; draw < 1000; draw += 1) {
      const time = 200 * 25 ** random();
      const waited = await waitFor(time);
      ratios.push(waited.took / time);
      looks.push(waited.looks.length);
    }
    const [p95 = Infinity] = ratios.toSorted((one, other) => one - other).slice(949);
    const figures = `mean ${mean(ratios).toFixed(4)}, p95 ${p95.toFixed(4)}, looks ${mean(looks).toFixed(2)}`;
    assert.ok(mean(ratios) <= 1.13 && p95 <= 1.27 && mean(looks) <= 11, figures);
  });

  it("§6.14 a 60-second operation costs at most 40 looks, not 600", async () => {
    for (let draw = 0; draw < 20; draw += 1) {
      const { took, looks } = await waitFor(60_000);
      assert.ok(looks.length <= 40, `${looks.length} looks`);
      assert.ok(took < 65_250, `${took} ms`);
    }
  });

  for (const operations of [1, 2, 30, 100]) {
    it(`no pause is longer than 5.25 s, with ${operations} operations`, async () => {
      const { looks } = await waitFor(300_000, operations);
      assert.ok(Math.max(...pausesOf(looks)) <= 5250, `${Math.max(...pausesOf(looks))} ms`);
    });
  }

  it("the first look at two operations comes after twice the time, since one runs after the other", async () => {
    const [one] = (await waitFor(1000, 1)).looks;
    const [two] = (await waitFor(1000, 2)).looks;
    assert.ok(one !== undefined && two !== undefined);
    assert.ok(one >= 190 && one <= 210, `${one} ms`);
    assert.ok(two >= 380 && two <= 420, `${two} ms`);
  });

  it("the pause follows the age, with 5 % of jitter either way", () => {
    for (const [age, target] of [
      [0, 200],
      [100, 100],
      [190, 45.6],
      [200, 48],
      [1000, 240],
      [10_000, 2400],
      [100_000, 5000],
    ] as const) {
      assert.ok(Math.abs(backoffDelay(age, 1, () => 0.5) - target) < 1e-6, `age ${age}`);
      assert.ok(Math.abs(backoffDelay(age, 1, () => 0) - target * 0.95) < 1e-6, `age ${age}`);
      assert.ok(Math.abs(backoffDelay(age, 1, () => 1) - target * 1.05) < 1e-6, `age ${age}`);
    }
  });

  it("a first look that comes a little early is not followed by another at once", async () => {
    for (let draw = 0; draw < 50; draw += 1) {
      const { looks } = await waitFor(1000);
      assert.ok(Math.min(...pausesOf(looks)) >= 40, `${Math.min(...pausesOf(looks))} ms`);
    }
  });

  it("a wait that is taken up again later goes on at the pace of its age", async () => {
    const running = operationSample();
    const { client, clock, sent } = scriptedClient(() => ({
      body: { operation: { ...running, status: clock.now() >= 160_000 ? "finished" : "running" } },
    }));
    await clock.advance(100_000);
    await clock.run(client.wait([running], { since: 0 }));
    const pauses = pausesOf(sent.map(({ at }) => at)).slice(1);
    assert.ok(Math.min(...pauses) >= 4750, `${Math.min(...pauses)} ms`);
    assert.ok(sent.length <= 14, `${sent.length} looks`);
  });
});
