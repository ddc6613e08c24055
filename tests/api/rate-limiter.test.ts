import fc from "fast-check";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { z } from "zod";
import { Deadline } from "../../api/core/deadline";
import { RateLimiter } from "../../api/http/rate-limiter";
import { operations, OperationTimeoutError, NeonClient, projects, type Transport, users } from "../../api/index";
import { RateLimit } from "../../platform/http/rate-limit";
import { HttpError } from "../../platform/http-error";
import { endless, ManualClock } from "../support/clock";
import { seededRandom } from "../support/seeded-random";
import { valuesOf } from "../platform/support/responses";
import { operationSample } from "./samples";
import { apiKey, apiUrl, errorOf, scriptedClient } from "./scripted-client";

const never = new Deadline(Infinity);

describe("RateLimiter", () => {
  it("limits 2,000 requests on many routes to 700 per minute, and 40 per second and route", async () => {
    const acquired = await acquireAll(Array.from({ length: 2000 }, (_, index) => `GET /route-${(index * index) % 37}`));
    assert.equal(acquired.length, 2000);
    assertWithinLimits(acquired);
    const { at: end = 0 } = acquired.at(-1) ?? {};
    assert.ok(end < 125_000, `it does not use the whole limit: ${end} ms`);
  });

  it("does not delay requests below the limits", async () => {
    const acquired = await acquireAll([
      ...Array.from({ length: 36 }, () => "GET /one"),
      ...Array.from({ length: 36 }, () => "GET /two"),
    ]);
    assert.deepEqual(new Set(acquired.map(({ at }) => at)), new Set([0]));
  });

  it("serves requests first in, first out across routes", async () => {
    const routes = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? "GET /busy" : `GET /${index}`));
    assert.deepEqual(valuesOf(await acquireAll(routes), "route"), routes);
  });

  it("stays within the limits for any timing of requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 60 }), fc.nat(2)), { minLength: 1, maxLength: 25 }),
        async (bursts) => {
          const limiter = new Limited();
          const all: Promise<unknown>[] = [];
          for (const [pause, count, route] of bursts) {
            await limiter.clock.advance(pause);
            all.push(limiter.acquireMany(count, `GET /${route}`));
          }
          await limiter.clock.run(Promise.all(all));
          assert.equal(
            limiter.acquired.length,
            bursts.reduce((sum, [, count]) => sum + count, 0),
          );
          assertWithinLimits(limiter.acquired);
        },
      ),
      { numRuns: 25 },
    );
  });

  describe("throttle", () => {
    it("holds all requests for as long as the platform asks", async () => {
      const limiter = new Limited();
      limiter.throttle(0, 7000);
      await limiter.clock.run(Promise.all(["GET /a", "GET /b"].map((route) => limiter.acquire(route))));
      const times = limiter.acquired.map(({ at }) => Math.round(at));
      assert.deepEqual(times, [7000, 7089], "and afterwards with a gap");
    });

    it("never shortens a hold", async () => {
      const limiter = new Limited();
      limiter.throttle(0, 7000);
      limiter.throttle(0, 10);
      await limiter.clock.run(limiter.acquire("GET /a"));
      assert.equal(limiter.clock.now(), 7000);
    });

    it("holds requests that are already queued", async () => {
      const limiter = new Limited();
      const all = limiter.acquireMany(40);
      await limiter.clock.advance(500);
      limiter.throttle(500, 20_000);
      await limiter.clock.run(all);
      assert.deepEqual([limiter.acquired[35]?.at, limiter.acquired[36]?.at], [0, 20_500]);
    });

    it("returns the remaining hold immediately if it ends after the deadline", async () => {
      const limiter = new Limited();
      limiter.throttle(0, 20_000);
      assert.equal(await limiter.acquire("GET /a", new Deadline(10_000)), 20_000);
      assert.equal(limiter.clock.now(), 0);
      assert.equal(await limiter.clock.run(limiter.acquire("GET /a", new Deadline(20_000))), undefined);
      assert.equal(limiter.clock.now(), 20_000);
    });

    it("returns the remaining hold if it starts while a request is queued and ends after its deadline", async () => {
      const limiter = new Limited();
      const all = limiter.acquireMany(36);
      const late = limiter.acquire("GET /a", new Deadline(10_000));
      await limiter.clock.advance(500);
      limiter.throttle(500, 20_000);
      assert.equal(await limiter.clock.run(late), 19_450);
      assert.deepEqual(await all, Array<undefined>(36).fill(undefined));
    });
  });

  describe("time in the queue", () => {
    it("extends the deadline, unlike a hold", async () => {
      const limiter = new Limited();
      const deadlines = Array.from({ length: 37 }, () => new Deadline(Infinity));
      const acquired = deadlines.map((deadline) => limiter.acquire("GET /a", deadline));
      await limiter.clock.advance(500);
      limiter.throttle(500, 20_000);
      await limiter.clock.run(Promise.all(acquired));
      assert.deepEqual(valuesOf(deadlines, "extension"), [...Array<number>(36).fill(0), 500]);
    });

    it("extends the deadline at every attempt of a request", async () => {
      const { client, clock, sent } = scriptedClient(({ path, at }) =>
        path === "/users/me" && at < 66_000
          ? { status: 503 }
          : { body: { id: "u1", email: "somebody@example.com", name: "somebody" } },
      );
      const route = (index: number) => ({ method: "GET", path: `/route-${index}`, schema: z.unknown() }) as const;
      const first = Array.from({ length: 679 }, (_, index) => client.attempt(route(index)));
      const deadline = new Deadline(10_000);
      const asked = client.send(users.me(), { deadline });
      await clock.run(Promise.all([...first, asked]));
      const own = sent.filter(({ path }) => path === "/users/me");
      assert.equal(own[0]?.at, 0);
      assert.ok(clock.now() >= 66_000, "the request was queued between its attempts");
      assert.ok(deadline.extension > 55_000 && clock.now() <= deadline.at);
    });

    it("extends the deadline of a wait for what comes after it, but not the wait itself", async () => {
      const running = operationSample();
      const { client, clock } = scriptedClient(({ path }) => ({
        body: path.includes("/operations/") ? { operation: running } : {},
      }));
      const route = (index: number) => ({ method: "GET", path: `/route-${index}`, schema: z.unknown() }) as const;
      const first = Array.from({ length: 680 }, (_, index) => client.attempt(route(index)));
      const deadline = new Deadline(30_000);
      const error = await clock.run(errorOf(client.wait([running], { deadline })));
      await Promise.all(first);
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.ok(clock.now() > 60_000 && clock.now() < 61_000, `${clock.now()} ms`);
      assert.ok(deadline.extension > 60_000, `${deadline.extension} ms`);
    });
  });

  describe("several processes of an account", () => {
    /** Runs several processes with several callers each, against a platform that counts the requests of all of them. */
    async function crowd(processes: number, callers: number, each: number, withRetryAfter: boolean, seed: number) {
      const clock = new ManualClock();
      const limit = new RateLimit({ now: () => clock.now(), after: () => () => undefined });
      const draw = seededRandom(seed);
      let throttled = 0;
      const transport: Transport = async ({ method, url, signal }) => {
        await clock.sleep(50 * draw(), signal);
        let status = 200;
        let retryAfter: string | undefined;
        try {
          limit.consume("somebody", `${method} ${url.replace(/caller-\d+/, "*")}`);
        } catch (error) {
          assert.ok(error instanceof HttpError);
          ({ status } = error);
          retryAfter = withRetryAfter ? error.headers["retry-after"] : undefined;
          throttled += 1;
        }
        await clock.sleep(50 * draw(), signal);
        return { status, header: (name) => (name === "retry-after" ? retryAfter : undefined), body: "{}" };
      };
      const clients = Array.from(
        { length: processes },
        () => new NeonClient({ apiKey, apiUrl, clock, attemptTimeout: endless, transport }),
      );
      const work = async (client: NeonClient, caller: number): Promise<void> => {
        for (let index = 0; index < each; index += 1) {
          await client.send({ method: "GET", path: `/route-${index % 8}/caller-${caller}`, schema: z.unknown() });
        }
      };
      await clock.run(
        Promise.all(clients.flatMap((client) => Array.from({ length: callers }, (_, caller) => work(client, caller)))),
      );
      return { requests: processes * callers * each, throttled, seconds: clock.now() / 1000 };
    }

    for (const [processes, callers, each] of [
      [2, 16, 100],
      [2, 100, 16],
      [8, 32, 12],
    ] as const) {
      for (const withRetryAfter of [true, false]) {
        it(`finish with few 429s ${withRetryAfter ? "with" : "without"} Retry-After: ${processes} processes with ${callers} callers each`, async () => {
          const { requests, throttled, seconds } = await crowd(processes, callers, each, withRetryAfter, 7);
          // A full minute of the limit is available at the start.
          const least = (60 * (requests - 700)) / 700;
          assert.ok(throttled > 0 && throttled <= 0.2 * requests, `${throttled} of ${requests} were throttled`);
          assert.ok(seconds <= 1.2 * least, `${seconds} s instead of ${least} s`);
        });
      }
    }

    it("give up at the deadline if every request is throttled", async () => {
      const { client, clock } = scriptedClient([{ status: 429 }]);
      const all = Array.from({ length: 20 }, () => errorOf(client.send(users.me())));
      for (const error of await clock.run(Promise.all(all))) assert.match(error.message, /rate limit/);
      assert.ok(clock.now() >= 115_000 && clock.now() < 200_000, `${clock.now()}`);
    });
  });

  describe("abort signal", () => {
    const stop = new Error("stopped by the user");

    it("removes a request from the queue without counting it", async () => {
      const limiter = new Limited();
      limiter.throttle(0, 7000);
      const controller = new AbortController();
      const stopped = errorOf(limiter.acquire("GET /a", never, controller.signal));
      const next = limiter.acquire("GET /a");
      await limiter.clock.advance(1000);
      controller.abort(stop);
      assert.equal(await stopped, stop);
      await limiter.clock.run(next);
      assert.equal(limiter.clock.now(), 7000);
    });

    it("removes a request from the middle of the queue and keeps the order of the others", async () => {
      const limiter = new Limited();
      await limiter.acquireMany(36, "GET /busy");
      const controller = new AbortController();
      const first = limiter.acquire("GET /busy");
      const stopped = errorOf(limiter.acquire("GET /a", never, controller.signal));
      const last = limiter.acquire("GET /b");
      await limiter.clock.advance(100);
      controller.abort(stop);
      assert.equal(await limiter.clock.run(stopped), stop);
      assert.equal(limiter.clock.now(), 100);
      await limiter.clock.run(Promise.all([first, last]));
      assert.deepEqual(valuesOf(limiter.acquired.slice(36), "route"), ["GET /busy", "GET /b"]);
    });

    it("counts nothing if it has already fired", async () => {
      const limiter = new Limited();
      for (let index = 0; index < 50; index += 1) {
        assert.equal(await errorOf(limiter.acquire("GET /a", never, AbortSignal.abort(stop))), stop);
      }
      await limiter.acquire("GET /a");
      assert.equal(limiter.clock.now(), 0);
    });
  });

  describe("in a NeonClient", () => {
    it("treats paths that differ only in ids as one route", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 404, body: { message: "no" } }]);
      const all = Array.from({ length: 80 }, (_, index) =>
        errorOf(client.send(operations.get(`project-${index}`, `operation-${index}`))),
      );
      await clock.run(Promise.all(all));
      assertWithinLimits(sent.map(({ at }) => ({ route: "", at })));
      assert.ok(sent.filter(({ at }) => at === 0).length <= 40);
    });

    it("treats different methods and paths as different routes", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 404, body: { message: "no" } }]);
      const all = Array.from({ length: 30 }, () => [projects.get("p"), projects.delete("p"), users.me()] as const);
      await clock.run(Promise.all(all.flat().map((request) => errorOf(client.send<unknown>(request)))));
      assert.deepEqual(new Set(sent.map(({ at }) => at)), new Set([0]));
    });

    it("limits nothing once the service says that it has no limits, and still waits after a 429", async () => {
      const headers = { "x-rate-limit": "none" };
      let limited = false;
      const { client, clock, sent } = scriptedClient(() => {
        if (!limited) return { headers };
        limited = false;
        return { status: 429, headers: { ...headers, "retry-after": "3" } };
      });
      const send = (index: number): Promise<unknown> =>
        client.send({ method: "GET", path: `/route-${index % 3}`, schema: z.unknown() });
      await clock.run(send(0));
      await clock.run(Promise.all(Array.from({ length: 1999 }, (_, index) => send(index))));
      assert.equal(clock.now(), 0);
      limited = true;
      await clock.run(send(0));
      assert.equal(sent.length, 2002);
      assert.ok(clock.now() >= 3000, `${clock.now()} ms`);
    });

    it("does not count time in the queue towards the default timeout of a request", async () => {
      const { client, clock, sent } = scriptedClient(({ path, at }) =>
        path === "/users/me" && at < 170_000
          ? { status: 503 }
          : { body: { id: "u1", email: "somebody@example.com", name: "somebody" } },
      );
      const many = Array.from({ length: 680 }, (_, index) =>
        client.attempt({ method: "GET", path: `/route-${index}`, schema: z.unknown() }),
      );
      await clock.run(Promise.all([...many, client.send(users.me())]));
      assert.ok((sent[680]?.at ?? 0) > 60_000);
      assert.ok(clock.now() >= 170_000 && clock.now() < 176_000);
    });
  });
});

interface Acquired {
  readonly route: string;
  readonly at: number;
}

/** A rate limiter with a manual clock. */
class Limited extends RateLimiter {
  readonly clock: ManualClock;
  /** The requests that were let through, in order. */
  readonly acquired: Acquired[] = [];

  constructor(clock = new ManualClock()) {
    super(clock);
    this.clock = clock;
  }

  override async acquire(route: string, deadline = never, signal?: AbortSignal): Promise<number | undefined> {
    const hold = await super.acquire(route, deadline, signal);
    this.acquired.push({ route, at: this.clock.now() });
    return hold;
  }

  /** Acquires so many at once. */
  async acquireMany(count: number, route = "GET /a"): Promise<readonly (number | undefined)[]> {
    return await Promise.all(Array.from({ length: count }, () => this.acquire(route)));
  }
}

/** Acquires all of these at once, and returns when each was acquired. */
async function acquireAll(routes: readonly string[]): Promise<readonly Acquired[]> {
  const limiter = new Limited();
  await limiter.clock.run(Promise.all(routes.map((route) => limiter.acquire(route))));
  return limiter.acquired;
}

/** The maximum number of these within any window of this many milliseconds. */
function most(acquired: readonly Acquired[], within: number): number {
  let from = 0;
  return acquired.reduce((top, { at }, index) => {
    while ((acquired[from]?.at ?? 0) <= at - within) from += 1;
    return Math.max(top, index - from + 1);
  }, 0);
}

function assertWithinLimits(acquired: readonly Acquired[]): void {
  assert.ok(most(acquired, 60_000) <= 700, `${most(acquired, 60_000)} in a minute`);
  for (const route of new Set(acquired.map((one) => one.route))) {
    const own = acquired.filter((one) => one.route === route);
    assert.ok(most(own, 1000) <= 40, `${most(own, 1000)} in a second to ${route}`);
  }
}
