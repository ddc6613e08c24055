import { describe, it } from "mocha";
import assert from "node:assert/strict";
import {
  HttpError,
  type Operation,
  OperationFailedError,
  OperationTimeoutError,
  PlatformError,
  type WaitOptions,
} from "../../api/index";
import { operationSample } from "./samples";
import { type Answer, errorOf, scriptedClient, type ScriptedClient, type Sent, systemFault } from "./scripted-client";

const running = operationSample();
const other = operationSample({ id: "22222222-2222-4222-8222-222222222222", action: "apply_config" });
const elsewhere = operationSample({ id: "33333333-3333-4333-8333-333333333333", project_id: "dry-sun-111111" });
const finished = (operation: Operation) => ({ ...operation, status: "finished" });
const whatHasCome = "Look what has come of it before you ask for it again.";
const itGoesOn = "It goes on: wait for it again.";
const notFound: Answer = { status: 404, body: { code: "", message: "operation not found" } };

const isList = ({ path }: Sent) => /\/operations(\?|$)/.test(path);
const pathsOf = (sent: readonly Sent[]) => sent.map(({ path }) => path.replace(/\?.*/, ""));
const pathOf = ({ project_id, id }: Operation) => `/projects/${project_id}/operations/${id}`;
const listPathOf = ({ project_id }: Operation) => `/projects/${project_id}/operations`;

/** A platform whose operations are as a function of the time says; unknown ones answer 404. */
function platformOf(operationsAt: (milliseconds: number) => readonly Operation[]): ScriptedClient {
  const made: ScriptedClient = scriptedClient((request) => {
    const project = /^\/projects\/([^/]+)/.exec(request.path)?.[1];
    const all = operationsAt(made.clock.now()).filter(({ project_id }) => project_id === project);
    if (isList(request)) return { body: { operations: all } };
    const one = all.find(({ id }) => request.path.endsWith(id));
    return one === undefined ? notFound : { body: { operation: one } };
  });
  return made;
}

/** A platform whose only operation has another status from each of these times on. */
function statuses(timeline: readonly (readonly [from: number, members: Partial<Operation>])[]): ScriptedClient {
  return platformOf((now) => [{ ...running, ...timeline.findLast(([from]) => from <= now)?.[1] }]);
}

/** The error that a wait ends with, and when. */
async function failureOf(
  { client, clock }: ScriptedClient,
  options: WaitOptions = {},
  operations: readonly Operation[] = [running],
): Promise<{ error: Error; at: number }> {
  const error = await clock.run(errorOf(client.wait(operations, options)));
  return { error, at: clock.now() };
}

function isBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value} is not between ${least} and ${most}`);
}

describe("api: waiting for operations", () => {
  describe("what ends a wait", () => {
    for (const status of ["finished", "skipped"]) {
      it(`${status}: done`, async () => {
        const { client, clock, sent } = statuses([[1000, { status }]]);
        await clock.run(client.wait([running]));
        isBetween(clock.now(), 1000, 1310);
        assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      });
    }

    for (const status of ["cancelled", "error"]) {
      it(`${status}: a failure, with the operation, its failures and the platform's words`, async () => {
        const platform = statuses([[1000, { status, failures_count: 3, error: "no capacity left" }]]);
        const { error, at } = await failureOf(platform);
        assert.ok(OperationFailedError.isInstance(error));
        assert.equal(
          error.message,
          `Operation ${running.id} (start_compute) ended as ${status} (failures: 3): no capacity left. ${whatHasCome}`,
        );
        assert.equal(error.operation.status, status);
        isBetween(at, 1000, 1310);
      });

      it(`${status} without a reason is a whole sentence, too`, async () => {
        for (const reason of [undefined, ""]) {
          const { error } = await failureOf(
            statuses([[0, { status, ...(reason === undefined ? {} : { error: reason }) }]]),
          );
          assert.equal(
            error.message,
            `Operation ${running.id} (start_compute) ended as ${status} (failures: 0). ${whatHasCome}`,
          );
        }
      });
    }

    for (const status of ["scheduling", "running", "cancelling"]) {
      it(`${status} goes on to the deadline`, async () => {
        const platform = statuses([[0, { status }]]);
        const { error, at } = await failureOf(platform, { deadline: 30_000 });
        assert.ok(OperationTimeoutError.isInstance(error));
        assert.equal(
          error.message,
          `Not done within 30 s: operation ${running.id} (start_compute) was ${status}. ${itGoesOn}`,
        );
        assert.equal(at, 30_000);
        assert.equal(platform.sent.at(-1)?.at, 30_000);
      });
    }

    it("a status that nobody knows is pending until the deadline, and then named", async () => {
      const ends = statuses([
        [0, { status: "hibernating" }],
        [5000, { status: "finished" }],
      ]);
      await ends.clock.run(ends.client.wait([running]));
      const { error } = await failureOf(statuses([[0, { status: "hibernating" }]]), { deadline: 30_000 });
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.match(error.message, /was hibernating\. /);
      assert.equal(error.operations[0]?.status, "hibernating");
    });

    it("ten minutes, unless a deadline is given", async () => {
      const { error, at } = await failureOf(statuses([]));
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.equal(at, 600_000);
      assert.match(error.message, /^Not done within 600 s: /);
    });

    it("an operation that ends at the deadline has ended in time", async () => {
      const { client, clock } = statuses([[30_000, { status: "finished" }]]);
      await clock.run(client.wait([running], { deadline: 30_000 }));
      assert.equal(clock.now(), 30_000);
    });

    it("a wait that begins after its deadline fails at once, with what was last known", async () => {
      const platform = statuses([]);
      await platform.clock.advance(1000);
      const { error, at } = await failureOf(platform, { deadline: 500 });
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.equal(at, 1000);
      assert.equal(platform.sent.length, 0);
    });

    it("all of several operations are named that were not done at the deadline", async () => {
      const { error } = await failureOf(
        platformOf((now) => [now < 1000 ? running : finished(running), other, operationSample({ id: "third" })]),
        { deadline: 20_000 },
        [running, other, operationSample({ id: "third" })],
      );
      assert.equal(
        error.message,
        `Not done within 20 s: operation ${other.id} (apply_config) was running; operation third (start_compute) was running. ${itGoesOn}`,
      );
    });

    it("one of several that fails ends the wait at once", async () => {
      const platform = platformOf((now) => [running, now < 2000 ? other : { ...other, status: "error" }]);
      const { error, at } = await failureOf(platform, {}, [running, other]);
      assert.ok(OperationFailedError.isInstance(error) && error.operation.id === other.id);
      isBetween(at, 2000, 2610);
      const { length } = platform.sent;
      await platform.clock.advance(60_000);
      assert.equal(platform.sent.length, length);
    });
  });

  describe("what needs no request", () => {
    it("no operations at all", async () => {
      const { client, sent } = statuses([]);
      await client.wait([]);
      assert.equal(sent.length, 0);
    });

    it("operations that have ended already", async () => {
      const { client, sent } = statuses([]);
      await client.wait([finished(running), { ...other, status: "skipped" }]);
      assert.equal(sent.length, 0);
    });

    it("an operation that has failed already", async () => {
      const { client, sent } = statuses([]);
      const error = await errorOf(client.wait([running, { ...other, status: "cancelled" }]));
      assert.ok(OperationFailedError.isInstance(error) && error.operation.id === other.id);
      assert.equal(sent.length, 0);
    });
  });

  describe("`failed` is not final", () => {
    const failed = (failures: number, updated = 0) => ({
      status: "failed",
      failures_count: failures,
      error: "compute did not start",
      updated_at: `2030-01-01T00:00:${String(updated).padStart(2, "0")}Z`,
    });

    it("what finishes later has succeeded", async () => {
      const { client, clock } = statuses([
        [500, failed(1)],
        [12_000, { status: "running" }],
        [14_000, { status: "finished" }],
      ]);
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 14_000, 18_000);
    });

    it("without another try it is given up after 15 s, and says for how long", async () => {
      const { error, at } = await failureOf(statuses([[1000, failed(2)]]));
      assert.ok(OperationFailedError.isInstance(error));
      isBetween(at, 16_000, 22_000);
      assert.match(
        error.message,
        new RegExp(
          `^Operation ${running.id} \\(start_compute\\) stayed failed for 1[5-9]\\.?\\d* s \\(failures: 2\\): compute did not start\\. ${whatHasCome}$`,
        ),
      );
    });

    for (const [what, movement] of [
      ["failures_count", (step: number) => failed(step + 1)],
      ["updated_at", (step: number) => failed(1, step)],
    ] as const) {
      it(`as long as ${what} moves it goes on, but not beyond 60 s`, async () => {
        const tries = Array.from({ length: 40 }, (_, step) => [1000 + 9000 * step, movement(step)] as const);
        const { error, at } = await failureOf(statuses(tries));
        assert.ok(OperationFailedError.isInstance(error));
        isBetween(at, 61_000, 67_000);
      });

      it(`when ${what} stops moving it is given up 15 s later`, async () => {
        const tries = Array.from({ length: 3 }, (_, step) => [1000 + 9000 * step, movement(step)] as const);
        const { error, at } = await failureOf(statuses(tries));
        assert.ok(OperationFailedError.isInstance(error));
        isBetween(at, 34_000, 45_000);
      });
    }

    it("an operation that left `failed` starts afresh", async () => {
      const { client, clock } = statuses(
        [
          ...Array.from({ length: 12 }, (_, step) => [12_000 * step, failed(step + 1, step)] as const),
          ...Array.from({ length: 12 }, (_, step) => [12_000 * step + 6000, { status: "running" }] as const),
          [150_000, { status: "finished" }] as const,
        ].sort(([one], [another]) => one - another),
      );
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 150_000, 155_250);
    });

    it("both times can be set", async () => {
      const quiet = await failureOf(statuses([[0, failed(1)]]), { quietGrace: 2000 });
      isBetween(quiet.at, 2000, 2900);
      const tries = Array.from({ length: 40 }, (_, step) => [200 * step, failed(step + 1)] as const);
      const moving = await failureOf(statuses(tries), { quietGrace: 2000, failedGrace: 4000 });
      isBetween(moving.at, 4000, 5500);
    });

    it("never goes on beyond the deadline", async () => {
      const { error, at } = await failureOf(statuses([[0, failed(1)]]), { deadline: 5000 });
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.match(error.message, /was failed\. /);
      assert.equal(at, 5000);
    });
  });

  describe("looks that show nothing", () => {
    it("an operation that is not registered yet is waited for", async () => {
      const { client, clock, sent } = platformOf((now) =>
        now < 5000 ? [] : [now < 8000 ? running : finished(running)],
      );
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 8000, 10_500);
      assert.ok(sent.filter(({ at }) => at < 5000).length >= 5);
    });

    it("§6.2 an operation that answers 404 for ever is not polled for ever: it is named", async () => {
      const platform = platformOf(() => []);
      const { error, at } = await failureOf(platform);
      assert.ok(PlatformError.isInstance(error));
      assert.equal(error.kind, "operation-unknown");
      assert.equal(
        error.message,
        `The platform does not know operation ${running.id} (start_compute) of project ${running.project_id}, which was running when last seen. ${whatHasCome}`,
      );
      isBetween(at, 5000, 15_000);
      assert.ok(platform.sent.length <= 30, `${platform.sent.length} requests`);
    });

    it("each operation has its own patience: one that is unknown does not hide in a list of others", async () => {
      const { error, at } = await failureOf(
        platformOf(() => [other]),
        {},
        [running, other],
      );
      assert.ok(PlatformError.isInstance(error));
      assert.equal(error.kind, "operation-unknown");
      assert.match(error.message, new RegExp(running.id));
      isBetween(at, 5000, 16_000);
    });

    it("a single 404 between two sights counts for nothing", async () => {
      const { client, clock } = platformOf((now) => {
        if (now > 60_000) return [finished(running)];
        return Math.floor(now / 4000) % 2 === 0 ? [running] : [];
      });
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 60_000, 70_000);
    });

    for (const status of [400, 401, 403]) {
      it(`a ${status} ends the wait at once`, async () => {
        const platform = scriptedClient([{ status, body: { message: "no" } }]);
        const { error, at } = await failureOf(platform);
        assert.ok(HttpError.isInstance(error) && error.status === status);
        assert.equal(platform.sent.length, 1);
        isBetween(at, 190, 210);
      });
    }

    for (const [what, answer] of [
      ["a 500", { status: 500, body: { message: "broken" } }],
      ["a 502", { status: 502 }],
      ["a 503", { status: 503 }],
      ["a 423", { status: 423 }],
      ["a 429", { status: 429 }],
      ["a gateway's page", { status: 524, body: "<html>" }],
      ["a reset", { fault: systemFault("ECONNRESET") }],
      ["a refused connection", { fault: systemFault("ECONNREFUSED", "connect") }],
    ] as const) {
      it(`${what} uses up the deadline and nothing else`, async () => {
        const back: ScriptedClient = scriptedClient(() =>
          back.clock.now() < 120_000 ? answer : { body: { operation: finished(running) } },
        );
        await back.clock.run(back.client.wait([running]));
        isBetween(back.clock.now(), 120_000, 126_000);

        const gone = scriptedClient([answer]);
        const { error, at } = await failureOf(gone, { deadline: 60_000 });
        assert.ok(OperationTimeoutError.isInstance(error));
        assert.equal(at, 60_000);
        assert.match(error.message, /was running\. Last fault: GET \/projects\/.*\S$/);
        assert.ok(PlatformError.isInstance(error.cause));
        assert.ok(gone.sent.length <= 40, `${gone.sent.length} requests`);
      });
    }

    it("a fault that is over is not blamed at the deadline", async () => {
      const platform: ScriptedClient = scriptedClient(() =>
        platform.clock.now() < 10_000 ? { status: 500 } : { body: { operation: running } },
      );
      const { error } = await failureOf(platform, { deadline: 60_000 });
      assert.doesNotMatch(error.message, /fault/);
      assert.equal(error.cause, undefined);
    });

    it("an attempt that hangs costs its time-out, not the wait", async () => {
      const { client, clock, sent } = scriptedClient(
        ({ at }) => (at < 1000 ? { takes: 1_000_000 } : { body: { operation: finished(running) } }),
        { attemptTimeout: 30_000 },
      );
      await clock.run(client.wait([running]));
      assert.equal(sent.length, 2);
      isBetween(clock.now(), 30_000, 36_000);
    });

    it("a rate limit that is exceeded for longer than the deadline does not prolong the wait", async () => {
      const platform = scriptedClient([{ status: 429, headers: { "retry-after": "3600" } }]);
      const { error, at } = await failureOf(platform, { deadline: 60_000 });
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.equal(at, 60_000);
      assert.equal(platform.sent.length, 1);
      assert.match(error.message, /Last fault: .*rate limit/);
    });
  });

  describe("how many requests a look costs", () => {
    const after = (milliseconds: number, ...operations: readonly Operation[]) =>
      platformOf((now) => operations.map((operation) => (now < milliseconds ? operation : finished(operation))));
    /** The times at which something was sent, without repetitions. */
    const looksOf = (sent: readonly Sent[]) => new Set(sent.map(({ at }) => at)).size;

    it("one operation: it is fetched", async () => {
      const { client, clock, sent } = after(3000, running);
      await clock.run(client.wait([running]));
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      assert.equal(looksOf(sent), sent.length);
    });

    it("two operations of one project: one list, whatever else the project does", async () => {
      const { client, clock, sent } = after(3000, running, other, operationSample({ id: "somebody-else-s" }));
      await clock.run(client.wait([running, other]));
      assert.ok(sent.length > 3);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([listPathOf(running)]));
      assert.equal(looksOf(sent), sent.length);
    });

    it("when one of the two is left, it is fetched", async () => {
      const { client, clock, sent } = platformOf((now) => [
        now < 2000 ? running : finished(running),
        now < 4000 ? other : finished(other),
      ]);
      await clock.run(client.wait([running, other]));
      assert.deepEqual(new Set(pathsOf(sent.filter(({ at }) => at < 2000))), new Set([listPathOf(other)]));
      assert.deepEqual(new Set(pathsOf(sent.filter(({ at }) => at > 2700))), new Set([pathOf(other)]));
      assert.equal(looksOf(sent), sent.length);
    });

    it("an operation that the list leaves out is fetched: absence from a list proves nothing", async () => {
      const { client, clock, sent } = scriptedClient((request) =>
        isList(request)
          ? { body: { operations: [finished(running)], pagination: { cursor: "2030-01-01T00:00:00Z" } } }
          : { body: { operation: finished(other) } },
      );
      await clock.run(client.wait([running, other]));
      assert.equal(pathsOf(sent).at(-1), pathOf(other));
    });

    it("a list that is not found is not the end of it: each operation is fetched", async () => {
      const { client, clock, sent } = scriptedClient((request) => {
        if (isList(request)) return notFound;
        return { body: { operation: finished(request.path.endsWith(running.id) ? running : other) } };
      });
      await clock.run(client.wait([running, other]));
      assert.deepEqual(pathsOf(sent), [listPathOf(running), pathOf(running), pathOf(other)]);
    });

    it("a list is read no further than the last operation that is looked for", async () => {
      const { client, clock, sent } = scriptedClient([
        { body: { operations: [finished(running), finished(other)], pagination: { cursor: "x" } } },
      ]);
      await clock.run(client.wait([running, other]));
      assert.equal(sent.length, 1);
    });

    it("a list is read no further than the oldest operation that is waited for", async () => {
      const pageOf = (from: number) =>
        Array.from({ length: 100 }, (_, index) =>
          operationSample({
            id: `o-${from + index}`,
            created_at: new Date(1e12 - 1000 * (from + index)).toISOString(),
          }),
        );
      const { client, clock, sent } = scriptedClient((request) => {
        if (!isList(request))
          return { body: { operation: finished({ ...running, id: request.path.split("/")[4] ?? "" }) } };
        const from = Number(/cursor=(\d+)/.exec(request.path)?.[1] ?? 0);
        return { body: { operations: pageOf(from), pagination: { cursor: `${from + 100}` } } };
      });
      const [first] = pageOf(0);
      assert.ok(first);
      const missing = operationSample({ id: "missing", created_at: new Date(1e12 - 150_000).toISOString() });
      await clock.run(client.wait([first, missing], { deadline: 410 })).catch(() => undefined);
      assert.equal(sent.filter(isList).filter(({ at }) => at === sent[0]?.at).length, 2);
    });

    it("two waits for one project share their looks", async () => {
      const { client, clock, sent } = after(10_000, running, other);
      await clock.run(Promise.all([client.wait([running]), client.wait([other])]));
      const together = looksOf(sent);
      assert.equal(sent.length, together);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([listPathOf(running)]));
      const alone = after(10_000, running);
      await alone.clock.run(alone.client.wait([running]));
      isBetween(together, alone.sent.length * 0.7, alone.sent.length * 1.5);
    });

    it("two waits for one and the same operation cost what one costs", async () => {
      const { client, clock, sent } = after(5000, running);
      await clock.run(Promise.all([client.wait([running]), client.wait([running])]));
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      assert.equal(looksOf(sent), sent.length);
    });

    it("a wait that comes later looks early, although the first one's next look is far off", async () => {
      const { client, clock, sent } = platformOf((now) => [
        now < 200_000 ? running : finished(running),
        now < 101_000 ? other : finished(other),
      ]);
      const long = client.wait([running]);
      await clock.advance(100_000);
      const { length } = sent;
      await clock.run(client.wait([other]));
      isBetween(clock.now(), 101_000, 101_400);
      isBetween((sent[length]?.at ?? 0) - 100_000, 0, 210);
      await clock.run(long);
      isBetween(clock.now(), 200_000, 205_250);
    });

    it("a wait that comes while a look is under way is not forgotten", async () => {
      const platform: ScriptedClient = scriptedClient((request) => ({
        takes: 1000,
        body: isList(request)
          ? { operations: [finished(running), finished(other)] }
          : { operation: finished(request.path.endsWith(running.id) ? running : other) },
      }));
      const first = platform.client.wait([running]);
      await platform.clock.advance(500);
      const second = platform.client.wait([other]);
      await platform.clock.run(Promise.all([first, second]));
      isBetween(platform.clock.now(), 2000, 2500);
    });

    it("the failure of one wait leaves the others alone", async () => {
      const { client, clock } = platformOf((now) => [
        now < 1000 ? running : { ...running, status: "error" },
        now < 5000 ? other : finished(other),
      ]);
      const [failed, done] = await clock.run(Promise.allSettled([client.wait([running]), client.wait([other])]));
      assert.equal(failed.status, "rejected");
      assert.equal(done.status, "fulfilled");
      isBetween(clock.now(), 5000, 6310);
    });

    it("the deadline of one wait leaves the others alone", async () => {
      const { client, clock } = platformOf((now) => [running, now < 20_000 ? other : finished(other)]);
      const [late, done] = await clock.run(
        Promise.allSettled([client.wait([running], { deadline: 5000 }), client.wait([other])]),
      );
      assert.ok(late.status === "rejected" && OperationTimeoutError.isInstance(late.reason));
      assert.equal(done.status, "fulfilled");
    });

    it("different projects share nothing", async () => {
      const { client, clock, sent } = after(3000, running, elsewhere);
      await clock.run(Promise.all([client.wait([running]), client.wait([elsewhere])]));
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running), pathOf(elsewhere)]));
    });

    it("operations of several projects can be waited for at once", async () => {
      const { client, clock, sent } = platformOf((now) => [
        now < 1000 ? running : finished(running),
        now < 4000 ? elsewhere : finished(elsewhere),
      ]);
      await clock.run(client.wait([running, elsewhere]));
      isBetween(clock.now(), 4000, 5100);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running), pathOf(elsewhere)]));
    });
  });

  it("when one of several projects fails, the others are not looked at any more", async () => {
    const platform = platformOf((now) => [now < 1000 ? running : { ...running, status: "error" }, elsewhere]);
    const { error } = await failureOf(platform, {}, [running, elsewhere]);
    assert.ok(OperationFailedError.isInstance(error) && error.operation.id === running.id);
    const { length } = platform.sent;
    await platform.clock.advance(60_000);
    assert.equal(platform.sent.length, length);
    assert.equal(platform.clock.sleeping, 0);
  });

  describe("progress", () => {
    it("what is still waited for is told at first and after each look", async () => {
      const told: string[] = [];
      const { client, clock, sent } = platformOf((now) => [
        now < 1000 ? running : finished(running),
        { ...other, status: now < 500 ? "scheduling" : now < 2000 ? "running" : "finished" },
      ]);
      await clock.run(
        client.wait([running, other], {
          onProgress: (pending) => told.push(pending.map(({ action, status }) => `${action} ${status}`).join(", ")),
        }),
      );
      assert.equal(told.length, sent.length);
      assert.deepEqual(
        [...new Set(told)],
        [
          "start_compute running, apply_config running",
          "start_compute running, apply_config scheduling",
          "start_compute running, apply_config running",
          "apply_config running",
        ].filter((text, index, all) => all.indexOf(text) === index),
      );
    });
  });

  describe("stopping", () => {
    const stop = new Error("stopped by the user");

    it("ends a wait at once with the signal's reason, and its looks with it", async () => {
      const { client, clock, sent } = statuses([]);
      const controller = new AbortController();
      const failed = errorOf(client.wait([running], { signal: controller.signal }));
      await clock.advance(10_000);
      controller.abort(stop);
      assert.equal(await failed, stop);
      const { length } = sent;
      await clock.advance(60_000);
      assert.equal(sent.length, length);
      assert.equal(clock.sleeping, 0);
    });

    it("before the wait leaves nothing to do", async () => {
      const { client, sent } = statuses([]);
      assert.equal(await errorOf(client.wait([running], { signal: AbortSignal.abort(stop) })), stop);
      assert.equal(sent.length, 0);
    });

    it("leaves other waits for the same project alone", async () => {
      const { client, clock } = platformOf((now) => [running, now < 20_000 ? other : finished(other)]);
      const controller = new AbortController();
      const stopped = errorOf(client.wait([running], { signal: controller.signal }));
      const goesOn = client.wait([other]);
      await clock.advance(5000);
      controller.abort(stop);
      assert.equal(await stopped, stop);
      await clock.run(goesOn);
      isBetween(clock.now(), 20_000, 25_250);
    });

    it("a wait that was stopped is told nothing any more", async () => {
      for (const answer of [{ status: 500 }, { body: { operation: running } }]) {
        const { client, clock } = scriptedClient([{ ...answer, takes: 1000 }]);
        const controller = new AbortController();
        let told = 0;
        const stopped = errorOf(
          client.wait([running], { signal: controller.signal, onProgress: () => void (told += 1) }),
        );
        await clock.advance(500);
        controller.abort(stop);
        assert.equal(await stopped, stop);
        const before = told;
        await clock.advance(10_000);
        assert.equal(told, before);
      }
    });
  });
});
