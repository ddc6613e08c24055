import { before, describe, it } from "mocha";
import assert from "node:assert/strict";

import { NeonClient } from "../../../api";
import { s3 } from "../../../api/schemas/s3";
import { suitePlatform } from "../../support/platform";
import { until } from "../../support/until";
import type { PageState, ViewOf } from "../../../platform/console-server/protocol";
import { deployed, waitForBuild } from "../support/function";
import { rowsOf } from "../support/responses";

type Kind = "functions" | "triggers" | "buckets";

/** A function whose path is the status of its answer. */
const answering = `export default (request) => new Response("", { status: Number(new URL(request.url).pathname.slice(1)) });`;

describe("local platform: console pages of a branch", () => {
  const platform = suitePlatform({ operationTime: "5ms", postgres: false });
  let branch = "";
  before(async () => {
    const created = await platform().project();
    branch = `/projects/${created.project.id}/branches/${created.branch.id}`;
    await platform().call("POST", `${branch}/buckets`, { name: "uploads" });
    for (const slug of ["api", "removed"]) {
      await deployed(platform(), `${branch}/functions/${slug}`, { files: { "index.mjs": answering } });
      await waitForBuild(platform(), `${branch}/functions/${slug}`);
    }
  });

  const view = async <K extends Kind>(kind: K) => {
    const path = encodeURIComponent(`${branch}/${kind}`);
    const state = (await (
      await fetch(`${platform().platform.consoleUrl}/console/state?path=${path}`)
    ).json()) as PageState;
    assert.equal(state.view.kind, kind);
    return state.view as ViewOf<K>;
  };
  const page = async (kind: Kind) => (await fetch(`${platform().platform.consoleUrl}${branch}/${kind}`)).text();

  const upload = async (key: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const path = `${branch}/buckets/uploads/objects/${encodeURIComponent(key)}/presign`;
    const { url, method } = (await platform().call("POST", path, { operation: "upload" })).body;
    assert.ok((await fetch(url, { method, headers, body: "content" })).ok);
  };

  it("a function has its custom domains, with the reason of a failed check", async () => {
    for (const domain of ["api.example.com", "www.example.com"]) {
      const body = { domain, entity_type: "function", entity_id: "api" };
      assert.equal((await platform().call("POST", `${branch}/custom-domains`, body)).status, 201);
    }
    await fetch(`${platform().platform.consoleUrl}/local/custom-domains/www.example.com`, {
      method: "PUT",
      body: JSON.stringify({ dns_status: "misconfigured" }),
    });
    const { functions } = await view("functions");
    assert.deepEqual(rowsOf(functions, "slug", "domains"), [
      [
        "api",
        [
          { domain: "api.example.com", status: "pending", reason: "" },
          { domain: "www.example.com", status: "error", reason: "cname-not-pointing-at-edge" },
        ],
      ],
      ["removed", []],
    ]);
    const text = await page("functions");
    for (const shown of ["api.example.com", "cname-not-pointing-at-edge", "Name of header 1"])
      assert.ok(text.includes(shown), shown);
  });

  it("a trigger has the statuses of its last answers, also of a function that did not answer", async () => {
    const type = "storage_object_created";
    const trigger = async (name: string, function_slug: string, function_path: string) => {
      const own = { [type]: { bucket_name: "uploads", prefix: `${name}/` } };
      const { body } = await platform().call("POST", `${branch}/triggers`, {
        ...{ type, name, function_slug, function_path, ...own },
      });
      return `${branch}/triggers/${body.trigger.trigger_id}`;
    };
    const statusesOf = async (name: string) =>
      (await view("triggers")).triggers.find((row) => row.name === name)?.results.map(({ status }) => status);
    const endsWith = (name: string, expected: readonly (number | null)[]) =>
      until(async () => JSON.stringify(await statusesOf(name)) === JSON.stringify(expected));

    const path = await trigger("in", "api", "/401");
    await trigger("gone", "removed", "/200");
    assert.deepEqual(await statusesOf("in"), []);
    await upload("in/a");
    await endsWith("in", [401]);
    await platform().call("PATCH", path, { type, function_path: "/204" });
    await upload("in/b");
    await endsWith("in", [204, 401]);
    for (const expected of [3, 4, 5]) {
      await upload("in/c");
      await until(async () => (await statusesOf("in"))?.length === expected);
    }
    await platform().call("PATCH", path, { type, function_path: "/500" });
    await upload("in/d");
    await endsWith("in", [500, 204, 204, 204, 204]);
    await platform().call("DELETE", `${branch}/functions/removed`);
    await upload("gone/a");
    await endsWith("gone", [null]);
    const text = await page("triggers");
    for (const shown of ["500", "no answer"]) assert.ok(text.includes(`badge bad">${shown}<`), shown);
  });

  it("an object has its header fields, and a bucket its CORS rules", async () => {
    await upload("site.css", { "content-type": "text/css", "cache-control": "max-age=60", "x-amz-meta-by": "<ann>" });
    const { list } = await view("buckets");
    assert.deepEqual(list?.cors, []);
    assert.deepEqual(rowsOf(list.objects, "key", "type", "headers"), [
      ["site.css", "text/css", { "cache-control": "max-age=60", "x-amz-meta-by": "<ann>" }],
    ]);
    const text = await page("buckets");
    assert.match(text, /content-type:<\/span> text\/css[^]*cache-control:<\/span> max-age=60[^]*&lt;ann>/);
    assert.match(text, /This bucket has no CORS rules/);
    const client = new NeonClient({ apiKey: platform().apiKey, apiUrl: platform().apiUrl });
    const [, , projectId = "", , branchId = ""] = branch.split("/");
    const rule = { allowedOrigins: ["https://shop.example"], allowedMethods: ["GET" as const], maxAgeSeconds: 120 };
    await client.send(s3.putCors({ projectId, branchId, bucketName: "uploads" }, [rule]));
    assert.deepEqual((await view("buckets")).list?.cors, [
      { origins: rule.allowedOrigins, methods: rule.allowedMethods, headers: [], exposed: [], maxAgeSeconds: 120 },
    ]);
    assert.match(await page("buckets"), /https:\/\/shop\.example<[^]*GET<[^]*2 min</);
  });
});
