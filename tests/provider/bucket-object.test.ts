import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, it } from "mocha";

import { fileAsset, remoteAsset, stringAsset } from "../support/contents";
import { EngineResource } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { suiteFolder } from "../support/folder";
import { ProviderServer, type Values } from "../support/provider-server";
import { ScriptedObjects } from "../support/scripted-objects";
import { ScriptedServer } from "../support/scripted-server";
import { suite } from "../support/suite";

const at = { projectId: "shop-1", branchId: "br-1", bucketName: "files" };

describe("BucketObject", () => {
  const folder = suiteFolder("neon-pulumi-objects-");
  const platform = suite(
    () => ScriptedServer.start(),
    (server) => server.close(),
  );
  const remote = suite(
    () => ScriptedServer.start([{ headers: { "content-type": "text/plain" }, body: "from afar" }]),
    (server) => server.close(),
  );
  const start = (): Promise<ProviderServer> =>
    ProviderServer.start({
      folder,
      config: { apiKey: "key-1234567890123456", apiUrl: platform().apiUrl },
      isProcess: true,
    });
  const provider = suite(
    () => {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(process.cwd(), join(folder, "node_modules", "neon-pulumi"));
      return start();
    },
    (server) => server.stop(),
  );
  const later = suite(start, (server) => server.stop());
  let objects: ScriptedObjects;
  let count = 0;
  beforeEach(() => {
    objects = new ScriptedObjects(() => platform().origin);
    platform().answer(objects.script);
  });

  const resource = (): EngineResource => new EngineResource(provider(), "BucketObject", `docs/${(count += 1)}.txt`);

  async function created(args: Values): Promise<EngineResource> {
    const made = resource();
    assert.equal(await made.up({ ...at, ...args }), "create");
    return made;
  }

  it("uploads a file, a text and what a URL returns, and an equal content under another path is no change", async () => {
    writeFileSync(join(folder, "one.txt"), "Hello");
    writeFileSync(join(folder, "other.txt"), "Hello");
    const one = await created({ source: fileAsset("./one.txt"), contentType: "text/plain" });
    assert.deepEqual(
      [objects.objects.get(one.name)?.text, objects.objects.get(one.name)?.contentType],
      ["Hello", "text/plain"],
    );
    assert.equal(one.outputs["size"], 5);
    assert.equal(one.outputs["etag"], "8b1a9953c4611296a827abf8c47804d7");
    platform().requests.length = 0;
    for (const source of [fileAsset("./one.txt"), fileAsset(join(folder, "other.txt")), stringAsset("Hello")]) {
      assert.equal(await one.up({ ...at, source, contentType: "text/plain" }), "same");
    }
    assert.deepEqual(
      platform().requests.map(({ url }) => url),
      [],
    );
    assert.equal(await one.refresh(), "same");
    const far = await created({ source: remoteAsset(`${remote().origin}/a.txt`) });
    assert.equal(objects.objects.get(far.name)?.text, "from afar");
  });

  it("is uploaded again after somebody else has overwritten it", async () => {
    const args = { ...at, source: stringAsset("mine") };
    const one = await created(args);
    objects.store(one.name, "else");
    assert.equal(await one.refresh(), "changed");
    assert.equal(await one.up(args), "update");
    assert.equal(objects.objects.get(one.name)?.text, "mine");
  });

  it("is uploaded again if the storage asks to slow down", async () => {
    objects.uploads = [{ status: 503, body: "<Error><Code>SlowDown</Code></Error>" }];
    const one = await created({ source: stringAsset("content") });
    assert.equal(objects.objects.get(one.name)?.text, "content");
  });

  it("is not taken for its own if somebody else has stored one of the same size, and the answer was lost", async () => {
    const one = resource();
    objects.uploads = ["lost"];
    objects.onUpload = () => objects.store(one.name, "else");
    await assert.rejects(one.up({ ...at, source: stringAsset("mine") }), failsWith("already exists"));
    assert.equal(objects.objects.get(one.name)?.text, "else");
  });

  it("is not confused with an object whose key begins with its key", async () => {
    const one = await created({ source: stringAsset("a") });
    objects.store(`${one.name}.backup`, "a");
    objects.objects.delete(one.name);
    assert.equal(await one.refresh(), "gone");
    for (const index of [1, 2, 3, 4]) objects.store(`${one.name}.${index}`, "a");
    platform().requests.length = 0;
    assert.equal(await one.up({ ...at, source: stringAsset("a") }), "create");
    const searches = platform().requests.filter(({ url }) => url.includes("prefix="));
    assert.ok(searches.length > 0 && searches.every(({ url }) => /limit=1(&|$)/.test(url)));
  });

  it("reports a refused upload with the storage's reason and without the signed URL", async () => {
    const body = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
    objects.uploads = [{ status: 403, body }];
    await assert.rejects(
      resource().up({ ...at, source: stringAsset("a") }),
      failsWith("HTTP 403: Request has expired, AccessDenied", { without: /secret-signature/ }),
    );
  });

  it("is refused in a preview if its file cannot be read", async () => {
    const missing = resource().preview({ ...at, source: fileAsset("./absent.txt") });
    await assert.rejects(missing, refusesInputs({ source: /^cannot be read: ENOENT/ }));
    await assert.rejects(resource().preview(at), refusesInputs({ source: "is required to create an object" }));
  });

  it("keeps a bucket with objects, unless forceDestroy is set: then all of them are deleted, page by page", async () => {
    const { bucketName: name, ...branch } = at;
    // A later run, whose program declares none of the objects.
    const bucket = new EngineResource(later(), "Bucket", name);
    objects.exists = false;
    assert.equal(await bucket.up(branch), "create");
    for (const key of ["a", "b", "c", "d", "e", "in/1", "in/2", "in/deep/3", "x\ty/1", "z/../1", "..", "out/inherited"])
      objects.store(key, key);
    objects.inherited.add("out/inherited");
    await assert.rejects(bucket.destroy(), failsWith("was not deleted", "set `forceDestroy: true`"));
    platform().requests.length = 0;
    assert.equal(await bucket.up({ ...branch, forceDestroy: true }), "update");
    assert.deepEqual(
      platform().requests.filter(({ method }) => method !== "GET"),
      [],
    );
    await assert.rejects(bucket.destroy(), failsWith('cannot address its object ".."', "Delete that object over S3"));
    objects.objects.delete("..");
    await bucket.destroy();
    assert.deepEqual([objects.objects.size, objects.exists], [0, false]);
  });
});
