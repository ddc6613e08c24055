import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { deployed, waitForBuild } from "../platform/support/function";
import { until } from "../support/until";
import { valuesOf } from "../platform/support/responses";
import { assertFails, suiteAccount } from "./program";

const code = `export default (request) => {
  console.log("hello"); console.error("broken at " + new URL(request.url).pathname);
  return new Response("ok"); };`;

describe("getFunctionLog", () => {
  const platform = suiteAccount();
  const trace = "0af7651916cd43dd8448eb211c80319c";
  let at = { projectId: "", branchId: "" };
  before(async () => {
    const { project, branch } = await platform().project();
    at = { projectId: project.id, branchId: branch.id };
    for (const slug of ["api", "other"]) {
      const path = `/projects/${project.id}/branches/${branch.id}/functions/${slug}`;
      await deployed(platform(), path, { files: { "index.mjs": code } });
      const { invocation_url: url } = await waitForBuild(platform(), path);
      await (await fetch(`${url}${slug}`, { headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })).text();
    }
    await until(async () => {
      const { body } = await platform().call("POST", `/projects/${project.id}/branches/${branch.id}/logs/query`, {
        body_contains: "end GET",
      });
      return body.logs.length === 2;
    });
  });

  it("returns the lines of one function, the newest first", async () => {
    const { lines, isTruncated } = await neon.getFunctionLog({ ...at, slug: "api" });
    const said = lines.map(({ message }) => message.replace(/\d+ ms$/, "… ms"));
    assert.deepEqual(said, ["end GET /api 200 … ms", "broken at /api", "hello", "begin GET /api"]);
    assert.equal(isTruncated, false);
    const [{ timestamp, ...end } = assert.fail()] = lines;
    assert.ok(Date.parse(timestamp) > 0);
    assert.deepEqual(end, {
      message: end.message,
      scopeName: "neon.function.request",
      severityText: "info",
      traceId: trace,
    });
  });

  for (const [title, filter, found] of [
    ["severity", { severityText: "error" }, ["broken at /api"]],
    ["scope and text", { scope: "app", bodyContains: "ell" }, ["hello"]],
    ["trace", { traceId: "1af7651916cd43dd8448eb211c80319c" }, []],
    ["time", { endTime: "2026-01-02T00:00:00Z", startTime: "2026-01-01T00:00:00Z" }, []],
  ] as const) {
    it(`returns only the lines that fit a ${title}`, async () => {
      const { lines } = await neon.getFunctionLog({ ...at, slug: "api", ...filter });
      assert.deepEqual(valuesOf(lines, "message"), found);
    });
  }

  it("returns as many lines as `limit` says, and whether there are more", async () => {
    const { lines, isTruncated } = await neon.getFunctionLog({ ...at, slug: "api", limit: 1, since: "5m" });
    assert.deepEqual([lines.length, isTruncated], [1, true]);
  });

  it("fails for a function that does not exist, and for arguments that no log has", async () => {
    await assertFails(
      neon.getFunctionLog({ ...at, slug: "none" }),
      /HTTP 404: function not visible on branch .*Check the branch and the slug/,
    );
    await assertFails(
      neon.getFunctionLog({ ...at, slug: "api", since: "soon" }),
      'getFunctionLog: `since` must be a duration such as "30m".',
    );
    await assertFails(
      neon.getFunctionLog({ ...at, slug: "api", since: "1h", startTime: "2026-01-01T00:00:00Z" }),
      "getFunctionLog takes either `since` or `startTime`, not both.",
    );
    await assertFails(
      neon.getFunctionLog({ ...at, slug: "api", since: "8d" }),
      /HTTP 400: the time range must be at most 7 days/,
    );
  });
});
