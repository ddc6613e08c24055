import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, it } from "mocha";

import { contents } from "../../provider/call/contents";
import type { Context } from "../../provider/call/context";
import { Content } from "../../provider/content";
import { settled } from "../../provider/resources/function/deployment";
import { suiteFolder } from "../support/folder";

const entry = "export default { fetch: () => new Response('Hello') };";

describe("contents", () => {
  const root = suiteFolder("neon-pulumi-contents-");
  const archive = (path: string): Content => new Content("archive", { path });
  const asset = (text: string): Content => new Content("asset", { text });

  function folder(name: string, files: Readonly<Record<string, string>>): Content {
    const path = join(root, name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(path, file, ".."), { recursive: true });
      writeFileSync(join(path, file), text);
    }
    return archive(path);
  }

  const hashOf = async (content: Content): Promise<string> => (await contents.digest(content)).hash;

  it("have the same hash whether they are a folder, a zip file or a map of files, whatever their times and order", async () => {
    const one = folder("one", { "index.mjs": entry, "lib/a.mjs": "a" });
    const other = folder("other", { "lib/a.mjs": "a", "index.mjs": entry });
    utimesSync(join(root, "other", "index.mjs"), 1, 1);
    const zip = join(root, "code.zip");
    writeFileSync(zip, zipSync({ "lib/a.mjs": strToU8("a"), "index.mjs": [strToU8(entry), { mtime: "2001-01-01" }] }));
    const assets = new Content("archive", {
      assets: { lib: new Content("archive", { path: join(root, "lib") }), "index.mjs": asset(entry) },
    });
    folder("lib", { "a.mjs": "a" });
    const map = new Content("archive", { assets: { "lib/a.mjs": asset("a"), "index.mjs": asset(entry) } });
    const expected = await hashOf(one);
    for (const same of [other, archive(zip), assets, map]) assert.equal(await hashOf(same), expected);
    assert.notEqual(await hashOf(folder("changed", { "index.mjs": entry, "lib/a.mjs": "b" })), expected);
    assert.notEqual(await hashOf(folder("renamed", { "index.mjs": entry, "lib/b.mjs": "a" })), expected);
  });

  it("are zipped to the same bytes", async () => {
    const one = await contents.zip(folder("zip-one", { "index.js": "1", "z.js": "2" }));
    const map = new Content("archive", { assets: { "z.js": asset("2"), "index.js": asset("1") } });
    assert.deepEqual(Buffer.from(await contents.zip(map)), Buffer.from(one));
    assert.deepEqual(Object.keys(unzipSync(one)), ["index.js", "z.js"]);
  });

  it("are sent as they were packed, even if they are gone by then, and then dropped", async () => {
    const code = folder("passing", { "index.mjs": entry });
    const checked = code.withHash(await hashOf(code));
    const packed = await contents.zip(checked);
    rmSync(join(root, "passing"), { recursive: true });
    assert.equal(await contents.zip(checked), packed);
    const context = { until: () => Promise.resolve({ id: 1, status: "completed" }) } as unknown as Context;
    await settled(context, { projectId: "p", branchId: "br-1", slug: "api", codeHash: checked.hash }, 1);
    await assert.rejects(contents.zip(checked), /ENOENT/);
  });

  it("are not sent to the end if they have changed since they were hashed", async () => {
    const path = join(root, "object.txt");
    const size = 64 * 1024;
    writeFileSync(path, "x".repeat(size));
    const file = new Content("asset", { path });
    const checked = file.withHash(await hashOf(file));
    const { open } = await contents.file(checked);
    assert.equal((await text(await open())).length, size);
    for (const other of ["y".repeat(size), "x".repeat(size - 1), "x".repeat(size + 1)]) {
      writeFileSync(path, other);
      const sent: unknown[] = [];
      const reading = (await open()).on("data", (part) => sent.push(part));
      await assert.rejects(once(reading, "end"), /object\.txt changed while .*Run `pulumi up` again/);
      assert.deepEqual(sent, []);
      await assert.rejects(contents.file(checked), /changed while/);
    }
    const code = folder("edited", { "index.mjs": "1" });
    const deployed = code.withHash(await hashOf(code));
    folder("edited", { "index.mjs": "" });
    await assert.rejects(contents.zip(deployed), /edited changed while/);
  });

  it("are read again only when something on the disk has changed", async () => {
    const code = folder("again", { "index.mjs": entry });
    const before = await hashOf(code);
    assert.equal(await hashOf(code), before);
    folder("again", { "index.mjs": `${entry} // changed` });
    assert.notEqual(await hashOf(code), before);
  });

  it("follow links, and end at one that leads back", async () => {
    const code = folder("links", { "index.mjs": entry, "node_modules/.store/left-pad/index.js": "pad" });
    symlinkSync(
      join(root, "links", "node_modules", ".store", "left-pad"),
      join(root, "links", "node_modules", "left-pad"),
    );
    symlinkSync(join(root, "links"), join(root, "links", "loop"));
    const names = Object.keys(unzipSync(await contents.zip(code)));
    assert.deepEqual(names, ["index.mjs", "node_modules/.store/left-pad/index.js", "node_modules/left-pad/index.js"]);
  });

  it("are refused if a link leads out of their folder", async () => {
    writeFileSync(join(root, "secret.txt"), "secret");
    folder("elsewhere", { "lib/a.mjs": "a" });
    for (const [name, link, target] of [
      ["link-file", "secret.txt", join(root, "secret.txt")],
      ["link-folder", "lib", join(root, "elsewhere", "lib")],
      ["link-relative", "lib/up", "../../secret.txt"],
      ["link-system", "passwords", "/etc/passwd"],
      ["link-parent", "parent", ".."],
    ] as const) {
      const code = folder(name, { "index.mjs": entry, "lib/.keep": "" });
      rmSync(join(root, name, link), { recursive: true, force: true });
      symlinkSync(target, join(root, name, link));
      const inMap = new Content("archive", { assets: { "index.mjs": asset(entry), code } });
      for (const content of [code, inMap]) {
        await assert.rejects(contents.digest(content), {
          message: `must not have a link that leads out of it: ${link}. Copy its target into the folder`,
        });
      }
    }
    const real = folder("real", { "index.mjs": entry });
    symlinkSync(join(root, "real"), join(root, "linked"));
    assert.equal(await hashOf(archive(join(root, "linked"))), await hashOf(real));
  });

  it("leave out .git, and name the files that usually hold secrets", async () => {
    const names = [".env", ".env.local", ".env.example", "lib/.env.production", "env.mjs", ".envrc", ".git/config"];
    const code = folder("secrets", Object.fromEntries(["index.mjs", ...names].map((name) => [name, entry])));
    const packed = Object.keys(unzipSync(await contents.zip(code)));
    assert.deepEqual(
      packed.filter((name) => name.startsWith(".git")),
      [],
    );
    const { secretFiles } = await contents.digest(code);
    assert.deepEqual(secretFiles, [".env", ".env.local", "lib/.env.production"]);
    const map = new Content("archive", { assets: { "index.mjs": asset(entry), ".git/config": asset("[core]") } });
    assert.deepEqual((await contents.digest(map)).secretFiles, [".git/config"]);
  });

  it("are refused if a zip file is damaged", async () => {
    const whole = Buffer.from(zipSync({ "lib/a.mjs": strToU8("a"), "index.mjs": strToU8(entry) }, { level: 0 }));
    const size = whole.lastIndexOf("PK\x01\x02") + 24;
    for (const [name, damage] of [
      ["content", (bytes: Buffer) => bytes.write("expart", bytes.indexOf("export"))],
      ["checksum", (bytes: Buffer) => bytes.writeUInt32LE(1, size - 8)],
      ["longer", (bytes: Buffer) => bytes.writeUInt32LE(entry.length + 1, size)],
      ["shorter", (bytes: Buffer) => bytes.writeUInt32LE(entry.length - 1, size)],
    ] as const) {
      const bytes = Buffer.from(whole);
      damage(bytes);
      const path = join(root, `damaged-${name}.zip`);
      writeFileSync(path, bytes);
      await assert.rejects(contents.digest(archive(path)), {
        message: "is damaged: the size or the checksum of index.mjs is wrong. Make the archive again",
      });
    }
  });

  it("are refused if Neon cannot run them, or if they are over the published limits", async () => {
    const many = Object.fromEntries(Array.from({ length: 4097 }, (_, index) => [`f${index}.mjs`, asset("")]));
    const noise = Buffer.alloc(11 * 1024 * 1024);
    for (let index = 0; index < noise.length; index += 4) noise.writeUInt32LE((index * 2654435761) % 4294967296, index);
    const path = folder("limits", { "index.mjs": entry }).source.path ?? "";
    for (const [content, reason] of [
      [folder("no-entry", { "index.ts": entry }), /^must have index\.mjs or index\.js at its root/],
      [folder("below", { "src/index.mjs": entry }), /^must have index\.mjs/],
      [new Content("archive", {}), /^must have index\.mjs/],
      [new Content("archive", { assets: { ...many, "index.mjs": asset(entry) } }), /more than 4096 files/],
      [new Content("archive", { assets: { "index.mjs": asset("x".repeat(65 * 1024 * 1024)) } }), /more than 64 MiB/],
      [new Content("archive", { path: join(path, "absent") }), /ENOENT/],
      [new Content("archive", { path: join(path, "code.tar.gz") }), /must be a folder, a zip file or a map/],
      [new Content("archive", { path: join(path, "broken.zip") }), /^is no readable zip archive/],
      [new Content("archive", { path: join(path, "outside.zip") }), /^has a file outside of it: \.\.\/x\.mjs/],
    ] as const) {
      writeFileSync(join(path, "broken.zip"), "no zip");
      writeFileSync(join(path, "code.tar.gz"), "");
      writeFileSync(join(path, "outside.zip"), zipSync({ "index.mjs": strToU8(entry), "../x.mjs": strToU8("x") }));
      await assert.rejects(contents.zip(content), { message: reason });
    }
    writeFileSync(join(path, "noise.bin"), noise);
    await assert.rejects(contents.zip(archive(path)), { message: /more than 10 MiB zipped/ });
  });
});
