import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import sinon from "sinon";
import { systemClock } from "../../api/index";
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
