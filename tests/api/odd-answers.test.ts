import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { users } from "../../api/index";
import { ManualClock } from "../support/clock";
import { scriptedClient } from "./scripted-client";

const user = { id: "u-1", email: "ada@example.com", name: "Ada" };

/** A machine whose calendar can be set to anything. */
class Machine extends ManualClock {
  off = 0;

  override date(): Date {
    return new Date(super.date().getTime() + this.off);
  }
}

describe("api: the platform's time", () => {
  const hour = 3_600_000;

  it("is what its answers say, wherever this machine's calendar jumps meanwhile", async () => {
    const clock = new Machine("2030-01-01T00:00:00Z");
    const headers = { date: "Tue, 01 Jan 2030 05:00:00 GMT", "content-type": "application/json" };
    const { client } = scriptedClient([{ headers, body: user }], { clock });
    assert.equal(
      client.serverClock.now().toISOString(),
      "2030-01-01T00:00:00.000Z",
      "the machine's, while nothing is told",
    );
    const before = client.serverClock.capture();
    await clock.advance(1_000);
    clock.off = -3 * hour;
    await clock.run(client.send(users.me()));
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T05:00:00.000Z");
    assert.equal(before().toISOString(), "2030-01-01T04:59:59.000Z", "a moment before it was told");
    const after = client.serverClock.capture();
    clock.off = 40 * 24 * hour;
    await clock.advance(2_000);
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T05:00:02.000Z");
    assert.equal(after().toISOString(), "2030-01-01T05:00:00.000Z");
  });

  it("is kept for a moment that has passed, whatever later answers say", async () => {
    const clock = new Machine("2030-01-01T00:00:00Z");
    const answers = ["Tue, 01 Jan 2030 05:00:00 GMT", "Tue, 01 Jan 2030 08:00:00 GMT"].map((date) => ({
      headers: { date, "content-type": "application/json" },
      body: user,
    }));
    const { client } = scriptedClient(answers, { clock });
    await clock.run(client.send(users.me()));
    const moment = client.serverClock.capture();
    // The machine has slept, which its clock does not count.
    await clock.run(client.send(users.me()));
    assert.equal(moment().toISOString(), "2030-01-01T05:00:00.000Z");
    assert.equal(client.serverClock.now().toISOString(), "2030-01-01T08:00:00.000Z");
  });
});

describe("api: null in an answer", () => {
  it("stands for what is left out: what need not be there is read without it, what has to be is missing", async () => {
    const body = { ...user, last_name: null, plan: null };
    const { client, clock } = scriptedClient([{ body }, { body: { ...user, email: null } }]);
    assert.deepEqual(await clock.run(client.send(users.me())), user);
    await assert.rejects(clock.run(client.send(users.me())), /email/);
  });

  it("stands for what is left out of a refusal, too", async () => {
    const body = { message: "not allowed", code: null, request_id: null };
    const { client, clock } = scriptedClient([{ status: 403, body }]);
    await assert.rejects(clock.run(client.send(users.me())), /not allowed/);
  });
});
