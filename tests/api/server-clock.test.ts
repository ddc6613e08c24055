import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { users } from "../../api/index";
import { ManualClock } from "../support/clock";
import { scriptedClient } from "./scripted-client";

const user = { id: "u-1", email: "ada@example.com", name: "Ada" };

/** A machine whose calendar time can jump. */
class Machine extends ManualClock {
  off = 0;

  override date(): Date {
    return new Date(super.date().getTime() + this.off);
  }
}

describe("ServerClock", () => {
  const hour = 3_600_000;

  it("follows the Date headers when the machine's calendar time jumps", async () => {
    const clock = new Machine("2030-01-01T00:00:00Z");
    const headers = { date: "Tue, 01 Jan 2030 05:00:00 GMT", "content-type": "application/json" };
    const { client } = scriptedClient([{ headers, body: user }], { clock });
    assert.equal(
      client.serverClock.now().toISOString(),
      "2030-01-01T00:00:00.000Z",
      "the machine's time before the first response",
    );
    const before = client.serverClock.capture();
    await clock.advance(1_000);
    clock.off = -3 * hour;
    await clock.run(client.send(users.me()));
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T05:00:00.000Z");
    assert.equal(before().toISOString(), "2030-01-01T04:59:59.000Z", "a time before the first response");
    const after = client.serverClock.capture();
    clock.off = 40 * 24 * hour;
    await clock.advance(2_000);
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T05:00:02.000Z");
    assert.equal(after().toISOString(), "2030-01-01T05:00:00.000Z");
  });

  it("keeps a captured time when later responses tell another one", async () => {
    const clock = new Machine("2030-01-01T00:00:00Z");
    const responses = ["Tue, 01 Jan 2030 05:00:00 GMT", "Tue, 01 Jan 2030 08:00:00 GMT"].map((date) => ({
      headers: { date, "content-type": "application/json" },
      body: user,
    }));
    const { client } = scriptedClient(responses, { clock });
    await clock.run(client.send(users.me()));
    const captured = client.serverClock.capture();
    // The machine was suspended, which its monotonic clock does not count.
    await clock.run(client.send(users.me()));
    assert.equal(captured().toISOString(), "2030-01-01T05:00:00.000Z");
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T08:00:00.000Z");
  });

  it("knows from the objects that it has seen created how far timestamps are off", async () => {
    const clock = new ManualClock("2030-01-01T00:00:00Z");
    const { serverClock } = scriptedClient([], { clock }).client;
    serverClock.synchronize("Tue, 01 Jan 2030 05:00:00 GMT");
    const sentAt = serverClock.now();
    const range = () => [serverClock.earliestTimestamp(sentAt), serverClock.latestTimestamp(sentAt)].map(secondsAfter);
    const secondsAfter = (time: number): number => (time - sentAt.getTime()) / 1000;
    assert.deepEqual(range(), [-15, 15], "seconds are allowed as long as nothing was seen");
    await clock.advance(4_000);
    serverClock.learnTimestamp(sentAt.getTime() - 5_000, sentAt);
    assert.deepEqual(range(), [-11, -3], "it appeared at any time in the four seconds");
    serverClock.learnTimestamp(serverClock.now().getTime() - 6_000, serverClock.now());
    assert.deepEqual(range(), [-8, -4], "a fast answer tells more");
    serverClock.learnTimestamp(serverClock.now().getTime() + 60_000, serverClock.now());
    assert.deepEqual(range(), [58, 62], "a clock was set");
  });
});
