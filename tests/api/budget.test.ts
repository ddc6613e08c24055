import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { z } from "zod";
import { RateBudget } from "../../api/budget";
import { operations, projects, users } from "../../api/index";
import { ManualClock } from "../support/clock";
import { errorOf, scriptedClient } from "./scripted-client";

interface Taken {
  readonly route: string;
  readonly at: number;
}

/** Asks for all of these at once, and answers when each could be sent. */
async function take(routes: readonly string[]): Promise<readonly Taken[]> {
  const clock = new ManualClock();
  const budget = new RateBudget(clock);
  const taken: Taken[] = [];
  await clock.run(
    Promise.all(
      routes.map(async (route) => {
        await budget.take(route, Infinity);
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
          const budget = new RateBudget(clock);
          const taken: Taken[] = [];
          const all: Promise<void>[] = [];
          for (const [pause, count, route] of bursts) {
            await clock.advance(pause);
            for (let index = 0; index < count; index += 1) {
              all.push(
                budget.take(`GET /${route}`, Infinity).then(() => {
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

  describe("a hold", () => {
    it("lets nobody send until it is over", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      budget.hold(7000);
      await clock.run(Promise.all([budget.take("GET /a", Infinity), budget.take("GET /b", Infinity)]));
      assert.equal(clock.now(), 7000);
    });

    it("is never shortened by a later one", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      budget.hold(7000);
      budget.hold(10);
      await clock.run(budget.take("GET /a", Infinity));
      assert.equal(clock.now(), 7000);
    });

    it("holds back those who already wait for their turn, too", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      const all = Promise.all(Array.from({ length: 40 }, () => budget.take("GET /a", Infinity)));
      await clock.advance(500);
      budget.hold(20_000);
      await clock.run(all);
      assert.equal(clock.now(), 20_500);
    });

    it("beyond a deadline is not waited for: the caller learns how long it is", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      budget.hold(20_000);
      assert.equal(await budget.take("GET /a", 10_000), 20_000);
      assert.equal(clock.now(), 0);
      assert.equal(await clock.run(budget.take("GET /a", 20_000)), undefined);
      assert.equal(clock.now(), 20_000);
    });

    it("that comes while one waits in line counts against that one's deadline, too", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      const all = Array.from({ length: 36 }, () => budget.take("GET /a", Infinity));
      const late = budget.take("GET /a", 10_000);
      await clock.advance(500);
      budget.hold(20_000);
      assert.equal(await clock.run(late), 19_450);
      assert.deepEqual(await Promise.all(all), Array<undefined>(36).fill(undefined));
    });
  });

  describe("who stops waiting", () => {
    const stop = new Error("stopped by the user");

    it("is not counted, and leaves the line to the next", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      budget.hold(7000);
      const controller = new AbortController();
      const stopped = errorOf(budget.take("GET /a", Infinity, controller.signal));
      const next = budget.take("GET /a", Infinity);
      await clock.advance(1000);
      controller.abort(stop);
      assert.equal(await stopped, stop);
      await clock.run(next);
      assert.equal(clock.now(), 7000);
    });

    it("leaves at once, also from the middle of the line, and nobody overtakes those in front", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      for (let index = 0; index < 36; index += 1) await budget.take("GET /busy", Infinity);
      const controller = new AbortController();
      const order: string[] = [];
      const note = (name: string) => () => void order.push(name);
      const first = budget.take("GET /busy", Infinity).then(note("first"));
      const stopped = errorOf(budget.take("GET /a", Infinity, controller.signal));
      const last = budget.take("GET /b", Infinity).then(note("last"));
      await clock.advance(100);
      controller.abort(stop);
      assert.equal(await clock.run(stopped), stop);
      assert.equal(clock.now(), 100);
      await clock.run(Promise.all([first, last]));
      assert.deepEqual(order, ["first", "last"]);
    });

    it("before it begins takes nothing from the budget", async () => {
      const clock = new ManualClock();
      const budget = new RateBudget(clock);
      for (let index = 0; index < 50; index += 1) {
        assert.equal(await errorOf(budget.take("GET /a", Infinity, AbortSignal.abort(stop))), stop);
      }
      await budget.take("GET /a", Infinity);
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
