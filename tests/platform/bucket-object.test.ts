import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";

import { ManualPlatformClock } from "../support/platform-clock";
import type { TestPlatform } from "../support/platform";
import { until } from "../support/until";
import { suitePaths } from "./support/paths";
import { bucketObjects, s3CodeOf } from "./support/objects";
import { suiteProjects } from "./support/project";
import { assertError, bodyOf, pagesOf } from "./support/responses";
import { withPlatform } from "./support/running";
import { day, second } from "./support/time";

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

describe("local platform: objects of buckets", () => {
  const { clock, platform, project: newProject, finish, time } = suiteProjects();

  /** A project whose default branch has the bucket `files`. */
  const project = async () => {
    const fixture = await newProject();
    await fixture.done("POST", `/branches/${fixture.main.id}/buckets`, { name: "files" });
    return {
      ...fixture,
      files: bucketObjects(fixture.call, fixture.main.id, "files"),
      /** Creates a child of the default branch, and returns its bucket. */
      child: async (input: object = {}) => {
        const { branch } = await fixture.done("POST", "/branches", { branch: input });
        return { id: branch.id, ...bucketObjects(fixture.call, branch.id, "files") };
      },
    };
  };

  it("an upload by a presigned URL is listed with its hash, and downloaded with its type", async () => {
    const { files } = await project();
    const key = "in/ä b+(1)'*!.txt";
    const response = await files.upload(key, "hello", "text/x-greeting");
    assert.equal(response.headers.get("etag"), `"${md5("hello")}"`);
    const { objects } = await files.page();
    assert.deepEqual(objects, [{ key, size: 5, etag: md5("hello"), last_modified: time() }]);
    const { url, method, headers } = await files.presign(key, { operation: "download", content_type: "a/b" });
    assert.deepEqual([method, headers], ["GET", {}]);
    const downloaded = await fetch(url);
    assert.deepEqual([downloaded.headers.get("content-type"), await downloaded.text()], ["text/x-greeting", "hello"]);
    await files.upload(key, "again");
    assert.equal(await files.download(key), "again");
  });

  it("a signed content type is echoed, and another one is refused", async () => {
    const { files } = await project();
    const { url, method, headers } = await files.presign("a", { operation: "upload", content_type: "text/css" });
    assert.deepEqual(headers, { "Content-Type": "text/css" });
    const refused = await fetch(url, { method, headers: { "content-type": "text/html" }, body: "a" });
    assert.deepEqual([refused.status, await s3CodeOf(refused)], [403, "SignatureDoesNotMatch"]);
    assert.deepEqual(await files.keys(), []);
  });

  it("a presigned URL is good for one key and method, and until it expires on the platform's clock", async () => {
    const { files } = await project();
    await files.upload("a", "a");
    const { url, expires_at: expires } = await files.presign("a", { operation: "download", expires_in_seconds: 60 });
    assert.equal(expires, time(60 * second));
    const codeOf = async (address: string, method = "GET") => {
      const response = await fetch(address, { method, ...(method === "PUT" && { body: "b" }) });
      return response.status === 200 ? "served" : await s3CodeOf(response);
    };
    assert.equal(await codeOf(url), "served");
    assert.equal(await codeOf(url.replace("/files/a?", "/files/b?")), "SignatureDoesNotMatch");
    assert.equal(await codeOf(url.replace("X-Amz-Expires=60", "X-Amz-Expires=61")), "SignatureDoesNotMatch");
    assert.equal(await codeOf(url, "PUT"), "SignatureDoesNotMatch");
    assert.equal(await codeOf(url.replace("X-Amz-Date", "X-Amz-Day")), "AuthorizationHeaderMalformed");
    assert.equal(await codeOf(url.split("?")[0] ?? ""), "AccessDenied");
    clock.advance(60 * second);
    assert.equal(await codeOf(url), "AccessDenied");
    const usual = await files.presign("a", { operation: "download" });
    assert.equal(usual.expires_at, time(900 * second));
  });

  it("presign refuses a key that is too long, and needs the bucket but not the object", async () => {
    const { call, files } = await project();
    const long = await call("POST", `${files.pathOf("ä".repeat(513))}/presign`, { operation: "upload" });
    assertError(long, 400, /1024 bytes/);
    const missing = files.pathOf("a").replace("/files/", "/none/");
    assertError(await call("POST", `${missing}/presign`, { operation: "upload" }), 404, /bucket not found/);
    const { url } = await files.presign("none", { operation: "download" });
    const response = await fetch(url);
    assert.deepEqual([response.status, await s3CodeOf(response)], [404, "NoSuchKey"]);
  });

  it("download returns the bytes as an attachment", async () => {
    const { id, files } = await project();
    await files.upload("page.html", "<b>", "text/html");
    const headers = { authorization: `Bearer ${platform().apiKey}` };
    const response = await fetch(`${platform().apiUrl}/projects/${id}${files.pathOf("page.html")}/download`, {
      headers,
    });
    const shown = ["content-type", "content-length", "etag", "content-disposition", "x-content-type-options"];
    assert.deepEqual(
      [...shown.map((name) => response.headers.get(name)), await response.text()],
      ["application/octet-stream", "3", `"${md5("<b>")}"`, "attachment", "nosniff", "<b>"],
    );
  });

  it("list has pages of objects and folders, in the order of the keys' bytes", async () => {
    const { call, files } = await project();
    const keys = ["a", "b/1", "b/2", "b/c/3", "d", "e/4", "é", "𐀀", "\uffee"];
    for (const key of [...keys].reverse()) await files.upload(key, key);
    const inOrder = [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    assert.deepEqual(await files.keys(), inOrder);
    assert.deepEqual(await files.keys("?prefix=b/"), ["b/1", "b/2", "b/c/3"]);
    const rest = await files.page("?prefix=b/&delimiter=/");
    assert.deepEqual([rest.folders, rest.objects.map(({ key }) => key), rest.prefix], [["b/c/"], ["b/1", "b/2"], "b/"]);
    for (const limit of [1, 2, 3, 1000]) {
      const query = `?delimiter=/&limit=${limit}`;
      const pages = await pagesOf(
        (cursor) => files.page(`${query}${cursor}`),
        (page) => page.next_cursor,
      );
      assert.deepEqual(
        pages.flatMap(({ folders }) => folders),
        ["b/", "e/"],
        query,
      );
      assert.deepEqual(
        pages.flatMap(({ objects }) => objects.map(({ key }) => key)),
        inOrder.filter((key) => !key.includes("/")),
        query,
      );
      assert.ok(pages.every((page) => page.is_truncated === (page !== pages.at(-1))));
      assert.ok(pages.slice(0, -1).every(({ folders, objects }) => folders.length + objects.length === limit));
    }
    assert.equal((await call("GET", `${files.base}/objects?cursor=*`)).status, 400);
    assertError(await call("GET", files.base.replace("files", "none") + "/objects"), 404, /bucket not found/);
  });

  it("delete hides an object on its branch only, and reports 404 the second time", async () => {
    const { files, child } = await project();
    await files.upload("a/b", "1");
    const other = await child();
    assert.equal((await other.remove("a/b")).status, 204);
    assertError(await other.remove("a/b"), 404, /object not found/);
    assert.deepEqual([await files.keys(), await other.keys()], [["a/b"], []]);
  });

  it("delete by prefix deletes what was stored on the branch, and leaves what it has from its parent", async () => {
    const { call, files, child } = await project();
    await files.upload("a/inherited", "1");
    const other = await child();
    for (const key of ["a/own", "a/b/own", "ab"]) await other.upload(key, "2");
    const remove = (query: string) => call("DELETE", `${other.base}/objects-by-prefix${query}`);
    for (const query of ["", "?prefix=", "?prefix=a", `?prefix=${"a".repeat(1024)}/`, "?prefix=%01/"]) {
      assert.equal((await remove(query)).status, 400, query);
    }
    assert.deepEqual(bodyOf(await remove("?prefix=a/")), { deleted: 2 });
    assert.deepEqual(bodyOf(await remove("?prefix=a/")), { deleted: 0 });
    assert.deepEqual(await other.keys(), ["a/inherited", "ab"]);
  });

  it("a child has the objects of the fork, and neither changes the other", async () => {
    const { files, child } = await project();
    await files.upload("kept", "old");
    const other = await child();
    await files.upload("kept", "new");
    await files.upload("later", "1");
    await other.upload("own", "2");
    assert.deepEqual(
      [await other.keys(), await files.keys()],
      [
        ["kept", "own"],
        ["kept", "later"],
      ],
    );
    assert.deepEqual([await other.download("kept"), await files.download("kept")], ["old", "new"]);
  });

  it("a child of an earlier moment has the objects of that moment", async () => {
    const { files, child } = await project();
    await files.upload("early", "1");
    finish();
    const moment = time();
    finish();
    await files.upload("late", "1");
    assert.deepEqual(await (await child({ parent_timestamp: moment })).keys(), ["early"]);
  });

  it("a reset takes the objects of the parent, another restore leaves those of the branch", async () => {
    const { call, main, files, child, done } = await project();
    const other = await child();
    const source = await child();
    await other.upload("own", "1");
    await source.upload("of the source", "1");
    finish();
    const restore = (body: object) => done("POST", `/branches/${other.id}/restore`, body);
    await restore({ source_branch_id: main.id, source_timestamp: time() });
    assert.deepEqual(await other.keys(), ["own"], "an earlier moment");
    await files.upload("of the parent", "1");
    await restore({ source_branch_id: main.id, preserve_under_name: "before" });
    assert.deepEqual(await other.keys(), ["of the parent"]);
    const { branches } = (await call("GET", "/branches?search=before")).body;
    assert.deepEqual(await bucketObjects(call, branches[0]?.id ?? "", "files").keys(), ["own"]);
    await restore({ source_branch_id: source.id });
    assert.deepEqual(await other.keys(), ["of the parent"], "another branch");
  });

  it("a bucket with objects is not deleted, also not if they are inherited", async () => {
    const { call, files, child } = await project();
    await files.upload("a", "1");
    const other = await child();
    assertError(await call("DELETE", files.base), 409, /not empty/, "BucketNotEmpty");
    assertError(await call("DELETE", other.base), 409, /not empty/, "BucketNotEmpty");
    await files.remove("a");
    assert.equal((await call("DELETE", files.base)).status, 204);
    assert.deepEqual(await other.keys(), ["a"]);
  });

  it("an upload is logged without its signature, and can be made to fail", async () => {
    const { files } = await project();
    await platform().clearRequests();
    const { url, method } = await files.presign("a", { operation: "upload" });
    await platform().fault({ method: "PUT", path: "/storage/.*/files/a$", reset: "after" });
    await assert.rejects(fetch(url, { method, body: "a" }));
    await platform().clearFaults();
    assert.equal(await files.download("a"), "a");
    const paths = (await platform().requests()).map(({ path }) => path).filter((path) => path.startsWith("/storage"));
    assert.ok(paths.length >= 2);
    assert.ok(paths.every((path) => path.includes("X-Amz-Signature=[secret]")));
  });

  describe("in a data folder", () => {
    const folder = suitePaths();

    const filesIn = (data: string): readonly string[] => {
      const path = join(data, "objects");
      return existsSync(path) ? readdirSync(path) : [];
    };

    const callOf = (running: TestPlatform, projectId: string) => (method: string, path?: string, body?: unknown) =>
      running.call(method, `/projects/${projectId}${path ?? ""}`, body);
    const filesOf = async (call: ReturnType<typeof callOf>, branchId: string) => {
      await call("POST", `/branches/${branchId}/buckets`, { name: "files" });
      return bucketObjects(call, branchId, "files");
    };
    /** A project with a bucket. */
    const prepared = async (running: TestPlatform) => {
      const { project: created, branch } = await running.project();
      return { id: created.id, branchId: branch.id, files: await filesOf(callOf(running, created.id), branch.id) };
    };
    /** Begins the upload of an object. */
    const begun = async ({ presign }: ReturnType<typeof bucketObjects>, length: number, bytes: string) => {
      const { url, method } = await presign("a", { operation: "upload" });
      const sent = request(url, { method, headers: { "content-length": `${length}` } });
      sent.write(bytes);
      return sent;
    };

    it("objects and their URLs survive a restart, and contents without an object are removed", async () => {
      const data = folder("restart");
      const before = await withPlatform({ data }, async (running) => {
        const { id, branchId, files } = await prepared(running);
        await files.upload("a", "kept");
        const { url } = await files.presign("a", { operation: "download" });
        return { id, branchId, search: new URL(url).search };
      });
      const [kept = ""] = filesIn(data);
      writeFileSync(join(data, "objects", "left-by-a-kill"), "");
      await withPlatform({ data }, async (running) => {
        assert.deepEqual(filesIn(data), [kept]);
        const { download } = bucketObjects(callOf(running, before.id), before.branchId, "files");
        assert.equal(await download("a"), "kept");
      });
    });

    it("a content is removed with the last object that has it", async () => {
      const data = folder("removal");
      const manual = new ManualPlatformClock();
      await withPlatform({ data, clock: manual, operationTime: "1s" }, async (running) => {
        const { body } = await running.call("POST", "/projects", { project: {} });
        manual.advance(10 * second);
        const call = callOf(running, body.project.id);
        const files = await filesOf(call, body.branch.id);
        await files.upload("a", "1");
        const { branch } = (await call("POST", "/branches", { branch: { name: "child" } })).body;
        manual.advance(10 * second);
        const child = bucketObjects(call, branch.id, "files");
        await files.upload("a", "2");
        await files.upload("a", "3");
        await until(() => filesIn(data).length === 2);
        assert.equal(await child.download("a"), "1");
        await call("DELETE", `/branches/${branch.id}`);
        manual.advance(10 * second);
        assert.equal(filesIn(data).length, 2, "the branch can be recovered");
        manual.advance(8 * day);
        await call("GET");
        await until(() => filesIn(data).length === 1);
        await call("DELETE");
        manual.advance(8 * day);
        await running.call("GET", "/projects");
        await until(() => filesIn(data).length === 0);
      });
    });

    it("an upload that is cut off leaves nothing", async () => {
      const data = folder("cut");
      await withPlatform({ data }, async (running) => {
        const { files } = await prepared(running);
        const sent = await begun(files, 10, "half");
        sent.on("error", () => undefined);
        await until(() => filesIn(data).length === 1);
        sent.destroy();
        await until(() => filesIn(data).length === 0);
        assert.deepEqual(await files.keys(), []);
      });
    });

    it("an upload that stalls does not hold up the end of the platform", async () => {
      const data = folder("stalling");
      let ended: Promise<unknown> | undefined;
      await withPlatform({ data }, async (running) => {
        const { files } = await prepared(running);
        ended = once(await begun(files, 10, "half"), "error");
        await until(() => filesIn(data).length === 1);
      });
      await ended;
    });

    it("an upload may take longer than other requests", async () => {
      await withPlatform({ data: folder("slow"), requestTimeoutMs: 1000 }, async (running) => {
        const { files } = await prepared(running);
        const upload = await begun(files, 4, "ha");
        const answered = once(upload, "response");
        const other = request(`${running.apiUrl}/projects`, { method: "POST", headers: { "content-length": "4" } });
        other.on("error", () => undefined);
        const ended = once(other, "response");
        other.write("ha");
        const [timedOut] = (await ended) as [{ readonly statusCode: number }];
        assert.equal(timedOut.statusCode, 408);
        upload.end("lf");
        const [response] = (await answered) as [{ readonly statusCode: number }];
        assert.equal(response.statusCode, 200);
        assert.equal(await files.download("a"), "half");
      });
    });
  });
});
