import assert from "node:assert/strict";
import { Readable } from "node:stream";

import { describe, it } from "mocha";

import { NeonClient } from "../../api";
import { type ObjectHeaders, s3 } from "../../api/schemas/s3";
import { stringAsset } from "../support/contents";
import { failsWith } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import { suiteStage } from "../support/stage";

const declared = {
  contentType: "text/css",
  cacheControl: "no-cache",
  contentDisposition: "inline",
  contentEncoding: "gzip",
  metadata: { author: "me" },
};

const source = stringAsset("body {}");

describe("BucketObject: header fields", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ clock });

  /** A bucket, and what another program does with its objects. */
  async function bucket() {
    const { id: projectId, branchId } = await stage().project();
    const bucketName = stage().name("site");
    await stage().platform.call("POST", `/projects/${projectId}/branches/${branchId}/buckets`, { name: bucketName });
    const at = { projectId, branchId, bucketName };
    const client = new NeonClient({ apiKey: stage().platform.apiKey, apiUrl: stage().platform.apiUrl, clock });
    return {
      at,
      head: async (key: string) => (await client.send(s3.head({ ...at, key }))).headers,
      put: (key: string, text: string, headers: ObjectHeaders) =>
        client.send(
          s3.put({ ...at, key }, headers, () =>
            Promise.resolve({ size: text.length, open: () => Promise.resolve(Readable.from([Buffer.from(text)])) }),
          ),
        ),
      text: async (key: string): Promise<string> => {
        const path = `/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects/${key}/presign`;
        const { body } = await stage().platform.call("POST", path, { operation: "download" });
        return await (await fetch(body.url)).text();
      },
    };
  }

  it("are stored with the object, and read by whoever reads the object", async () => {
    const { at, head } = await bucket();
    const object = stage().resource("BucketObject", "main.css");
    await object.up({ ...at, source, ...declared });
    assert.deepEqual(await head("main.css"), {
      content_type: "text/css",
      cache_control: "no-cache",
      content_disposition: "inline",
      content_encoding: "gzip",
      metadata: { author: "me" },
    });
    const reader = stage().resource("BucketObject");
    const { outputs } = await reader.server.lookUp("BucketObject", object.id, { urn: reader.urn });
    for (const [name, value] of Object.entries(declared)) assert.deepEqual(outputs[name], value, name);
  });

  for (const [input, changed] of [
    ["contentType", { ...declared, contentType: "text/html" }],
    ["cacheControl", { ...declared, cacheControl: undefined }],
    ["metadata", { ...declared, metadata: { author: "me", more: "1" } }],
    ["metadata", { ...declared, metadata: undefined }],
  ] as const) {
    it(`shows that somebody else has changed ${input} to ${JSON.stringify(changed[input])}, and reverts it`, async () => {
      const { at, put, head } = await bucket();
      const object = stage().resource("BucketObject", "main.css");
      const args = { ...at, source, ...declared };
      await object.up(args);
      const before = await head("main.css");
      await put("main.css", "body {}", {
        content_type: changed.contentType,
        cache_control: changed.cacheControl,
        content_disposition: changed.contentDisposition,
        content_encoding: changed.contentEncoding,
        metadata: changed.metadata,
      });
      assert.equal(await object.refresh(), "changed");
      assert.deepEqual(object.outputs[input], changed[input]);
      assert.equal(await object.up(args), "update");
      assert.deepEqual(await head("main.css"), before);
      assert.equal(await object.refresh(), "same");
    });
  }

  it("of an adopted object are changed without its content, and those that the program never declared stay", async () => {
    const { at, put, head, text } = await bucket();
    await put("main.css", "theirs", { content_type: "text/css", content_disposition: "inline", metadata: { a: "1" } });
    const object = stage().resource("BucketObject", "main.css");
    assert.equal(await object.up({ ...at, adopt: true, cacheControl: "no-cache", metadata: { b: "2" } }), "create");
    const kept = { content_type: "text/css", content_disposition: "inline", content_encoding: undefined };
    assert.deepEqual(await head("main.css"), { ...kept, cache_control: "no-cache", metadata: { b: "2" } });
    assert.equal(await object.up({ ...at, metadata: { b: "2" } }), "update");
    assert.deepEqual(await head("main.css"), { ...kept, cache_control: undefined, metadata: { b: "2" } });
    assert.equal(await text("main.css"), "theirs");
    assert.equal(await object.up({ ...at, metadata: { b: "2" } }), "same");
    assert.equal(await object.refresh(), "same");
  });

  it("are changed on after the access key was rotated", async () => {
    const { at, head } = await bucket();
    const object = stage().resource("BucketObject", "main.css");
    await object.up({ ...at, source, cacheControl: "no-cache" });
    const path = `/projects/${at.projectId}/branches/${at.branchId}/credentials`;
    const { credentials } = (await stage().platform.call("GET", path)).body as unknown as {
      readonly credentials: readonly { readonly name: string; readonly token_id: string }[];
    };
    const own = credentials.find(({ name }) => name.includes("storage"));
    assert.equal((await stage().platform.call("POST", `${path}/${own?.token_id ?? ""}/rotate`)).status, 200);
    assert.equal(await object.up({ ...at, source, cacheControl: "max-age=1" }), "update");
    assert.equal((await head("main.css")).cache_control, "max-age=1");
  });

  it("need an access key of S3, without which only the content type is set and none is read", async () => {
    const { at, head } = await bucket();
    const object = await stage().nextRun(stage().resource("BucketObject", "main.css"));
    const refused = { code: "", message: "no access to credentials" };
    await stage().platform.fault({ path: "/credentials", status: 403, body: refused, times: 100 });
    await assert.rejects(
      object.up({ ...at, source, cacheControl: "no-cache" }),
      failsWith(
        "cannot be reached over S3",
        "HTTP 403: no access to credentials",
        "an API key that can reveal the branch's credential `Default object storage credential`",
      ),
    );
    assert.equal(object.state, undefined);
    const plain = { ...at, source, contentType: "text/css" };
    assert.equal(await object.up(plain), "create");
    assert.equal(object.outputs["contentType"], "text/css");
    assert.equal(await object.refresh(), "same");
    assert.equal(await object.up({ ...plain, contentType: "text/plain" }), "update");
    await stage().platform.clearFaults();
    assert.equal((await head("main.css")).content_type, "text/plain");
    await object.destroy();
  });

  it("are set by the same process after the access key could not be read for another reason than a refusal", async () => {
    const { at, head } = await bucket();
    const object = await stage().nextRun(stage().resource("BucketObject", "main.css"));
    await stage().platform.fault({
      path: "/credentials",
      status: 400,
      body: { code: "", message: "broken" },
      times: 1,
    });
    const args = { ...at, source, cacheControl: "no-cache" };
    await assert.rejects(object.up(args), failsWith("HTTP 400: broken"));
    assert.equal(await object.up(args), "create");
    assert.equal((await head("main.css")).cache_control, "no-cache");
  });

  it("take at most one request for each object in the first refresh after an upload, and then none while the list has the same time", async () => {
    const { at, put } = await bucket();
    const args = { ...at, source, ...declared };
    const objects = Array.from({ length: 12 }, (_, index) => stage().resource("BucketObject", `${index}.css`));
    await Promise.all(objects.map((object) => object.up(args)));
    const refresh = async () => {
      // Until then, a list still answers for the refresh before.
      clock.putForward(11_000);
      const before = await stage().platform.latestRequest();
      const steps = await Promise.all(objects.map((object) => object.refresh()));
      const requests = (await stage().platform.requests(before)).map(({ method, path }) =>
        /\/objects\?/.test(path) ? "list" : method,
      );
      return { changed: steps.filter((step) => step !== "same").length, requests: requests.toSorted() };
    };
    const first = await refresh();
    assert.equal(first.changed, 0);
    assert.ok(first.requests.length <= objects.length + 1, first.requests.join());
    assert.deepEqual(await refresh(), { changed: 0, requests: ["list"] });
    await put("7.css", "body {}", { content_type: "text/css", cache_control: "max-age=1" });
    const { changed, requests } = await refresh();
    assert.deepEqual([changed, objects[7]?.outputs["cacheControl"]], [1, "max-age=1"]);
    assert.ok(requests.length <= 4, requests.join());
    assert.equal(await objects[7]?.up(args), "update");
    // Another program overwrites the object within the second in which this one has read it back.
    await put("7.css", "body {}", { content_type: "text/css", cache_control: "max-age=2" });
    assert.equal((await refresh()).changed, 1);
    assert.equal(objects[7]?.outputs["cacheControl"], "max-age=2");
  });

  it("take one request to S3 for each upload, and none to the API", async () => {
    const { at } = await bucket();
    const object = stage().resource("BucketObject", "main.css");
    await object.up({ ...at, source });
    const before = await stage().platform.latestRequest();
    assert.equal(await object.up({ ...at, source, cacheControl: "no-cache" }), "update");
    const requests = (await stage().platform.requests(before)).map(({ method, path }) => `${method} ${path}`);
    const address = `/storage/${at.branchId}/${at.bucketName}/main.css`;
    assert.deepEqual([...new Set(requests)], [`HEAD ${address}`, `PUT ${address}`]);
    assert.equal(requests.filter((one) => one.startsWith("PUT")).length, 1);
  });
});
