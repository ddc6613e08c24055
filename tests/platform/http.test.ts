import { describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";
import { startTestPlatform, suitePlatform } from "../support/platform";
import { assertError } from "./support/responses";
import { withPlatform } from "./support/running";

describe("local platform: HTTP", () => {
  const platform = suitePlatform();

  it("an error has a request id, a code and a message, and keeps the request id of the client", async () => {
    const own = await platform().call("GET", "/projects/none", undefined, { headers: { "x-request-id": "my-id" } });
    assert.deepEqual({ ...own.body }, { request_id: "my-id", code: "", message: "project not found" });
    assert.equal(own.headers.get("x-neon-ret-request-id"), "my-id");
    const given = await platform().call("GET", "/projects/none");
    assert.match(given.body.request_id ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(given.headers.get("x-neon-ret-request-id"), given.body.request_id);
  });

  it("every response is JSON, also an error [1.1.2; 1.8 headers]", async () => {
    for (const key of [platform().apiKey, "invalid"]) {
      for (const path of ["/projects", "/projects/none/operations", "/nothing-here"]) {
        const { headers, body } = await platform().call("GET", path, undefined, { key });
        assert.equal(headers.get("content-type"), "application/json", path);
        assert.equal(typeof body, "object", path);
      }
    }
  });

  it("a response has a date", async () => {
    const before = Date.now();
    const { headers } = await platform().call("GET", "/projects");
    const given = Date.parse(headers.get("date") ?? "");
    // The header has whole seconds.
    assert.ok(given > before - 1000 && given <= Date.now());
  });

  it("no other version of the API is served [1.11 one version]", async () => {
    const headers = { authorization: `Bearer ${platform().apiKey}` };
    for (const base of ["", "/api", "/api/v1", "/api/v3"]) {
      assert.equal((await fetch(`${platform().platform.consoleUrl}${base}/projects`, { headers })).status, 404, base);
    }
  });

  for (const [what, body] of [
    ["not an object", "[]"],
    ["a bare null", "null"],
    ["a body of blanks", "  "],
  ] as const) {
    it(`a body that is ${what} is rejected`, async () => {
      assertError(await platform().call("POST", "/projects", body), 400, /body|^invalid request: /);
    });
  }

  it("HEAD returns the status of GET without a body", async () => {
    const headers = { authorization: `Bearer ${platform().apiKey}` };
    const response = await fetch(`${platform().apiUrl}/projects`, { method: "HEAD", headers });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  });

  it("startPlatform rejects hosts other than loopback addresses", async () => {
    await assert.rejects(startTestPlatform({ host: "0.0.0.0" }), /not a loopback address/);
  });

  it("latencyMs delays every response, of many at once too, and nothing is said on the console", async () => {
    const warn = sinon.stub(process, "emitWarning");
    try {
      await withPlatform({ latencyMs: 50 }, async (slow) => {
        const start = performance.now();
        await Promise.all(Array.from({ length: 12 }, () => slow.call("GET", "/regions")));
        assert.ok(performance.now() - start >= 49);
      });
      sinon.assert.notCalled(warn);
    } finally {
      warn.restore();
    }
  });
});
