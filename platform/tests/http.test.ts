import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { request } from "node:http";
import { startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { HttpError } from "../http-error";
import { RateLimit } from "../http/rate-limit";

describe("platform: over HTTP", () => {
  const platform = suitePlatform();

  it("an unknown route, or method on one, is named", async () => {
    for (const [method, path] of [
      ["GET", "/nonsense"],
      ["PUT", "/projects"],
      ["POST", "/projects/x/branches/y/z"],
      ["GET", ""],
      ["GET", "/projects/"],
    ] as const) {
      const { status, body } = await platform().call(method, path);
      assert.equal(status, 404);
      assert.equal(body.message, `unknown route: ${method} /api/v2${path}`);
    }
  });

  it("a refusal has a request id, a code and a message; the id is the client's own if it sends one", async () => {
    const own = await platform().call("GET", "/projects/none", undefined, { headers: { "x-request-id": "my-id" } });
    assert.deepEqual({ ...own.body }, { request_id: "my-id", code: "", message: "project not found" });
    assert.equal(own.headers.get("x-request-id"), "my-id");
    const given = await platform().call("GET", "/projects/none");
    assert.match(given.body.request_id ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(given.headers.get("x-request-id"), given.body.request_id);
  });

  it("an answer is JSON and says when it was given", async () => {
    const asked = Date.now();
    const { headers } = await platform().call("GET", "/projects");
    assert.equal(headers.get("content-type"), "application/json");
    const given = Date.parse(headers.get("date") ?? "");
    // It is told in whole seconds.
    assert.ok(given > asked - 1000 && given <= Date.now());
  });

  for (const [what, body] of [
    ["not JSON", "{"],
    ["not an object", "[]"],
    ["a bare null", "null"],
    ["no body", undefined],
    ["a body of blanks", "  "],
    ["without its member", "{}"],
    ["of the wrong type", '{"project":[]}'],
  ] as const) {
    it(`a body that is ${what} is refused`, async () => {
      const { status, body: refusal } = await platform().call("POST", "/projects", body);
      assert.equal(status, 400);
      assert.match(refusal.message, /body/);
    });
  }

  it("a body of more than 1 MiB is refused", async () => {
    const { status } = await platform().call("POST", "/projects", { project: { name: "x".repeat(1 << 20) } });
    assert.equal(status, 413);
  });

  it("strange addresses find nothing and break nothing", async () => {
    for (const path of [
      "/projects/%00",
      "/projects/%zz",
      "/projects/..%2f",
      "/projects/'%20OR%201=1",
      "/projects/%E0",
    ]) {
      assert.equal((await platform().call("GET", path)).status, 404, path);
    }
  });

  it("HEAD is answered like GET, without a body", async () => {
    const headers = { authorization: `Bearer ${platform().apiKey}` };
    const response = await fetch(`${platform().apiUrl}/projects`, { method: "HEAD", headers });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  });

  it("what needs no key is for programs on this machine, not for pages in a browser", async () => {
    const { consoleUrl } = platform().platform;
    const status = (path: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${consoleUrl}${path}`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
    for (const path of ["/", "/local/requests", "/local/faults"]) {
      assert.equal(await status(path, {}), 200);
      assert.equal(await status(path, { origin: "https://evil.example" }), 403);
      assert.equal(await status(path, { host: "evil.example" }), 403);
    }
  });

  it("only loopback addresses are listened on", async () => {
    await assert.rejects(startTestPlatform({ host: "0.0.0.0" }), /not a loopback address/);
  });

  it("every answer is held back by the latency asked for", async () => {
    const slow = await startTestPlatform({ latencyMs: 50 });
    try {
      const start = performance.now();
      await slow.call("GET", "/regions");
      assert.ok(performance.now() - start >= 49);
    } finally {
      await slow.close();
    }
  });
});

describe("platform: the rate limit", () => {
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

  it("lets through 40 requests a second on one route", () => {
    const clock = new ManualPlatformClock();
    const limit = new RateLimit(clock);
    for (let count = 0; count < 40; count += 1) assert.equal(status(limit, "GET /projects"), undefined);
    assert.equal(status(limit, "GET /projects"), 429);
    assert.equal(status(limit, "GET /regions"), undefined);
    clock.advance(25);
    assert.equal(status(limit, "GET /projects"), undefined);
    assert.equal(status(limit, "GET /projects"), 429);
  });

  it("lets through 700 requests a minute of one account", () => {
    const clock = new ManualPlatformClock();
    const limit = new RateLimit(clock);
    for (let count = 0; count < 700; count += 1) assert.equal(status(limit, `GET /${count % 100}`), undefined);
    assert.equal(status(limit, "GET /x"), 429);
    clock.advance(60_000 / 700 + 1);
    assert.equal(status(limit, "GET /x"), undefined);
    assert.equal(status(limit, "GET /x"), 429);
  });

  it("is not in force unless asked for", async () => {
    // No time passes, so that it does not matter how fast this machine is.
    const clock = new ManualPlatformClock();
    const free = await startTestPlatform({ clock });
    const limited = await startTestPlatform({ clock, rateLimit: true });
    try {
      const flood = (platform: typeof free) =>
        Promise.all(Array.from({ length: 60 }, () => platform.call("GET", "/regions")));
      assert.ok((await flood(free)).every(({ status: found }) => found === 200));
      const refused = (await flood(limited)).filter(({ status: found }) => found === 429);
      assert.equal(refused.length, 20);
      assert.ok(refused.every(({ headers }) => headers.get("retry-after") === "1"));
    } finally {
      await free.close();
      await limited.close();
    }
  });
});
