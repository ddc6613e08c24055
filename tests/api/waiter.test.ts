import { describe, it } from "mocha";
import assert from "node:assert/strict";
import {
  HttpError,
  type Operation,
  OperationFailedError,
  OperationTimeoutError,
  NeonError,
  users,
  type WaitOptions,
} from "../../api/index";
import { operationSample } from "./samples";
import {
  type ScriptedResponse,
  errorOf,
  scriptedClient,
  type ScriptedClient,
  type Sent,
  systemError,
} from "./scripted-client";

const running = operationSample();
const other = operationSample({ id: "22222222-2222-4222-8222-222222222222", action: "apply_config" });
const elsewhere = operationSample({ id: "33333333-3333-4333-8333-333333333333", project_id: "dry-sun-111111" });
const finished = (operation: Operation) => ({ ...operation, status: "finished" });
const checkState = "Check the current state before retrying.";
const continues = "Pending operations continue in Neon. Wait for them again.";
const notFound: ScriptedResponse = { status: 404, body: { code: "", message: "operation not found" } };

const isList = ({ path }: Sent) => /\/operations(\?|$)/.test(path);
const pathsOf = (sent: readonly Sent[]) => sent.map(({ path }) => path.replace(/\?.*/, ""));
const pathOf = ({ project_id, id }: Operation) => `/projects/${project_id}/operations/${id}`;
const listPathOf = ({ project_id }: Operation) => `/projects/${project_id}/operations`;

describe("NeonClient.wait", () => {
  describe("end of a wait", () => {
    for (const status of ["finished", "skipped"]) {
      it(`succeeds with status ${status} [1.6 finished; 1.6 skipped; 1.8 polling 4]`, async () => {
        const { client, clock, sent } = statuses([[1000, { status }]]);
        await clock.run(client.wait([running]));
        isBetween(clock.now(), 1000, 1310);
        assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      });
    }

    for (const status of ["cancelled", "error"]) {
      it(`fails with status ${status}, and reports the operation, its failures and the platform message [1.6 cancelled; 1.8 polling 4; 1.10 operation failure; 1.13 operation.error and retry_at; 1.13 status error]`, async () => {
        const platform = statuses([[1000, { status, failures_count: 3, error: "no capacity left" }]]);
        const { error, at } = await failureOf(OperationFailedError, platform);
        assert.equal(
          error.message,
          `Operation ${running.id} (start_compute) ended with status ${status} (failures: 3): no capacity left. ${checkState}`,
        );
        assert.equal(error.operation.status, status);
        isBetween(at, 1000, 1310);
      });

      it(`fails with status ${status} without a platform message in a complete sentence [1.13 operation.error and retry_at]`, async () => {
        for (const reason of [undefined, ""]) {
          const { error } = await failureOf(
            OperationFailedError,
            statuses([[0, { status, ...(reason === undefined ? {} : { error: reason }) }]]),
          );
          assert.equal(
            error.message,
            `Operation ${running.id} (start_compute) ended with status ${status} (failures: 0). ${checkState}`,
          );
        }
      });
    }

    for (const status of ["scheduling", "running", "cancelling"]) {
      it(`times out at the deadline with status ${status} [1.6 scheduling; 1.6 running; 1.6 cancelling]`, async () => {
        const platform = statuses([[0, { status }]]);
        const { error, at } = await failureOf(OperationTimeoutError, platform, { deadline: 30_000 });
        assert.equal(
          error.message,
          `Timed out after 30 s: operation ${running.id} (start_compute) is ${status}. ${continues}`,
        );
        assert.equal(at, 30_000);
        assert.equal(platform.sent.at(-1)?.at, 30_000);
      });
    }

    it("treats an unknown status as pending and reports it at the deadline [1.13 status error]", async () => {
      const ends = statuses([
        [0, { status: "hibernating" }],
        [5000, { status: "finished" }],
      ]);
      await ends.clock.run(ends.client.wait([running]));
      const { error } = await failureOf(OperationTimeoutError, statuses([[0, { status: "hibernating" }]]), {
        deadline: 30_000,
      });
      assert.match(error.message, /is hibernating\. /);
      assert.equal(error.operations[0]?.status, "hibernating");
    });

    it("times out after ten minutes by default", async () => {
      const { error, at } = await failureOf(OperationTimeoutError, statuses([]));
      assert.equal(at, 600_000);
      assert.match(error.message, /^Timed out after 600 s: /);
    });

    it("succeeds if the operation ends at the deadline", async () => {
      const { client, clock } = statuses([[30_000, { status: "finished" }]]);
      await clock.run(client.wait([running], { deadline: 30_000 }));
      assert.equal(clock.now(), 30_000);
    });

    it("times out immediately, without a poll, if the deadline has passed", async () => {
      const platform = statuses([]);
      await platform.clock.advance(1000);
      const { at } = await failureOf(OperationTimeoutError, platform, { deadline: 500 });
      assert.equal(at, 1000);
      assert.equal(platform.sent.length, 0);
    });

    it("reports all operations that are pending at the deadline", async () => {
      const { error } = await failureOf(
        OperationTimeoutError,
        platformOf((now) => [now < 1000 ? running : finished(running), other, operationSample({ id: "third" })]),
        { deadline: 20_000 },
        [running, other, operationSample({ id: "third" })],
      );
      assert.equal(
        error.message,
        `Timed out after 20 s: operation ${other.id} (apply_config) is running; operation third (start_compute) is running. ${continues}`,
      );
    });

    it("fails immediately if one of several operations fails [1.6 terminal]", async () => {
      const platform = platformOf((now) => [running, now < 2000 ? other : { ...other, status: "error" }]);
      const { error, at } = await failureOf(OperationFailedError, platform, {}, [running, other]);
      assert.equal(error.operation.id, other.id);
      isBetween(at, 2000, 2810);
      const { length } = platform.sent;
      await platform.clock.advance(60_000);
      assert.equal(platform.sent.length, length);
    });
  });

  describe("without a poll", () => {
    it("succeeds for no operations", async () => {
      const { client, sent } = statuses([]);
      await client.wait([]);
      assert.equal(sent.length, 0);
    });

    it("succeeds for operations that have already succeeded [1.6 terminal]", async () => {
      const { client, sent } = statuses([]);
      await client.wait([finished(running), { ...other, status: "skipped" }]);
      assert.equal(sent.length, 0);
    });

    it("fails for an operation that has already failed [1.6 terminal]", async () => {
      const { client, sent } = statuses([]);
      const error = await errorOf(client.wait([running, { ...other, status: "cancelled" }]));
      assert.ok(OperationFailedError.isInstance(error) && error.operation.id === other.id);
      assert.equal(sent.length, 0);
    });
  });

  describe("status failed [1.13 status failed]", () => {
    const failed = (failures: number, updated = 0) => ({
      status: "failed",
      failures_count: failures,
      error: "compute did not start",
      updated_at: `2030-01-01T00:00:${String(updated).padStart(2, "0")}Z`,
    });

    it("succeeds if the operation finishes later [1.6 failed; 1.8 polling 4]", async () => {
      const { client, clock } = statuses([
        [500, failed(1)],
        [12_000, { status: "running" }],
        [14_000, { status: "finished" }],
      ]);
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 14_000, 18_000);
    });

    it("fails after 15 s without a new attempt", async () => {
      const { error, at } = await failureOf(OperationFailedError, statuses([[4000, failed(2)]]));
      isBetween(at, 19_000, 27_000);
      assert.match(
        error.message,
        new RegExp(
          `^Operation ${running.id} \\(start_compute\\) did not recover from status failed within (1[5-9]|20)(\\.\\d)? s \\(failures: 2\\): compute did not start\\. ${checkState}$`,
        ),
      );
    });

    for (const [member, change] of [
      ["failures_count", (step: number) => failed(step + 1)],
      ["updated_at", (step: number) => failed(1, step)],
    ] as const) {
      it(`continues while ${member} changes, but at most 60 s`, async () => {
        const attempts = Array.from({ length: 40 }, (_, step) => [1000 + 9000 * step, change(step)] as const);
        const { at } = await failureOf(OperationFailedError, statuses(attempts));
        isBetween(at, 61_000, 67_000);
      });

      it(`fails 15 s after ${member} stops changing`, async () => {
        const attempts = Array.from({ length: 3 }, (_, step) => [1000 + 9000 * step, change(step)] as const);
        const { at } = await failureOf(OperationFailedError, statuses(attempts));
        isBetween(at, 34_000, 45_000);
      });
    }

    it("restarts the grace period when the operation leaves the status", async () => {
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

    it("does not restart the grace period after a 404", async () => {
      const { at } = await failureOf(
        OperationFailedError,
        platformOf((now) => (now >= 5000 && now < 8000 ? [] : [{ ...running, ...failed(1) }])),
      );
      isBetween(at, 15_000, 21_000);
    });

    it("uses the given grace periods", async () => {
      // Nothing but its status tells that it has failed.
      const quiet = await failureOf(OperationFailedError, statuses([[0, { status: "failed" }]]), { quietGrace: 2000 });
      isBetween(quiet.at, 2000, 2900);
      const attempts = Array.from({ length: 40 }, (_, step) => [200 * step, failed(step + 1)] as const);
      const moving = await failureOf(OperationFailedError, statuses(attempts), { quietGrace: 2000, failedGrace: 4000 });
      isBetween(moving.at, 4000, 5500);
    });

    for (const name of ["quietGrace", "failedGrace"] as const) {
      it(`fails at the first poll with a ${name} of 0`, async () => {
        const platform = statuses([[0, failed(1)]]);
        await failureOf(OperationFailedError, platform, { [name]: 0 });
        assert.equal(platform.sent.length, 1);
      });
    }

    it("times out at the deadline", async () => {
      const { error, at } = await failureOf(OperationTimeoutError, statuses([[0, failed(1)]]), { deadline: 5000 });
      assert.match(error.message, /is failed\. /);
      assert.equal(at, 5000);
    });
  });

  describe("poll errors", () => {
    it("tolerates a 404 for an operation that is not registered yet", async () => {
      const { client, clock, sent } = platformOf((now) =>
        now < 5000 ? [] : [now < 8000 ? running : finished(running)],
      );
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 8000, 10_500);
      assert.ok(sent.filter(({ at }) => at < 5000).length >= 5);
    });

    it("§6.2 fails if an operation keeps returning 404", async () => {
      const platform = platformOf(() => []);
      const { error, at } = await failureOf(NeonError, platform);
      assert.equal(error.kind, "operation-unknown");
      assert.equal(
        error.message,
        `Operation ${running.id} (start_compute) of project ${running.project_id} was not found. Its last known status was running. ${checkState}`,
      );
      isBetween(at, 5000, 15_000);
      assert.ok(platform.sent.length <= 30, `${platform.sent.length} requests`);
    });

    it("fails if one of several operations keeps returning 404", async () => {
      const { error, at } = await failureOf(
        NeonError,
        platformOf(() => [other]),
        {},
        [running, other],
      );
      assert.equal(error.kind, "operation-unknown");
      assert.match(error.message, new RegExp(running.id));
      isBetween(at, 5000, 16_000);
    });

    it("tolerates repeated short periods of 404", async () => {
      const { client, clock } = platformOf((now) => {
        if (now > 60_000) return [finished(running)];
        return Math.floor(now / 4000) % 2 === 0 ? [running] : [];
      });
      await clock.run(client.wait([running]));
      isBetween(clock.now(), 60_000, 70_000);
    });

    for (const status of [400, 401, 403]) {
      it(`fails immediately on a ${status} [1.9.3]`, async () => {
        const platform = scriptedClient([{ status, body: { message: "no" } }]);
        const { error } = await failureOf(HttpError, platform);
        assert.equal(error.status, status);
        assert.equal(platform.sent.length, 1);
      });

      it(`fails immediately on a ${status} for one of several operations`, async () => {
        const platform = scriptedClient((request) =>
          isList(request) ? { body: { operations: [running] } } : { status, body: { message: "no" } },
        );
        const { error } = await failureOf(HttpError, platform, {}, [running, other]);
        assert.equal(error.status, status);
        assert.deepEqual(pathsOf(platform.sent), [listPathOf(running), pathOf(other)]);
      });
    }

    for (const [what, response] of [
      ["a 500", { status: 500, body: { message: "broken" } }],
      ["a 502", { status: 502 }],
      ["a 503", { status: 503 }],
      ["a 423", { status: 423 }],
      ["a 429", { status: 429 }],
      ["a gateway's HTML page", { status: 524, body: "<html>" }],
      ["a connection reset", { error: systemError("ECONNRESET") }],
      ["a refused connection", { error: systemError("ECONNREFUSED", "connect") }],
    ] as const) {
      it(`continues until the deadline after ${what}`, async () => {
        const back: ScriptedClient = scriptedClient(() =>
          back.clock.now() < 120_000 ? response : { body: { operation: finished(running) } },
        );
        await back.clock.run(back.client.wait([running]));
        isBetween(back.clock.now(), 120_000, 126_000);

        const gone = scriptedClient([response]);
        const { error, at } = await failureOf(OperationTimeoutError, gone, { deadline: 60_000 });
        assert.equal(at, 60_000);
        assert.match(error.message, /is running\. Last poll error: GET \/projects\/.*\S$/);
        assert.ok(NeonError.isInstance(error.cause));
        assert.ok(gone.sent.length <= 45, `${gone.sent.length} requests`);
      });
    }

    it("does not report a poll error that is over", async () => {
      const platform: ScriptedClient = scriptedClient(() =>
        platform.clock.now() < 10_000 ? { status: 500 } : { body: { operation: running } },
      );
      const { error } = await failureOf(OperationTimeoutError, platform, { deadline: 60_000 });
      assert.doesNotMatch(error.message, /poll error/);
      assert.equal(error.cause, undefined);
    });

    it("continues after an HTTP attempt that timed out", async () => {
      const { client, clock, sent } = scriptedClient(
        ({ at }) => (at < 1000 ? { takes: 1_000_000 } : { body: { operation: finished(running) } }),
        { attemptTimeout: 30_000 },
      );
      await clock.run(client.wait([running]));
      assert.equal(sent.length, 2);
      isBetween(clock.now(), 30_000, 36_000);
    });

    it("times out at the deadline if a rate limit lasts longer", async () => {
      const platform = scriptedClient([{ status: 429, headers: { "retry-after": "3600" } }]);
      const { error, at } = await failureOf(OperationTimeoutError, platform, { deadline: 60_000 });
      assert.equal(at, 60_000);
      assert.equal(platform.sent.length, 1);
      assert.match(error.message, /Last poll error: .*rate limit/);
    });
  });

  describe("requests per poll [1.10 events; 1.12.9]", () => {
    const after = (milliseconds: number, ...operations: readonly Operation[]) =>
      platformOf((now) => operations.map((operation) => (now < milliseconds ? operation : finished(operation))));
    /** The number of different times at which requests were sent. */
    const pollsOf = (sent: readonly Sent[]) => new Set(sent.map(({ at }) => at)).size;

    it("fetches a single operation by id [1.8 polling 1]", async () => {
      const { client, clock, sent } = after(3000, running);
      await clock.run(client.wait([running]));
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      assert.equal(pollsOf(sent), sent.length);
    });

    it("lists several operations of a project in one request [1.8 polling 2]", async () => {
      const { client, clock, sent } = after(3000, running, other, operationSample({ id: "another-operation" }));
      await clock.run(client.wait([running, other]));
      assert.ok(sent.length > 3);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([listPathOf(running)]));
      assert.equal(pollsOf(sent), sent.length);
    });

    it("lists hundreds of operations of a project in one request", async () => {
      const many = Array.from({ length: 200 }, (_, index) => operationSample({ id: `o-${index}` }));
      const { client, clock, sent } = scriptedClient(({ path }) => {
        const { searchParams } = new URL(path, "http://platform");
        const from = Number(searchParams.get("cursor") ?? 0);
        const to = from + Number(searchParams.get("limit"));
        return { body: { operations: many.slice(from, to).map(finished), pagination: { cursor: String(to) } } };
      });
      await clock.run(client.wait(many));
      assert.equal(sent.length, 1);
    });

    it("fetches the last pending operation by id [1.8 polling 2]", async () => {
      const { client, clock, sent } = platformOf((now) => [
        now < 2000 ? running : finished(running),
        now < 4000 ? other : finished(other),
      ]);
      await clock.run(client.wait([running, other]));
      assert.deepEqual(new Set(pathsOf(sent.filter(({ at }) => at < 2000))), new Set([listPathOf(other)]));
      assert.deepEqual(new Set(pathsOf(sent.filter(({ at }) => at > 2700))), new Set([pathOf(other)]));
      assert.equal(pollsOf(sent), sent.length);
    });

    it("fetches an operation that is missing from the list", async () => {
      const { client, clock, sent } = scriptedClient((request) =>
        isList(request)
          ? { body: { operations: [finished(running)], pagination: { cursor: "2030-01-01T00:00:00Z" } } }
          : { body: { operation: finished(other) } },
      );
      await clock.run(client.wait([running, other]));
      assert.equal(pathsOf(sent).at(-1), pathOf(other));
    });

    it("fetches each operation if the list returns 404", async () => {
      const { client, clock, sent } = scriptedClient((request) => {
        if (isList(request)) return notFound;
        return { body: { operation: finished(request.path.endsWith(running.id) ? running : other) } };
      });
      await clock.run(client.wait([running, other]));
      assert.deepEqual(pathsOf(sent), [listPathOf(running), pathOf(running), pathOf(other)]);
    });

    it("reports what has failed although the request for another operation fails", async () => {
      const failed = { ...running, status: "error", error: "disk full" };
      const scripted = scriptedClient((request) =>
        isList(request) ? { body: { operations: [failed] } } : { status: 500, body: { code: "", message: "x" } },
      );
      const { error, at } = await failureOf(OperationFailedError, scripted, {}, [running, other]);
      assert.match(error.message, /disk full/);
      assert.ok(at < 1_000, `${at} ms`);
    });

    it("reads a few pages of a list that has no end", async () => {
      let cursor = 0;
      const { client, clock, sent } = scriptedClient((request) => {
        const isOver = clock.now() > 60_000;
        if (!isList(request)) return { body: { operation: isOver ? finished(other) : other } };
        cursor += 1;
        return { body: { operations: [isOver ? finished(running) : running], pagination: { cursor: `${cursor}` } } };
      });
      await clock.run(client.wait([running, other]));
      const polls = sent.filter((request) => !isList(request)).length;
      assert.ok(sent.length <= 4 * polls, `${sent.length} requests for ${polls} polls`);
    });

    for (const since of [NaN, 1e12]) {
      it(`polls no more often if the operations were started at ${since}`, async () => {
        const { client, clock, sent } = statuses([[60_000, { status: "finished" }]]);
        await clock.run(client.wait([running], { since }));
        assert.ok(sent.length <= 45, `${sent.length} polls`);
      });
    }

    it("stops reading the list at the last wanted operation", async () => {
      const { client, clock, sent } = scriptedClient([
        { body: { operations: [finished(running), finished(other)], pagination: { cursor: "x" } } },
      ]);
      await clock.run(client.wait([running, other]));
      assert.equal(sent.length, 1);
    });

    it("stops reading the list at operations older than the wanted ones", async () => {
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
      // As old as the last operation of the first page, so that the second page can have it.
      const missing = operationSample({ id: "missing", created_at: new Date(1e12 - 99_000).toISOString() });
      await clock.run(client.wait([first, missing], { deadline: 410 })).catch(() => undefined);
      assert.equal(sent.filter(isList).filter(({ at }) => at === sent[0]?.at).length, 2);
    });

    it("shares polls between waits for one project", async () => {
      const { client, clock, sent } = after(10_000, running, other);
      await clock.run(Promise.all([client.wait([running]), client.wait([other])]));
      const sharedPolls = pollsOf(sent);
      assert.equal(sent.length, sharedPolls);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([listPathOf(running)]));
      const alone = after(10_000, running);
      await alone.clock.run(alone.client.wait([running]));
      isBetween(sharedPolls, alone.sent.length * 0.7, alone.sent.length * 1.5);
    });

    it("shares polls between waits for one operation", async () => {
      const { client, clock, sent } = after(5000, running);
      await clock.run(Promise.all([client.wait([running]), client.wait([running])]));
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running)]));
      assert.equal(pollsOf(sent), sent.length);
    });

    it("polls early for a new wait while an older one backs off", async () => {
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

    it("polls for a wait that starts during a poll", async () => {
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

    it("continues other waits when one fails", async () => {
      const { client, clock } = platformOf((now) => [
        now < 1000 ? running : { ...running, status: "error" },
        now < 5000 ? other : finished(other),
      ]);
      const [failed, done] = await clock.run(Promise.allSettled([client.wait([running]), client.wait([other])]));
      assert.equal(failed.status, "rejected");
      assert.equal(done.status, "fulfilled");
      isBetween(clock.now(), 5000, 6310);
    });

    it("continues other waits when one times out", async () => {
      const { client, clock } = platformOf((now) => [running, now < 20_000 ? other : finished(other)]);
      const [late, done] = await clock.run(
        Promise.allSettled([client.wait([running], { deadline: 5000 }), client.wait([other])]),
      );
      assert.ok(late.status === "rejected" && OperationTimeoutError.isInstance(late.reason));
      assert.equal(done.status, "fulfilled");
    });

    it("waits for operations of several projects", async () => {
      const { client, clock, sent } = platformOf((now) => [
        now < 1000 ? running : finished(running),
        now < 4000 ? elsewhere : finished(elsewhere),
      ]);
      await clock.run(client.wait([running, elsewhere]));
      isBetween(clock.now(), 4000, 5100);
      assert.deepEqual(new Set(pathsOf(sent)), new Set([pathOf(running), pathOf(elsewhere)]));
    });
  });

  it("stops polling for other projects when an operation of one fails", async () => {
    const platform = platformOf((now) => [now < 1000 ? running : { ...running, status: "error" }, elsewhere]);
    const { error } = await failureOf(OperationFailedError, platform, {}, [running, elsewhere]);
    assert.equal(error.operation.id, running.id);
    const { length } = platform.sent;
    await platform.clock.advance(60_000);
    assert.equal(platform.sent.length, length);
    assert.equal(platform.clock.sleeping, 0);
  });

  describe("onProgress", () => {
    it("receives the pending operations at first and after each poll", async () => {
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

  describe("abort signal", () => {
    const stop = new Error("stopped by the user");

    it("ends the wait and its polls with the signal's reason", async () => {
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

    it("ends a poll that is being sent, unless others wait for it", async () => {
      for (const others of [0, 1]) {
        const { client, clock } = scriptedClient([{ body: { operation: finished(running) }, takes: 10_000 }]);
        const controller = new AbortController();
        const failed = errorOf(client.wait([running], { signal: controller.signal }));
        const other = others === 0 ? Promise.resolve() : client.wait([running]);
        await clock.advance(5000);
        controller.abort(stop);
        assert.equal(await failed, stop);
        // Each request that is being sent has a time limit, too.
        assert.equal(clock.sleeping, 2 * others);
        await clock.run(other);
      }
    });

    it("takes a poll out of the queue for the rate limit", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 429, headers: { "retry-after": "60" } }]);
      await clock.run(errorOf(client.send(users.me(), { deadline: 1000 })));
      const controller = new AbortController();
      const failed = errorOf(client.wait([running], { signal: controller.signal }));
      await clock.advance(5000);
      controller.abort(stop);
      assert.equal(await failed, stop);
      await clock.advance(120_000);
      assert.equal(sent.length, 1);
    });

    it("sends nothing if it has already fired", async () => {
      const { client, sent } = statuses([]);
      assert.equal(await errorOf(client.wait([running], { signal: AbortSignal.abort(stop) })), stop);
      assert.equal(sent.length, 0);
    });

    it("does not end other waits for the same project", async () => {
      const { client, clock } = platformOf((now) => [running, now < 20_000 ? other : finished(other)]);
      const controller = new AbortController();
      const stopped = errorOf(client.wait([running], { signal: controller.signal }));
      const continuing = client.wait([other]);
      await clock.advance(5000);
      controller.abort(stop);
      assert.equal(await stopped, stop);
      await clock.run(continuing);
      isBetween(clock.now(), 20_000, 25_250);
    });

    for (const isShared of [false, true]) {
      it(`ends calls to onProgress during a poll ${isShared ? "that it shares" : "of its own"}`, async () => {
        for (const response of [{ status: 500 }, { body: { operation: running } }]) {
          const { client, clock } = scriptedClient([{ ...response, takes: 1000 }]);
          const controller = new AbortController();
          let told = 0;
          const stopped = errorOf(
            client.wait([running], { signal: controller.signal, onProgress: () => void (told += 1) }),
          );
          if (isShared) void client.wait([running]);
          await clock.advance(500);
          controller.abort(stop);
          assert.equal(await stopped, stop);
          const before = told;
          await clock.advance(10_000);
          assert.equal(told, before);
        }
      });
    }
  });
});

/** A platform with these operations at each time; unknown ones return 404. */
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

/** A platform with a single operation that changes at these times. */
function statuses(timeline: readonly (readonly [from: number, members: Partial<Operation>])[]): ScriptedClient {
  return platformOf((now) => [{ ...running, ...timeline.findLast(([from]) => from <= now)?.[1] }]);
}

/** The error of a wait, which must be of a class, and when it ended. */
async function failureOf<Kind extends NeonError>(
  kind: { isInstance(error: unknown): error is Kind },
  { client, clock }: ScriptedClient,
  options: WaitOptions = {},
  operations: readonly Operation[] = [running],
): Promise<{ error: Kind; at: number }> {
  const error = await clock.run(errorOf(client.wait(operations, options)));
  assert.ok(kind.isInstance(error), error.message);
  return { error, at: clock.now() };
}

function isBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value} is not between ${least} and ${most}`);
}
