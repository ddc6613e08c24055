import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { HttpError } from "../../platform/http-error";
import { RateLimit } from "../../platform/http/rate-limit";
import { withPlatform } from "./support/running";

describe("local platform: rate limit", () => {
  const status = (limit: RateLimit, route: string): number | undefined => {
    try {
      limit.consume("account", route);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof HttpError);
      assert.ok(Number(error.headers["retry-after"]) >= 1);
      return error.status;
    }
  };

  it("allows 40 requests a second for one route", () => {
    const clock = new ManualPlatformClock();
    const limit = new RateLimit(clock);
    for (let count = 0; count < 40; count += 1) assert.equal(status(limit, "GET /projects"), undefined);
    assert.equal(status(limit, "GET /projects"), 429);
    assert.equal(status(limit, "GET /regions"), undefined);
    clock.advance(25);
    assert.equal(status(limit, "GET /projects"), undefined);
    assert.equal(status(limit, "GET /projects"), 429);
  });

  it("allows 700 requests a minute for one account", () => {
    const clock = new ManualPlatformClock();
    const limit = new RateLimit(clock);
    for (let count = 0; count < 700; count += 1) assert.equal(status(limit, `GET /${count % 100}`), undefined);
    assert.equal(status(limit, "GET /x"), 429);
    clock.advance(60_000 / 700 + 1);
    assert.equal(status(limit, "GET /x"), undefined);
    assert.equal(status(limit, "GET /x"), 429);
  });

  it("applies only with the rateLimit option [1.10 rate limits]", async () => {
    // With a manual clock, the result does not depend on the speed of the machine.
    const clock = new ManualPlatformClock();
    const flood = (rateLimit: boolean) =>
      withPlatform({ clock, rateLimit }, (platform) =>
        Promise.all(Array.from({ length: 60 }, () => platform.call("GET", "/regions"))),
      );
    const unlimited = await flood(false);
    assert.ok(unlimited.every(({ status: found, headers }) => found === 200 && headers.get("x-rate-limit") === "none"));
    assert.equal((await flood(true))[0]?.headers.get("x-rate-limit"), null);
    const rejected = (await flood(true)).filter(({ status: found }) => found === 429);
    assert.equal(rejected.length, 20);
    assert.ok(rejected.every(({ headers }) => headers.get("retry-after") === "1"));
  });
});
