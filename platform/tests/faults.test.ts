import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { suitePlatform } from "../../tests/support/platform";

describe("platform: scripted faults of requests", () => {
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

  it("answer in place of the platform, so many times, and do nothing", async () => {
    const before = await count();
    await platform().fault({ method: "post", path: "/projects$", times: 2, status: 503 });
    assert.equal(await status("GET", "/projects"), 200);
    assert.equal(await status("POST", "/projects", { project: {} }), 503);
    assert.equal(await status("POST", "/projects", { project: {} }), 503);
    assert.equal(await count(), before);
    assert.equal(await status("POST", "/projects", { project: {} }), 201);
  });

  it("let as many go by as they are told to, each counting those that are meant for it", async () => {
    await platform().fault({ method: "GET", path: "^/projects$", skip: 2, times: 2, status: 503 });
    await platform().fault({ path: "^/projects$", skip: 1, status: 500 });
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) {
      statuses.push(await status("GET", "/projects"));
      assert.equal(await status("GET", "/users/me"), 200);
    }
    assert.deepEqual(statuses, [200, 500, 503, 503, 200, 200]);
  });

  it("can be meant for a later operation of the same action", async () => {
    const { project, branch } = await platform().project({});
    await platform().fault({ action: "create_branch", skip: 1, end: "error" });
    for (const expected of ["finished", "error"]) {
      const { body } = await platform().call("POST", `/projects/${project.id}/branches`, {
        branch: { parent_id: branch.id },
      });
      const ended = (await platform().settled(project.id)).find(({ branch_id: id }) => id === body.branch.id);
      assert.equal(ended?.status, expected);
    }
  });

  it("answer with the body and headers they are given, JSON or not", async () => {
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

  it("are for paths with or without the base and the query", async () => {
    for (const path of ["^/projects$", "^/api/v2/projects$", "limit=5", "^/projects\\?limit=5$", "proj.*ts"]) {
      await platform().fault({ path, status: 500 });
      assert.equal(await status("GET", "/projects?limit=5"), 500, path);
    }
  });

  it("can drop the connection before anything is done", async () => {
    const before = await count();
    await platform().fault({ method: "POST", reset: "before" });
    await assert.rejects(status("POST", "/projects", { project: {} }));
    assert.equal(await count(), before);
  });

  it("can drop the connection after all is done", async () => {
    const before = await count();
    await platform().fault({ method: "POST", reset: "after" });
    await assert.rejects(status("POST", "/projects", { project: {} }));
    assert.equal(await count(), before + 1);
  });

  it("can cut an answer off in the middle", async () => {
    const before = await count();
    await platform().fault({ method: "POST", truncate: true });
    await assert.rejects(status("POST", "/projects", { project: {} }));
    assert.equal(await count(), before + 1);
  });

  it("can answer anything although all is done", async () => {
    const before = await count();
    await platform().fault({ method: "POST", status: 502, perform: true });
    assert.equal(await status("POST", "/projects", { project: {} }), 502);
    assert.equal(await count(), before + 1);
    const [made] = (await platform().requests()).filter(({ method }) => method === "POST").slice(-1);
    assert.equal(made?.status, 201, "the log tells what was made of it");
  });

  it("can delay a request that is then performed, or answered", async () => {
    await platform().fault({ delayMs: 60 });
    await platform().fault({ delayMs: 60, status: 502 });
    for (const expected of [200, 502]) {
      const start = performance.now();
      assert.equal(await status("GET", "/projects"), expected);
      assert.ok(performance.now() - start >= 59);
    }
  });

  it("end when they are deleted", async () => {
    await platform().fault({ times: 5, status: 500 });
    assert.equal(await status("GET", "/projects"), 500);
    await platform().clearFaults();
    assert.equal(await status("GET", "/projects"), 200);
  });

  for (const [what, fault] of [
    ["does nothing", { path: "x" }],
    ["answers and drops at once", { status: 500, reset: "after" }],
    ["has a body without a status", { body: "x", delayMs: 1 }],
    ["has a status that is none", { status: 42 }],
    ["has a path that is no regular expression", { path: "(", status: 500 }],
    ["has a header that cannot be sent", { status: 500, headers: { "a b": "c" } }],
    ["never happens", { status: 500, times: 0 }],
    ["has a member nobody knows", { status: 500, code: "X" }],
    ["ends an operation in a way there is not", { action: "start_compute", end: "well" }],
    ["is of an operation and of a request", { action: "start_compute", end: "error", status: 500 }],
    ["is no object", "boom"],
  ] as const) {
    it(`are refused if one ${what}`, async () => {
      const url = `${platform().platform.consoleUrl}/local/faults`;
      const response = await fetch(url, { method: "POST", body: JSON.stringify(fault) });
      assert.equal(response.status, 400, await response.text());
    });
  }
});

describe("platform: the log of requests", () => {
  const platform = suitePlatform();

  it("tells what arrived, in order, with the bodies of mutations", async () => {
    await platform().clearRequests();
    await platform().call("GET", "/projects?limit=1");
    await platform().call("POST", "/projects", { project: { name: "logged" } }, { headers: { "x-request-id": "r1" } });
    await platform().call("GET", "/none", undefined, { key: "wrong" });
    const logged = await platform().requests();
    assert.deepEqual(
      logged.map(({ method, path, status, body }) => ({ method, path, status, body })),
      [
        { method: "GET", path: "/api/v2/projects?limit=1", status: 200, body: undefined },
        { method: "POST", path: "/api/v2/projects", status: 201, body: { project: { name: "logged" } } },
        { method: "GET", path: "/api/v2/none", status: 401, body: undefined },
      ],
    );
    assert.equal(logged[1]?.requestId, "r1");
    assert.ok(logged.every(({ time }) => !Number.isNaN(Date.parse(time))));
  });

  it("holds no secrets", async () => {
    await platform().clearRequests();
    const secret = "s3cret-value";
    await platform().call("POST", "/projects", { project: { password: secret, deep: [{ token: secret }] } });
    const logged = await platform().requests();
    assert.ok(!JSON.stringify(logged).includes(secret));
    assert.ok(!JSON.stringify(logged).includes(platform().apiKey));
    assert.deepEqual(logged[0]?.body, { project: { password: "[secret]", deep: [{ token: "[secret]" }] } });
  });

  it("shows what was dropped without an answer, and what was performed before it was dropped", async () => {
    await platform().clearRequests();
    await platform().fault({ reset: "before" });
    await platform().fault({ reset: "after" });
    await assert.rejects(platform().call("GET", "/projects"));
    await assert.rejects(platform().call("GET", "/projects"));
    assert.deepEqual(
      (await platform().requests()).map(({ status }) => status),
      [null, 200],
    );
  });
});
