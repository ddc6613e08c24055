import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, win32 } from "node:path";

import * as neon from "../../sdk";
import { keyOf } from "../../sdk/components/bucket-folder";
import { suiteFolder } from "../support/folder";
import { assertFails } from "./program";
import { Registrations } from "./registrations";

const at = { projectId: "shop-1", branchId: "br-1", bucketName: "site" };

describe("BucketFolder", () => {
  const root = suiteFolder("neon-pulumi-site-");
  let registrations: Registrations;
  let count = 0;
  beforeEach(() => {
    registrations = new Registrations();
    registrations.listen();
  });

  /** A new folder with these files, by their paths. */
  function folder(files: readonly string[]): string {
    const path = join(root, String((count += 1)));
    mkdirSync(path);
    for (const file of files) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), file);
    }
    return path;
  }

  /** The inputs of an object, without those that only a dynamic provider needs. */
  async function inputsOf(name: string): Promise<Record<string, unknown>> {
    const { inputs } = await registrations.one(name);
    const declared = Object.entries(inputs).filter(([input]) => !input.startsWith("__"));
    return Object.fromEntries(declared.filter(([, value]) => value !== undefined));
  }

  it("makes an object of each file, with its path as the key, and a content type that follows from its name", async () => {
    const path = folder(["index.html", "assets/img/logo.SVG", "assets/main.js", "a::b/html", "LICENSE"]);
    const site = new neon.BucketFolder("site", { ...at, path });
    assert.deepEqual(Object.keys(site.objects), [
      "LICENSE",
      "a::b/html",
      "assets/img/logo.SVG",
      "assets/main.js",
      "index.html",
    ]);
    const types: Record<string, unknown> = {};
    for (const key of Object.keys(site.objects)) {
      const { contentType, source, ...inputs } = await inputsOf(`site/${key}`);
      types[key] = contentType;
      assert.deepEqual(inputs, { ...at, key });
      assert.equal(await (source as pulumi.asset.FileAsset).path, join(path, key));
    }
    assert.deepEqual(types, {
      LICENSE: undefined,
      "a::b/html": undefined,
      "assets/img/logo.SVG": "image/svg+xml",
      "assets/main.js": "text/javascript",
      "index.html": "text/html",
    });
  });

  it("describes all objects, and single ones otherwise", async () => {
    const path = folder(["index.html", "assets/main.js", "draft.md"]);
    const asked: string[] = [];
    const site = new neon.BucketFolder("site", {
      ...at,
      path,
      prefix: "v1/",
      cacheControl: "no-cache",
      adopt: true,
      file: (file) => {
        asked.push(file);
        if (file === "draft.md") return false;
        if (file !== "assets/main.js") return undefined;
        return { cacheControl: "max-age=60", contentType: "text/plain", metadata: { a: "1" } };
      },
    });
    assert.deepEqual(asked.sort(), ["assets/main.js", "draft.md", "index.html"]);
    assert.deepEqual(Object.keys(site.objects), ["assets/main.js", "index.html"]);
    const { source: _, ...own } = await inputsOf("site/assets/main.js");
    assert.deepEqual(own, {
      ...at,
      key: "v1/assets/main.js",
      cacheControl: "max-age=60",
      contentType: "text/plain",
      metadata: { a: "1" },
      adopt: true,
    });
    assert.equal((await inputsOf("site/index.html"))["cacheControl"], "no-cache");
  });

  it("fails for a file whose name is not valid UTF-8, unless it is left out", async function () {
    if (process.platform !== "linux") this.skip();
    const path = folder(["a.txt", "\u{fffd}.txt"]);
    writeFileSync(Buffer.concat([Buffer.from(join(path, "b")), Buffer.from([0xff])]), "");
    const file = (name: string) => (name.startsWith("b") ? (false as const) : undefined);
    const refused = Promise.resolve().then(() => new neon.BucketFolder("site", { ...at, path }));
    await assertFails(refused, /^BucketFolder "site": the name of b\u{fffd} is not valid UTF-8\. Rename it, or leave/u);
    assert.deepEqual(Object.keys(new neon.BucketFolder("site", { ...at, path, file }).objects), [
      "a.txt",
      "\u{fffd}.txt",
    ]);
  });

  it("leaves hidden files out unless they are wanted, and fails for a link that is not left out", async () => {
    const path = folder(["a.txt", ".env", ".git/config", "in/.DS_Store", ".well-known/security.txt"]);
    const keysOf = (more: Partial<neon.BucketFolderArgs>) =>
      Object.keys(new neon.BucketFolder("site", { ...at, path, ...more }).objects);
    assert.deepEqual(keysOf({}), ["a.txt"]);
    const file = (name: string) => (name.startsWith(".git/") ? (false as const) : undefined);
    assert.deepEqual(keysOf({ includeHiddenFiles: true, file }), [
      ".env",
      ".well-known/security.txt",
      "a.txt",
      "in/.DS_Store",
    ]);
    symlinkSync("/etc", join(path, "etc"));
    const refused = Promise.resolve().then(() => keysOf({}));
    await assertFails(refused, /^BucketFolder "site": etc is a symbolic link\. Replace it, or leave it out/);
    assert.deepEqual(keysOf({ file: (name) => (name === "etc" ? false : undefined) }), ["a.txt"]);
  });

  it("fails for a folder that is empty, missing or a file, before it registers anything", async () => {
    const path = folder(["only/.hidden"]);
    const make = (of: string) => Promise.resolve().then(() => new neon.BucketFolder("site", { ...at, path: of }));
    await assertFails(make(path), /^BucketFolder "site": the folder .* has no files to upload\. An empty folder would/);
    await assertFails(make(join(path, "none")), /^BucketFolder "site": the folder .* cannot be read: ENOENT/);
    await assertFails(make(join(path, "only/.hidden")), /^BucketFolder "site": the folder .* cannot be read: ENOTDIR/);
  });

  it("has the same keys on Windows", () => {
    assert.equal(keyOf("C:\\site", "C:\\site\\assets\\img", "a.png", win32), "assets/img/a.png");
    assert.equal(keyOf("site\\dist", "site\\dist", "index.html", win32), "index.html");
  });

  it("is recognized, and other values are not", () => {
    const site: unknown = new neon.BucketFolder("site", { ...at, path: folder(["a"]) });
    assert.deepEqual([neon.BucketFolder.isInstance(site), neon.BucketFolder.isInstance({})], [true, false]);
  });
});
