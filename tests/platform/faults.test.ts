import type { GeneralError } from "@neondatabase/api-client";
import { afterEach, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { startPlatform } from "../../platform/index";
import { suitePlatform } from "../support/platform";
import { assertError, rowsOf } from "./support/responses";

describe("local platform: scripted faults", () => {
  const platform = suitePlatform();
  beforeEach(async () => {
    await platform().clearRequests();
  });
  afterEach(async () => {
    await platform().clearFaults();
  });
  const status = async (method: string, path: string, body?: unknown) =>
    (await platform().call(method, path, body)).status;
  const count = async () => (await platform().call("GET", "/projects?limit=400")).body.projects.length;

  it("status answers the given number of requests without performing them", async () => {
    const before = await count();
    await platform().fault({ method: "post", path: "/projects$", times: 2, status: 503 });
    assert.equal(await status("GET", "/projects"), 200);
    assert.equal(await status("POST", "/projects", { project: {} }), 503);
    assert.equal(await status("POST", "/projects", { project: {} }), 503);
    assert.equal(await count(), before);
    assert.equal(await status("POST", "/projects", { project: {} }), 201);
  });

  it("skip ignores the first matching requests of each fault", async () => {
    await platform().fault({ method: "GET", path: "^/projects$", skip: 2, times: 2, status: 503 });
    await platform().fault({ path: "^/projects$", skip: 1, status: 500 });
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) {
      statuses.push(await status("GET", "/projects"));
      assert.equal(await status("GET", "/users/me"), 200);
    }
    assert.deepEqual(statuses, [200, 500, 503, 503, 200, 200]);
  });

  it("body and headers are sent as given, JSON or not", async () => {
    await platform().fault({ status: 429, body: { code: "X", message: "slow" }, headers: { "Retry-After": "7" } });
    await platform().fault({ status: 524, body: "<html>gateway</html>", headers: { "content-type": "text/html" } });
    await platform().fault({ status: 200, body: [] });
    const json = await platform().call("GET", "/projects");
    assert.equal(json.status, 429);
    assert.equal(json.headers.get("retry-after"), "7");
    assert.deepEqual({ ...json.body }, { code: "X", message: "slow" });
    const html = await platform().call("GET", "/projects");
    assert.equal(html.status, 524);
    assert.equal(html.headers.get("content-type"), "text/html");
    assert.equal(html.body, "<html>gateway</html>");
    assert.deepEqual((await platform().call("GET", "/projects")).body, []);
  });

  it("path matches with and without the base path and the query", async () => {
    for (const path of ["^/projects$", "^/api/v2/projects$", "limit=5", "^/projects\\?limit=5$", "proj.*ts"]) {
      await platform().fault({ path, status: 500 });
      assert.equal(await status("GET", "/projects?limit=5"), 500, path);
    }
  });

  for (const [effect, performed, fault] of [
    ["reset before drops the connection without performing the request", 0, { reset: "before" }],
    ["reset after drops the connection after performing the request", 1, { reset: "after" }],
    ["truncate sends half of the response", 1, { truncate: true }],
  ] as const) {
    it(effect, async () => {
      const before = await count();
      await platform().fault({ method: "POST", ...fault });
      await assert.rejects(status("POST", "/projects", { project: {} }));
      assert.equal(await count(), before + performed);
    });
  }

  it("perform answers with the status although the request is performed", async () => {
    const before = await count();
    await platform().fault({ method: "POST", status: 502, perform: true });
    assert.equal(await status("POST", "/projects", { project: {} }), 502);
    assert.equal(await count(), before + 1);
    const [created] = (await platform().requests()).filter(({ method }) => method === "POST").slice(-1);
    assert.equal(created?.status, 201, "the log tells what was made of it");
  });

  it("delayMs delays a request that is performed or answered by the fault", async () => {
    await platform().fault({ delayMs: 60 });
    await platform().fault({ delayMs: 60, status: 502 });
    for (const expected of [200, 502]) {
      const start = performance.now();
      assert.equal(await status("GET", "/projects"), expected);
      assert.ok(performance.now() - start >= 59);
    }
  });

  it("deleted faults no longer apply", async () => {
    await platform().fault({ times: 5, status: 500 });
    assert.equal(await status("GET", "/projects"), 500);
    await platform().clearFaults();
    assert.equal(await status("GET", "/projects"), 200);
  });

  for (const [what, fault, message = /./] of [
    ["has no effect", { path: "x" }],
    ["has both a status and a reset", { status: 500, reset: "after" }],
    ["has a body without a status", { body: "x", delayMs: 1 }],
    ["has an invalid status", { status: 42 }],
    ["has an invalid regular expression as its path", { path: "(", status: 500 }],
    ["has an invalid header", { status: 500, headers: { "a b": "c" } }],
    ["has times 0", { status: 500, times: 0 }],
    ["has an unknown member", { status: 500, code: "X" }],
    [
      "has an action that no operation has",
      { action: "start_computes", end: "error" },
      /^fault action: .*"create_branch".*"start_compute"/,
    ],
    ["has an unknown end", { action: "start_compute", end: "well" }],
    ["has members of both kinds", { action: "start_compute", end: "error", status: 500 }],
    ["is not an object", "boom"],
  ] as const) {
    it(`a fault is rejected if it ${what}`, async () => {
      assertError(await platform().local<GeneralError>("POST", "/faults", fault), 400, message);
    });
  }

  it("faults can be added and deleted, and requests read and cleared, in the process of the platform", async () => {
    const running = await startPlatform();
    try {
      const answered = async (): Promise<number> => (await fetch(`${running.apiUrl}/regions`)).status;
      running.addFault({ path: "/regions$", status: 503, times: 2 });
      assert.equal(await answered(), 503);
      running.clearFaults();
      assert.notEqual(await answered(), 503);
      const request = ["GET", "/api/v2/regions"];
      assert.deepEqual(rowsOf(running.requests(), "method", "path"), [request, request]);
      running.clearRequests();
      assert.deepEqual(running.requests(), []);
      assert.throws(() => {
        running.addFault({ path: "(", status: 500 });
      }, /fault path: must be a regular expression/);
    } finally {
      await running.close();
    }
  });

  it("at most 500 faults can be pending", async () => {
    const order = async () => (await platform().local("POST", "/faults", { path: "^none$", status: 418 })).status;
    const statuses = new Set<number>();
    while (statuses.size < 2)
      for (const found of await Promise.all(Array.from({ length: 100 }, order))) statuses.add(found);
    assert.deepEqual(statuses, new Set([201, 422]));
  });
});
