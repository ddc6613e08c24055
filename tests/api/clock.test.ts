import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import sinon from "sinon";
import { systemClock } from "../../api/index";
import { endless, ManualClock, settled } from "../support/clock";
import { errorOf } from "./scripted-client";

const stop = new Error("stopped");

describe("systemClock", () => {
  let time: sinon.SinonFakeTimers;
  beforeEach(() => {
    time = sinon.useFakeTimers({ now: Date.parse("2030-01-01T00:00:00Z"), shouldClearNativeTimers: true });
  });
  afterEach(() => time.restore());

  it("returns the calendar time and measures durations", () => {
    assert.equal(systemClock.date().toISOString(), "2030-01-01T00:00:00.000Z");
    const before = systemClock.now();
    time.tick(1234);
    assert.equal(systemClock.now() - before, 1234);
  });

  it("resolves a sleep after its duration", async () => {
    const state = { awake: false };
    void systemClock.sleep(1000).then(() => (state.awake = true));
    await time.tickAsync(999);
    assert.equal(state.awake, false);
    await time.tickAsync(1);
    assert.equal(state.awake, true);
  });

  it("rejects a sleep when its signal fires, and clears the timer", async () => {
    const controller = new AbortController();
    const failed = errorOf(systemClock.sleep(1000, controller.signal));
    assert.equal(time.countTimers(), 1);
    controller.abort(stop);
    assert.equal(await failed, stop);
    assert.equal(time.countTimers(), 0);
  });

  it("rejects a sleep immediately if its signal has already fired", async () => {
    assert.equal(await errorOf(systemClock.sleep(1000, AbortSignal.abort(stop))), stop);
    assert.equal(time.countTimers(), 0);
  });

  it("removes its listener from a signal that did not fire", async () => {
    const { signal } = new AbortController();
    const added = sinon.spy(signal, "addEventListener");
    const removed = sinon.spy(signal, "removeEventListener");
    const slept = systemClock.sleep(1000, signal);
    await time.tickAsync(1000);
    await slept;
    assert.equal(added.callCount, 1);
    assert.deepEqual(removed.firstCall.args.slice(0, 2), added.firstCall.args.slice(0, 2));
  });

  for (const days of [90, Infinity]) {
    it(`sleeps longer than the longest timer: ${days} days`, async () => {
      const state = { awake: false };
      const controller = new AbortController();
      const slept = systemClock.sleep(days * 86_400_000, controller.signal).then(
        () => (state.awake = true),
        () => undefined,
      );
      await time.tickAsync(89 * 86_400_000);
      assert.equal(state.awake, false);
      await time.tickAsync(86_400_000);
      assert.equal(state.awake, days === 90);
      controller.abort(stop);
      await slept;
      assert.equal(time.countTimers(), 0);
    });
  }
});

describe("ManualClock of the tests", () => {
  it("resolves sleeps in order, each at its time", async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const sleep = async (name: string, ...times: readonly number[]) => {
      for (const time of times) {
        await clock.sleep(time);
        told.push(`${name} ${clock.now()}`);
      }
    };
    const all = [sleep("a", 300, 100), sleep("b", 100, 150, 1000), sleep("c", 100)];
    await clock.advance(500);
    assert.deepEqual(told, ["b 100", "c 100", "b 250", "a 300", "a 400"]);
    assert.equal(clock.now(), 500);
    assert.equal(clock.date().toISOString(), "2030-01-01T00:00:00.500Z");
    assert.deepEqual(clock.sleeps, [300, 100, 100, 150, 1000, 100]);
    assert.equal(clock.sleeping, 1);
    await clock.run(Promise.all(all));
    assert.equal(clock.now(), 1250);
  });

  it("runs until a promise settles", async () => {
    const clock = new ManualClock();
    void clock.sleep(5000);
    assert.equal(await clock.run(clock.sleep(10).then(() => "done")), "done");
    assert.equal(clock.now(), 10);
    assert.equal(await clock.run(errorOf(clock.sleep(10).then(() => Promise.reject(stop)))), stop);
    assert.equal(clock.now(), 20);
  });

  it("ignores endless sleeps", async () => {
    const clock = new ManualClock();
    void clock.sleep(endless);
    const socket = (async () => {
      for (let turn = 0; turn < 5; turn += 1) await settled();
    })();
    await clock.run(socket);
    assert.equal(clock.now(), 0);
  });

  it("rejects a sleep when its signal fires", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const failed = errorOf(clock.sleep(1000, controller.signal));
    controller.abort(stop);
    assert.equal(await failed, stop);
    assert.equal(clock.sleeping, 0);
    assert.equal(await errorOf(clock.sleep(1000, AbortSignal.abort(stop))), stop);
  });
});
