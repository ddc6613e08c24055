import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../support/platform";

import { type ReceivedRequest, RequestLog } from "../../platform/http/request-log";
import { valuesOf } from "./support/responses";

describe("local platform: request log", () => {
  const platform = suitePlatform();

  it("lists the requests in order, with the bodies of mutations", async () => {
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

  it("replaces secrets", async () => {
    await platform().clearRequests();
    const secret = "s3cret-value";
    await platform().call("POST", "/projects", { project: { password: secret, deep: [{ token: secret }] } });
    const logged = await platform().requests();
    assert.ok(!JSON.stringify(logged).includes(secret));
    assert.ok(!JSON.stringify(logged).includes(platform().apiKey));
    assert.deepEqual(logged[0]?.body, { project: { password: "[secret]", deep: [{ token: "[secret]" }] } });
  });

  it("has no status for a dropped request, unless it was performed", async () => {
    await platform().clearRequests();
    await platform().fault({ reset: "before" });
    await platform().fault({ reset: "after" });
    await assert.rejects(platform().call("GET", "/projects"));
    await assert.rejects(platform().call("GET", "/projects"));
    assert.deepEqual(valuesOf(await platform().requests(), "status"), [null, 200]);
  });

  const entry = (path: string): ReceivedRequest => ({ time: "", method: "GET", path, requestId: "" });

  it("keeps at most 40,000 of the latest requests and at most 32 MiB", () => {
    const many = new RequestLog();
    for (let count = 0; count < 100_000; count += 1) many.add(entry(`/${count}`));
    assert.ok(many.list().length <= 40_000);
    assert.equal(many.list().at(-1)?.path, "/99999");

    const long = new RequestLog();
    for (let count = 0; count < 20_000; count += 1) {
      long.addBody(long.add(entry(`/${count}`)), { bytes: 10_000, value: { number: count } });
    }
    assert.ok(long.list().length * 10_000 <= 32 << 20, `${long.list().length} are kept`);
    assert.deepEqual(long.list().at(-1)?.body, { number: 19_999 });
  });

  it("replaces a body longer than 64 KiB", () => {
    const log = new RequestLog();
    log.addBody(log.add(entry("/")), { bytes: 100_000, value: { name: "x".repeat(100_000) } });
    assert.equal(log.list()[0]?.body, "[too long]");
  });
});
