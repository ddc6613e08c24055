import { before, describe, it } from "mocha";
import assert from "node:assert/strict";

import { suitePlatform } from "../../support/platform";
import { until } from "../../support/until";
import type { FunctionAnswer } from "../../../platform/console-server/protocol";
import { deployed, waitForBuild } from "../support/function";
import { assertMembers } from "../support/responses";

const code = `export default (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/ends") process.exit(1);
  if (pathname === "/long") return new Response("x".repeat(1 << 20));
  if (pathname.startsWith("/name/")) return new Response(decodeURIComponent(pathname));
  if (pathname === "/headers") return Response.json(Object.fromEntries(request.headers));
  if (pathname === "/redirect") return Response.redirect("http://elsewhere.example/");
  const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("begun")) });
  return new Response(endless);
};`;

describe("local platform: the console calls functions", () => {
  const platform = suitePlatform({ operationTime: "5ms", postgres: false });
  let branchId = "";
  let branch = "";
  before(async () => {
    const created = await platform().project();
    branchId = created.branch.id;
    branch = `/projects/${created.project.id}/branches/${branchId}`;
    await deployed(platform(), `${branch}/functions/api`, { files: { "index.mjs": code } });
    await waitForBuild(platform(), `${branch}/functions/api`);
  });

  const call = (input: object, signal: AbortSignal | null = null) =>
    fetch(`${platform().platform.consoleUrl}/console/function-call`, {
      method: "POST",
      body: JSON.stringify({ branch_id: branchId, slug: "api", ...input }),
      signal,
    });

  it("a long answer is cut, and a redirection is an answer", async () => {
    const long = (await (await call({ path: "/long" })).json()) as FunctionAnswer;
    assert.deepEqual([long.status, long.body.length, long.isCut], [200, 64 << 10, true]);
    const redirected = (await (await call({ path: "/redirect" })).json()) as FunctionAnswer;
    assertMembers(redirected, { status: 302, isCut: false });
  });

  it("a path is sent as a browser sends it", async () => {
    const { body } = (await (await call({ path: "/name/ä b%20😀" })).json()) as FunctionAnswer;
    assert.equal(body, "/name/ä b 😀");
  });

  it("header fields are sent, also several of a name, and one for the type of the body", async () => {
    const headers = [
      ["Authorization", "Bearer a"],
      ["x-tag", "one"],
      ["X-Tag", "two"],
      ["content-type", "text/csv"],
    ];
    const { body } = (await (
      await call({ method: "POST", path: "/headers", headers, body: "{}" })
    ).json()) as FunctionAnswer;
    assertMembers(JSON.parse(body) as object, {
      authorization: "Bearer a",
      "x-tag": "one, two",
      "content-type": "text/csv",
      "content-length": "2",
    });
  });

  it("a call that cannot be made, or is not answered, says why", async () => {
    for (const [input, status, message] of [
      [{ slug: "none" }, 404, /function not found/],
      [{ path: "elsewhere.example" }, 400, /must begin with \//],
      [{ headers: [["", "a"]] }, 400, /must be a name of a header field/],
      [{ headers: [["a b", "c"]] }, 400, /must be a name of a header field/],
      [{ headers: [["a", "b\r\nc: d"]] }, 400, /must be in one line/],
      [{ headers: [["Transfer-Encoding", "chunked"]] }, 400, /sets itself/],
      // Often enough to meet the moment between two connections.
      ...Array.from({ length: 20 }, () => [{ path: "/ends" }, 502, /the function did not answer/] as const),
    ] as const) {
      const response = await call(input);
      assert.equal(response.status, status, JSON.stringify(input));
      assert.match(((await response.json()) as { readonly message: string }).message, message);
    }
  });

  it("a page that is closed ends its call, also when the answer has begun", async () => {
    const lines = async (): Promise<readonly string[]> => {
      const { body } = await platform().call("POST", `${branch}/logs/query`, { sort_order: "asc" });
      return body.logs.map(({ message }) => message);
    };
    const has = (text: string) => until(async () => (await lines()).some((line) => line.startsWith(text)));
    const closed = new AbortController();
    const called = call({ path: "/endless" }, closed.signal);
    await has("begin GET /endless");
    closed.abort();
    await assert.rejects(called);
    await has("end GET /endless");
    assert.equal((await call({ path: "/long" })).status, 200);
  });
});
