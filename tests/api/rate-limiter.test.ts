import fc from "fast-check";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { z } from "zod";
import { RateLimiter } from "../../api/http/rate-limiter";
import { operations, PlatformClient, projects, type Transport, users } from "../../api/index";
import { HttpError } from "../../platform/http-error";
import { RateLimit } from "../../platform/http/rate-limit";
import { seededRandom } from "../reliability/seeded-random";
import { endless, ManualClock } from "../support/clock";
import { apiKey, apiUrl, errorOf, scriptedClient } from "./scripted-client";

interface Taken {
  readonly route: string;
  readonly at: number;
}

/** Asks for all of these at once, and answers when each could be sent. */
async function take(routes: readonly string[]): Promise<readonly Taken[]> {
  const clock = new ManualClock();
  const budget = new RateLimiter(clock);
  const taken: Taken[] = [];
  await clock.run(
    Promise.all(
      routes.map(async (route) => {
        await budget.acquire(route, Infinity);
        taken.push({ route, at: clock.now() });
      }),
    ),
  );
  return taken;
}

/** Most of these within any stretch of so many milliseconds. */
function most(taken: readonly Taken[], within: number): number {
  let from = 0;
  return taken.reduce((top, { at }, index) => {
    while ((taken[from]?.at ?? 0) <= at - within) from += 1;
    return Math.max(top, index - from + 1);
  }, 0);
}

function keepsTheLimits(taken: readonly Taken[]): void {
  assert.ok(most(taken, 60_000) <= 700, `${most(taken, 60_000)} in a minute`);
  for (const route of new Set(taken.map((one) => one.route))) {
    const own = taken.filter((one) => one.route === route);
    assert.ok(most(own, 1000) <= 40, `${most(own, 1000)} in a second to ${route}`);
  }
}

describe("api: rate budget", () => {
  it("2,000 requests on many routes: never more than 700 in any minute, nor 40 in any second for a route", async () => {
    const taken = await take(Array.from({ length: 2000 }, (_, index) => `GET /route-${(index * index) % 37}`));
    assert.equal(taken.length, 2000);
    keepsTheLimits(taken);
    const { at: end = 0 } = taken.at(-1) ?? {};
    assert.ok(end < 125_000, `it is used to the full: ${end} ms`);
  });

  it("2,000 requests on one route keep the limits, too, in the order they came", async () => {
    const taken = await take(Array.from({ length: 2000 }, () => "GET /route"));
    keepsTheLimits(taken);
    assert.ok(taken.every(({ at }, index) => at >= (taken[index - 1]?.at ?? 0)));
  });

  it("as few as the limits allow go out at once", async () => {
    const taken = await take([
      ...Array.from({ length: 36 }, () => "GET /one"),
      ...Array.from({ length: 36 }, () => "GET /two"),
    ]);
    assert.deepEqual(new Set(taken.map(({ at }) => at)), new Set([0]));
  });

  it("whoever comes first goes first, whatever the route", async () => {
    const routes = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? "GET /busy" : `GET /${index}`));
    assert.deepEqual(
      (await take(routes)).map(({ route }) => route),
      routes,
    );
  });

  it("keeps the limits whenever the requests come", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 60 }), fc.nat(2)), { minLength: 1, maxLength: 25 }),
        async (bursts) => {
          const clock = new ManualClock();
          const budget = new RateLimiter(clock);
          const taken: Taken[] = [];
          const all: Promise<void>[] = [];
          for (const [pause, count, route] of bursts) {
            await clock.advance(pause);
            for (let index = 0; index < count; index += 1) {
              all.push(
                budget.acquire(`GET /${route}`, Infinity).then(() => {
                  taken.push({ route: `GET /${route}`, at: clock.now() });
                }),
              );
            }
          }
          await clock.run(Promise.all(all));
          assert.equal(taken.length, all.length);
          keepsTheLimits(taken);
        },
      ),
      { numRuns: 25 },
    );
  });

  describe("a refusal", () => {
    it("lets nobody send until the time that the platform asks for is over", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      budget.refused(clock.now(), 7000);
      const times: number[] = [];
      const note = (): void => void times.push(Math.round(clock.now()));
      await clock.run(Promise.all(["GET /a", "GET /b"].map((route) => budget.acquire(route, Infinity).then(note))));
      assert.deepEqual(times, [7000, 7089], "and then nobody rushes");
    });

    it("is never shortened by a later one", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      budget.refused(clock.now(), 7000);
      budget.refused(clock.now(), 10);
      await clock.run(budget.acquire("GET /a", Infinity));
      assert.equal(clock.now(), 7000);
    });

    it("holds back those who already wait for their turn, too", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      const times: number[] = [];
      const all = Array.from({ length: 40 }, () =>
        budget.acquire("GET /a", Infinity).then(() => void times.push(clock.now())),
      );
      await clock.advance(500);
      budget.refused(clock.now(), 20_000);
      await clock.run(Promise.all(all));
      assert.deepEqual([times[35], times[36]], [0, 20_500]);
    });

    it("beyond a deadline is not waited for: the caller learns how long it is", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      budget.refused(clock.now(), 20_000);
      assert.equal(await budget.acquire("GET /a", 10_000), 20_000);
      assert.equal(clock.now(), 0);
      assert.equal(await clock.run(budget.acquire("GET /a", 20_000)), undefined);
      assert.equal(clock.now(), 20_000);
    });

    it("that comes while one waits in line counts against that one's deadline, too", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      const all = Array.from({ length: 36 }, () => budget.acquire("GET /a", Infinity));
      const late = budget.acquire("GET /a", 10_000);
      await clock.advance(500);
      budget.refused(clock.now(), 20_000);
      assert.equal(await clock.run(late), 19_450);
      assert.deepEqual(await Promise.all(all), Array<undefined>(36).fill(undefined));
    });
  });

  describe("the time in the line", () => {
    it("is told apart from the time that the platform asks for", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      const waited: number[] = [];
      const note = (milliseconds: number): void => void waited.push(milliseconds);
      for (let index = 0; index < 36; index += 1) await budget.acquire("GET /a", Infinity, undefined, note);
      const late = budget.acquire("GET /a", Infinity, undefined, note);
      await clock.advance(500);
      budget.refused(clock.now(), 20_000);
      await clock.run(late);
      assert.deepEqual(waited, [...Array<number>(36).fill(0), 500]);
    });

    it("does not bring a deadline nearer, at whichever attempt", async () => {
      const { client, clock, sent } = scriptedClient(({ path, at }) =>
        path === "/users/me" && at < 66_000
          ? { status: 503 }
          : { body: { id: "u1", email: "somebody@example.com", name: "somebody" } },
      );
      const route = (index: number) => ({ method: "GET", path: `/route-${index}`, answer: z.unknown() }) as const;
      const first = Array.from({ length: 679 }, (_, index) => client.attempt(route(index)));
      let queued = 0;
      const asked = client.send(users.me(), {
        deadline: 10_000,
        onQueued: (milliseconds) => (queued += milliseconds),
      });
      await clock.run(Promise.all([...first, asked]));
      const own = sent.filter(({ path }) => path === "/users/me");
      assert.equal(own[0]?.at, 0);
      assert.ok(clock.now() >= 66_000, "the account was used up between its attempts");
      assert.ok(queued > 55_000 && clock.now() - queued <= 10_000);
    });
  });

  describe("several processes of one account", () => {
    /** What so many processes with so many callers each came to, at a platform that counts what all of them send. */
    async function crowd(processes: number, callers: number, each: number, says: boolean, seed: number) {
      const clock = new ManualClock();
      const limit = new RateLimit({ now: () => clock.now(), after: () => () => undefined });
      const draw = seededRandom(seed);
      let refusals = 0;
      const transport: Transport = async ({ method, url, signal }) => {
        await clock.sleep(50 * draw(), signal);
        let status = 200;
        let retryAfter: string | undefined;
        try {
          limit.consume("somebody", `${method} ${url.replace(/caller-\d+/, "*")}`);
        } catch (error) {
          assert.ok(error instanceof HttpError);
          ({ status } = error);
          retryAfter = says ? error.headers["retry-after"] : undefined;
          refusals += 1;
        }
        await clock.sleep(50 * draw(), signal);
        return { status, header: (name) => (name === "retry-after" ? retryAfter : undefined), body: "{}" };
      };
      const clients = Array.from(
        { length: processes },
        () => new PlatformClient({ apiKey, apiUrl, clock, attemptTimeout: endless, transport }),
      );
      const work = async (client: PlatformClient, caller: number): Promise<void> => {
        for (let index = 0; index < each; index += 1) {
          await client.send({ method: "GET", path: `/route-${index % 8}/caller-${caller}`, answer: z.unknown() });
        }
      };
      await clock.run(
        Promise.all(clients.flatMap((client) => Array.from({ length: callers }, (_, caller) => work(client, caller)))),
      );
      return { requests: processes * callers * each, refusals, seconds: clock.now() / 1000 };
    }

    for (const [processes, callers, each] of [
      [2, 16, 100],
      [2, 100, 16],
      [8, 32, 12],
    ] as const) {
      for (const says of [true, false]) {
        it(`${processes} with ${callers} callers each: a 429 ${says ? "that says when to come back" : "without a word"} costs little, and all finish`, async () => {
          const { requests, refusals, seconds } = await crowd(processes, callers, each, says, 7);
          // The account begins with a minute's allowance.
          const least = (60 * (requests - 700)) / 700;
          assert.ok(refusals > 0 && refusals <= 0.2 * requests, `${refusals} of ${requests} were refused`);
          assert.ok(seconds <= 1.2 * least, `${seconds} s instead of ${least} s`);
        });
      }
    }

    it("that are refused whatever they send give up in time", async () => {
      const { client, clock } = scriptedClient([{ status: 429 }]);
      const all = Array.from({ length: 20 }, () => errorOf(client.send(users.me())));
      for (const error of await clock.run(Promise.all(all))) assert.match(error.message, /rate limit/);
      assert.ok(clock.now() >= 115_000 && clock.now() < 200_000, `${clock.now()}`);
    });
  });

  describe("who stops waiting", () => {
    const stop = new Error("stopped by the user");

    it("is not counted, and leaves the line to the next", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      budget.refused(clock.now(), 7000);
      const controller = new AbortController();
      const stopped = errorOf(budget.acquire("GET /a", Infinity, controller.signal));
      const next = budget.acquire("GET /a", Infinity);
      await clock.advance(1000);
      controller.abort(stop);
      assert.equal(await stopped, stop);
      await clock.run(next);
      assert.equal(clock.now(), 7000);
    });

    it("leaves at once, also from the middle of the line, and nobody overtakes those in front", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      for (let index = 0; index < 36; index += 1) await budget.acquire("GET /busy", Infinity);
      const controller = new AbortController();
      const order: string[] = [];
      const note = (name: string) => () => void order.push(name);
      const first = budget.acquire("GET /busy", Infinity).then(note("first"));
      const stopped = errorOf(budget.acquire("GET /a", Infinity, controller.signal));
      const last = budget.acquire("GET /b", Infinity).then(note("last"));
      await clock.advance(100);
      controller.abort(stop);
      assert.equal(await clock.run(stopped), stop);
      assert.equal(clock.now(), 100);
      await clock.run(Promise.all([first, last]));
      assert.deepEqual(order, ["first", "last"]);
    });

    it("before it begins takes nothing from the budget", async () => {
      const clock = new ManualClock();
      const budget = new RateLimiter(clock);
      for (let index = 0; index < 50; index += 1) {
        assert.equal(await errorOf(budget.acquire("GET /a", Infinity, AbortSignal.abort(stop))), stop);
      }
      await budget.acquire("GET /a", Infinity);
      assert.equal(clock.now(), 0);
    });
  });

  describe("in a client", () => {
    it("the ids in a path make no route of their own", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 404, body: { message: "no" } }]);
      const all = Array.from({ length: 80 }, (_, index) =>
        errorOf(client.send(operations.get(`project-${index}`, `operation-${index}`))),
      );
      await clock.run(Promise.all(all));
      keepsTheLimits(sent.map(({ at }) => ({ route: "", at })));
      assert.ok(sent.filter(({ at }) => at === 0).length <= 40);
    });

    it("methods and paths make different routes", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 404, body: { message: "no" } }]);
      const all = Array.from({ length: 30 }, () => [projects.get("p"), projects.delete("p"), users.me()] as const);
      await clock.run(Promise.all(all.flat().map((request) => errorOf(client.send<unknown>(request)))));
      assert.deepEqual(new Set(sent.map(({ at }) => at)), new Set([0]));
    });

    it("a thousand callers at once meet no limit: each of them waits instead", async () => {
      const { client, clock, sent } = scriptedClient([{ status: 404, body: { message: "no" } }]);
      await clock.run(
        Promise.all(Array.from({ length: 1000 }, (_, index) => errorOf(client.send(projects.get(`p-${index}`))))),
      );
      assert.equal(sent.length, 1000);
      keepsTheLimits(sent.map(({ at }) => ({ route: "", at })));
    });

    it("the time in the line does not count against a request's own two minutes", async () => {
      const { client, clock, sent } = scriptedClient(({ path, at }) =>
        path === "/users/me" && at < 170_000
          ? { status: 503 }
          : { body: { id: "u1", email: "somebody@example.com", name: "somebody" } },
      );
      const many = Array.from({ length: 680 }, (_, index) =>
        client.attempt({ method: "GET", path: `/route-${index}`, answer: z.unknown() }),
      );
      await clock.run(Promise.all([...many, client.send(users.me())]));
      assert.ok((sent[680]?.at ?? 0) > 60_000);
      assert.ok(clock.now() >= 170_000 && clock.now() < 176_000);
    });
  });
});
