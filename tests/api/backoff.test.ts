import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";
import { backoffDelay } from "../../api/core/backoff";
import { seededRandom } from "../support/seeded-random";
import { operationSample } from "./samples";
import { scriptedClient } from "./scripted-client";

/** To use another seed: `NEON_TEST_SEED=7 npm test`. */
const seed = Number(process.env["NEON_TEST_SEED"] ?? 20300101);

interface Waited {
  readonly took: number;
  readonly polls: number;
  /** How long each poll came after the one before, and the first one after the start. */
  readonly delays: readonly number[];
}

/** Waits for operations that run one after the other and take this many milliseconds in total. */
async function waitFor(milliseconds: number, operations = 1): Promise<Waited> {
  const begun = Array.from({ length: operations }, (_, index) => operationSample({ id: `operation-${index}` }));
  const { client, clock, sent } = scriptedClient(({ path }) => {
    const current = begun.map((operation, index) => ({
      ...operation,
      status: clock.now() * operations >= milliseconds * (index + 1) ? "finished" : "running",
    }));
    const single = current.find(({ id }) => path.endsWith(id));
    return { body: single === undefined ? { operations: current } : { operation: single } };
  });
  await clock.run(client.wait(begun));
  return { took: clock.now(), polls: sent.length, delays: delaysOf([{ at: 0 }, ...sent]) };
}

/** How long each poll came after the one before. */
function delaysOf(polls: readonly { readonly at: number }[]): number[] {
  return polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? NaN));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe(`backoffDelay (seed ${seed})`, () => {
  const random = seededRandom(seed);
  before(() => sinon.replace(Math, "random", random));
  after(() => sinon.restore());

  it("detects the end of operations of 0.2 to 5 s with a lag of at most 13 % (mean) and 45 % (p95), in 9.5 polls (mean)", async () => {
    const ratios: number[] = [];
    const polls: number[] = [];
    for (let draw = 0; draw < 1000; draw += 1) {
      const time = 200 * 25 ** random();
      const waited = await waitFor(time);
      ratios.push(waited.took / time);
      polls.push(waited.polls);
    }
    const [p95 = Infinity] = ratios.toSorted((one, other) => one - other).slice(949);
    const figures = `mean ${mean(ratios).toFixed(4)}, p95 ${p95.toFixed(4)}, polls ${mean(polls).toFixed(2)}`;
    assert.ok(mean(ratios) <= 1.13 && p95 <= 1.45 && mean(polls) <= 9.5, figures);
  });

  it("§6.14 polls a 60-second operation at most 45 times", async () => {
    for (let draw = 0; draw < 20; draw += 1) {
      const { took, polls } = await waitFor(60_000);
      assert.ok(polls <= 45, `${polls} polls`);
      assert.ok(took < 65_250, `${took} ms`);
    }
  });

  for (const operations of [1, 2, 30, 100]) {
    it(`never exceeds 5.25 s between polls for ${operations} operations [1.8 polling 3; 1.10 polling interval]`, async () => {
      const { delays } = await waitFor(300_000, operations);
      assert.ok(Math.max(...delays) <= 5250, `${Math.max(...delays)} ms`);
    });
  }

  it("triples the delay before the first poll for two operations", async () => {
    const [one = NaN] = (await waitFor(1000, 1)).delays;
    const [two = NaN] = (await waitFor(1000, 2)).delays;
    assert.ok(Math.abs(one / 150 - 1) <= 0.0501, `${one} ms`);
    assert.ok(Math.abs(two / 450 - 1) <= 0.0501, `${two} ms`);
  });

  it("is a share of the age, with a jitter of ±5 % [1.10 polling interval]", () => {
    for (const [age, target] of [
      [0, 200],
      [100, 100],
      [190, 45.6],
      [200, 48],
      [1000, 240],
      [10_000, 2400],
      [100_000, 5000],
    ] as const) {
      assert.ok(Math.abs(backoffDelay(age, () => 0.5) - target) < 1e-6, `age ${age}`);
      assert.ok(Math.abs(backoffDelay(age, () => 0) - target * 0.95) < 1e-6, `age ${age}`);
      assert.ok(Math.abs(backoffDelay(age, () => 1) - target * 1.05) < 1e-6, `age ${age}`);
    }
  });

  it("depends on the age of the operation, not of the wait", async () => {
    const running = operationSample();
    const { client, clock, sent } = scriptedClient(() => ({
      body: { operation: { ...running, status: clock.now() >= 160_000 ? "finished" : "running" } },
    }));
    await clock.advance(100_000);
    await clock.run(client.wait([running], { since: 0 }));
    const delays = delaysOf(sent);
    assert.ok(Math.min(...delays) >= 4750, `${Math.min(...delays)} ms`);
    assert.ok(sent.length <= 14, `${sent.length} polls`);
  });
});
