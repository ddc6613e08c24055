import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCorsCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketCorsCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import type { CredentialCreate } from "../../api/schemas/credential";
import { bucketObjects } from "./support/objects";
import { suiteProjects } from "./support/project";
import { assertError, assertMembers, bodyOf, rowsOf, valuesOf } from "./support/responses";
import { second } from "./support/time";

const Bucket = "files";
const md5 = (content: string | Buffer): string => createHash("md5").update(content).digest("hex");

/** Matches an error of S3 by its name and status. */
const failsWith =
  (code: string, status: number) =>
  (error: { readonly name: string; readonly $metadata: { readonly httpStatusCode?: number } }): boolean => {
    assert.deepEqual([error.name, error.$metadata.httpStatusCode], [code, status]);
    return true;
  };

describe("local platform: S3, with the client of AWS", () => {
  const { project: newProject, finish, clock } = suiteProjects();

  /** A project with a bucket, and clients for its branches. */
  const project = async () => {
    const fixture = await newProject();
    const { call, main } = fixture;
    await call("POST", `/branches/${main.id}/buckets`, { name: Bucket });
    const credential = async (
      branchId = main.id,
      scopes: CredentialCreate["scopes"] = ["storage:read", "storage:write"],
    ) => {
      const issued = await call("POST", `/branches/${branchId}/credentials`, { scopes, principal_type: "user" });
      return bodyOf(issued) as { readonly token_id: string; readonly s3_secret_access_key: string };
    };
    const client = async (branchId = main.id, given = credential(branchId), skew = 0): Promise<S3Client> => {
      const storage = bodyOf(await call("GET", `/branches/${branchId}/storage`)) as {
        readonly s3_endpoint: string;
        readonly region: string;
        readonly force_path_style: boolean;
      };
      const { token_id: accessKeyId, s3_secret_access_key: secretAccessKey } = await given;
      return new S3Client({
        endpoint: storage.s3_endpoint,
        region: storage.region,
        forcePathStyle: storage.force_path_style,
        credentials: { accessKeyId, secretAccessKey },
        maxAttempts: 1,
        systemClockOffset: clock.now() - Date.now() + skew,
      });
    };
    return { ...fixture, credential, client, s3: await client(), files: bucketObjects(call, main.id, Bucket) };
  };

  it("puts, reads and deletes an object with all that it is described by", async () => {
    const { s3, files } = await project();
    const Key = "in/ä b+(1)'*!.txt";
    const put = await s3.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: "hello",
        ContentType: "text/plain",
        CacheControl: "no-cache",
        ContentDisposition: 'attachment; filename="a"',
        Metadata: { author: "me" },
      }),
    );
    assert.equal(put.ETag, `"${md5("hello")}"`);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    assertMembers(head, {
      ContentLength: 5,
      ContentType: "text/plain",
      CacheControl: "no-cache",
      ContentDisposition: 'attachment; filename="a"',
      Metadata: { author: "me" },
      ETag: put.ETag,
    });
    assert.equal(await files.download(Key), "hello");
    const part = await s3.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=1-2" }));
    assert.deepEqual([await part.Body?.transformToString(), part.ContentRange], ["el", "bytes 1-2/5"]);
    const last = await s3.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=-1", ResponseContentType: "a/b" }));
    assert.deepEqual([await last.Body?.transformToString(), last.ContentType], ["o", "a/b"]);
    const beyond = new GetObjectCommand({ Bucket, Key, Range: "bytes=5-" });
    await assert.rejects(s3.send(beyond), failsWith("InvalidRange", 416));
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    await assert.rejects(s3.send(new GetObjectCommand({ Bucket, Key })), failsWith("NoSuchKey", 404));
    await assert.rejects(s3.send(new GetObjectCommand({ Bucket: "none", Key })), failsWith("NoSuchBucket", 404));
  });

  it("puts a stream of unknown chunks, an empty object, and only what is not there if asked", async () => {
    const { s3, files } = await project();
    const pieces = ["a".repeat(70_000), "b", "c".repeat(200_000)];
    const whole = pieces.join("");
    const Body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
    await s3.send(new PutObjectCommand({ Bucket, Key: "stream", Body, ContentLength: whole.length }));
    assert.equal(md5(await files.download("stream")), md5(whole));
    const { ContentEncoding } = await s3.send(new HeadObjectCommand({ Bucket, Key: "stream" }));
    assert.equal(ContentEncoding, undefined);
    await s3.send(new PutObjectCommand({ Bucket, Key: "empty" }));
    assert.equal(await files.download("empty"), "");
    const again = new PutObjectCommand({ Bucket, Key: "empty", Body: "x", IfNoneMatch: "*" });
    await assert.rejects(s3.send(again), failsWith("PreconditionFailed", 412));
    const wrong = new PutObjectCommand({
      Bucket,
      Key: "b",
      Body: "x",
      ContentMD5: Buffer.from(md5("y"), "hex").toString("base64"),
    });
    await assert.rejects(s3.send(wrong), failsWith("BadDigest", 400));
    assert.deepEqual(await files.keys(), ["empty", "stream"]);
  });

  it("lists buckets and objects, in pages and with folders", async () => {
    const { s3, files } = await project();
    const keys = ["a", "b/<&>", "b/ü 1", "c"];
    for (const key of keys) await files.upload(key, key);
    const { Buckets } = await s3.send(new ListBucketsCommand({}));
    assert.deepEqual(valuesOf(Buckets, "Name"), [Bucket]);
    const found: (string | undefined)[] = [];
    for await (const page of paginateListObjectsV2({ client: s3, pageSize: 1 }, { Bucket })) {
      assert.equal(page.KeyCount, 1);
      found.push(...(page.Contents ?? []).map(({ Key }) => Key));
    }
    assert.deepEqual(found, keys);
    const top = await s3.send(new ListObjectsV2Command({ Bucket, Delimiter: "/", StartAfter: "a" }));
    assert.deepEqual(
      [top.CommonPrefixes?.map(({ Prefix }) => Prefix), top.Contents?.map(({ Key }) => Key)],
      [["b/"], ["c"]],
    );
    const encoded = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "b/", EncodingType: "url" }));
    assert.deepEqual(valuesOf(encoded.Contents, "Key"), ["b/%3C%26%3E", "b/%C3%BC%201"]);
    const [first] = (await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? [];
    assertMembers(first, { Size: 1, ETag: `"${md5("a")}"` });
  });

  it("deletes many objects at once", async () => {
    const { s3, files } = await project();
    for (const key of ["a", "b", "c", " c", "c\n"]) await files.upload(key, key);
    const remove = (Quiet: boolean, ...names: string[]) =>
      s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Quiet, Objects: names.map((Key) => ({ Key })) } }));
    assert.deepEqual((await remove(false, "a", "none")).Deleted, [{ Key: "a" }, { Key: "none" }]);
    assert.equal((await remove(true, "b", " c", "c\n")).Deleted, undefined);
    assert.deepEqual(await files.keys(), ["c"]);
  });

  it("copies an object with or without its description", async () => {
    const { s3, files, client, credential, main } = await project();
    const Key = "ä/from";
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: "1", ContentType: "a/b", Metadata: { a: "1" } }));
    await s3.send(new CopyObjectCommand({ Bucket, Key: "same", CopySource }));
    const replaced = { MetadataDirective: "REPLACE", ContentType: "c/d" } as const;
    await s3.send(new CopyObjectCommand({ Bucket, Key: "other", CopySource, ...replaced }));
    await files.remove(Key);
    assert.deepEqual([await files.download("same"), await files.download("other")], ["1", "1"]);
    const heads = ["same", "other"].map((key) => s3.send(new HeadObjectCommand({ Bucket, Key: key })));
    assert.deepEqual(rowsOf(await Promise.all(heads), "ContentType", "Metadata"), [
      ["a/b", { a: "1" }],
      ["c/d", {}],
    ]);
    const unreadable = new CopyObjectCommand({ Bucket, Key: "b", CopySource: `${Bucket}/50%` });
    await assert.rejects(s3.send(unreadable), failsWith("InvalidURI", 400));
    const writer = await client(main.id, credential(main.id, ["storage:write"]));
    const copy = new CopyObjectCommand({ Bucket, Key: "b", CopySource: `${Bucket}/same` });
    await assert.rejects(writer.send(copy), failsWith("AccessDenied", 403));
  });

  it("uploads in parts, which count as contents of the bucket until they are completed or aborted", async () => {
    const { s3, files, call } = await project();
    const start = async (Key: string) => {
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: "a/b" }));
      return { Bucket, Key, UploadId };
    };
    const upload = await start("big");
    const parts = [Buffer.alloc(5 << 20, "a"), Buffer.from("wrong"), Buffer.from("end")];
    const numbers = [1, 2, 2];
    const tags: (string | undefined)[] = [];
    for (const [index, Body] of parts.entries()) {
      const PartNumber = numbers[index] ?? 0;
      tags.push((await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }))).ETag);
    }
    assertError(await call("DELETE", files.base), 409, /not empty/, "BucketNotEmpty");
    const complete = (...list: readonly (readonly [number, string | undefined])[]) =>
      s3.send(
        new CompleteMultipartUploadCommand({
          ...upload,
          MultipartUpload: { Parts: list.map(([PartNumber, ETag]) => ({ PartNumber, ETag })) },
        }),
      );
    await assert.rejects(complete([1, tags[0]], [2, tags[1]]), failsWith("InvalidPart", 400));
    await assert.rejects(complete([2, tags[2]], [1, tags[0]]), failsWith("InvalidPartOrder", 400));
    const { ETag } = await complete([1, tags[0]], [2, tags[2]]);
    assert.match(ETag ?? "", /^"[0-9a-f]{32}-2"$/);
    const { Body, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key: "big", Range: "bytes=5242878-" }));
    assert.deepEqual([await Body?.transformToString(), ContentType], ["aaend", "a/b"]);
    await assert.rejects(complete([1, tags[0]]), failsWith("NoSuchUpload", 404));
    const aborted = await start("never");
    await s3.send(new UploadPartCommand({ ...aborted, PartNumber: 1, Body: "a" }));
    await s3.send(new AbortMultipartUploadCommand(aborted));
    assert.deepEqual(await files.keys(), ["big"]);
    await files.remove("big");
    assert.equal((await call("DELETE", files.base)).status, 204);
  });

  it("creates and deletes buckets", async () => {
    const { s3, files } = await project();
    await s3.send(new CreateBucketCommand({ Bucket: "other" }));
    await s3.send(new HeadBucketCommand({ Bucket: "other" }));
    await assert.rejects(
      s3.send(new CreateBucketCommand({ Bucket: "other" })),
      failsWith("BucketAlreadyOwnedByYou", 409),
    );
    await s3.send(new DeleteBucketCommand({ Bucket: "other" }));
    await assert.rejects(s3.send(new HeadBucketCommand({ Bucket: "other" })), failsWith("NotFound", 404));
    await files.upload("a", "1");
    await assert.rejects(s3.send(new DeleteBucketCommand({ Bucket })), failsWith("BucketNotEmpty", 409));
  });

  it("takes credentials of the branch and of its ancestors, with the right scopes, until they are revoked", async () => {
    const { main, branch, call, client, credential, files } = await project();
    await files.upload("a", "1");
    const { branch: child } = await branch({ branch: {} });
    const { branch: sibling } = await branch({ branch: {} });
    finish();
    const get = new GetObjectCommand({ Bucket, Key: "a" });
    const put = new PutObjectCommand({ Bucket, Key: "b", Body: "2" });
    const ofMain = await credential();
    const given = Promise.resolve(ofMain);
    await (await client(child.id, given)).send(get);
    const foreign = credential(sibling.id);
    await assert.rejects((await client(child.id, foreign)).send(get), failsWith("AccessDenied", 403));
    await assert.rejects((await client(main.id, foreign)).send(get), failsWith("AccessDenied", 403));
    const reader = await client(main.id, credential(main.id, ["storage:read"]));
    await reader.send(get);
    await assert.rejects(reader.send(put), failsWith("AccessDenied", 403));
    const writer = await client(main.id, credential(main.id, ["storage:write"]));
    await writer.send(put);
    await assert.rejects(writer.send(get), failsWith("AccessDenied", 403));
    const wrong = Promise.resolve({ ...ofMain, s3_secret_access_key: "nsk_live_wrong" });
    await assert.rejects((await client(main.id, wrong)).send(get), failsWith("SignatureDoesNotMatch", 403));
    await call("POST", `/branches/${main.id}/credentials/${ofMain.token_id}/rotate`);
    await assert.rejects((await client(main.id, given)).send(get), failsWith("SignatureDoesNotMatch", 403));
    await call("DELETE", `/branches/${main.id}/credentials/${ofMain.token_id}`);
    await assert.rejects((await client(main.id, given)).send(get), failsWith("InvalidAccessKeyId", 403));
  });

  for (const [minutes, isValid] of [
    [-14, true],
    [14, true],
    [-16, false],
    [16, false],
    [-60 * 24 * 365 * 10, false],
  ] as const) {
    it(`${isValid ? "takes" : "refuses"} a signature of ${minutes} minutes from now`, async () => {
      const { client, main } = await project();
      const listing = (await client(main.id, undefined, minutes * 60 * second)).send(new ListBucketsCommand());
      if (isValid) await listing;
      else await assert.rejects(listing, failsWith("RequestTimeTooSkewed", 403));
    });
  }

  it("answers XML at any address below the one of a branch", async () => {
    const { call, main } = await project();
    const { s3_endpoint: endpoint } = (await call("GET", `/branches/${main.id}/storage`)).body;
    const { hostname, port, pathname } = new URL(endpoint);
    const odd = [
      "%",
      "%ff",
      "%00",
      "..",
      "../../../x",
      "../../../../x",
      "%2e%2e/%2e%2e/%2e%2e/%2e%2e/x",
      "./",
      "//",
      "?%",
    ];
    for (const key of [...odd, "k".repeat(2000)]) {
      for (const method of ["GET", "PUT", "POST", "DELETE", "PATCH"]) {
        const sent = request({ hostname, port, path: `${pathname}/${Bucket}/${key}`, method }).end();
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        const body = await text(response);
        assert.equal(response.headers["content-type"], "application/xml", `${method} ${key}: ${body}`);
        assert.match(body, /<Error .*<Code>\w+<\/Code>/, `${method} ${key}`);
      }
    }
  });

  it("lets everybody read the objects of a public bucket, but neither list nor change them", async () => {
    const { call, main, s3 } = await project();
    await call("POST", `/branches/${main.id}/buckets`, { name: "public", access_level: "public_read" });
    await s3.send(new PutObjectCommand({ Bucket: "public", Key: "a", Body: "1" }));
    const { s3_endpoint: endpoint } = (await call("GET", `/branches/${main.id}/storage`)).body;
    const statusOf = async (path: string, method = "GET") => (await fetch(`${endpoint}/${path}`, { method })).status;
    assert.equal(await (await fetch(`${endpoint}/public/a`)).text(), "1");
    assert.deepEqual(
      [
        await statusOf("public/a", "HEAD"),
        await statusOf("public?list-type=2"),
        await statusOf("public/a", "PUT"),
        await statusOf(`${Bucket}/a`),
        await statusOf("../none/public/a"),
      ],
      [200, 403, 403, 403, 404],
    );
  });

  it("answers a conditional request as HTTP has it, and sends no header field of a cache that the object lacks", async () => {
    const { call, main, s3 } = await project();
    await call("POST", `/branches/${main.id}/buckets`, { name: "public", access_level: "public_read" });
    const put = (CacheControl?: string) =>
      s3.send(new PutObjectCommand({ Bucket: "public", Key: "a", Body: "hello", CacheControl }));
    const { ETag = "" } = await put("max-age=60");
    const { s3_endpoint: endpoint } = (await call("GET", `/branches/${main.id}/storage`)).body;
    const get = (headers: Record<string, string> = {}) => fetch(`${endpoint}/public/a`, { headers });
    const first = await get();
    const modified = first.headers.get("last-modified") ?? "";
    assert.equal(first.headers.get("cache-control"), "max-age=60");
    const earlier = new Date(Date.parse(modified) - second).toUTCString();
    for (const [headers, status] of [
      [{ "if-none-match": ETag }, 304],
      [{ "if-none-match": `"x", W/${ETag}` }, 304],
      [{ "if-none-match": '"x"', "if-modified-since": modified }, 200],
      [{ "if-modified-since": modified }, 304],
      [{ "if-modified-since": earlier }, 200],
      [{ "if-match": ETag, "if-unmodified-since": earlier }, 200],
      [{ "if-match": '"x"' }, 412],
      [{ "if-unmodified-since": modified }, 200],
      [{ "if-unmodified-since": earlier }, 412],
      [{ range: "bytes=0-0", "if-range": ETag }, 206],
      [{ range: "bytes=0-0", "if-range": '"x"' }, 200],
    ] as const) {
      const answer = await get(headers);
      assert.equal(answer.status, status, JSON.stringify(headers));
      if (status !== 304) continue;
      assert.deepEqual([answer.headers.get("etag"), await answer.text()], [ETag, ""]);
      assert.equal(answer.headers.get("cache-control"), "max-age=60");
    }
    await put();
    assert.equal((await get()).headers.get("cache-control"), null);
  });

  it("copies an object onto itself for other header fields, if it is still the one that the client knows", async () => {
    const { s3, files } = await project();
    await files.upload("a", "1");
    const [own] = (await files.page()).objects;
    const copied = { Bucket, Key: "a", CopySource: `${Bucket}/a` };
    await assert.rejects(s3.send(new CopyObjectCommand(copied)), failsWith("InvalidRequest", 400));
    const replacing = { ...copied, MetadataDirective: "REPLACE", CacheControl: "no-cache" } as const;
    const other = new CopyObjectCommand({ ...replacing, CopySourceIfMatch: '"x"' });
    await assert.rejects(s3.send(other), failsWith("PreconditionFailed", 412));
    await s3.send(new CopyObjectCommand({ ...replacing, CopySourceIfMatch: `"${own?.etag ?? ""}"` }));
    assert.equal((await s3.send(new HeadObjectCommand({ Bucket, Key: "a" }))).CacheControl, "no-cache");
    assert.equal(await files.download("a"), "1");
  });

  it("refuses more than 2 KB of metadata", async () => {
    const { s3 } = await project();
    const put = (length: number) =>
      s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "1", Metadata: { a: "x".repeat(length) } }));
    await put(2047);
    await assert.rejects(put(2048), failsWith("MetadataTooLarge", 400));
  });

  it("keeps the CORS rules of a bucket, and answers pages of other origins by them", async () => {
    const { s3, call, main } = await project();
    const noRules = failsWith("NoSuchCORSConfiguration", 404);
    await assert.rejects(s3.send(new GetBucketCorsCommand({ Bucket })), noRules);
    const CORSRules = [
      {
        AllowedOrigins: ["https://*.example.com"],
        AllowedMethods: ["PUT", "GET"],
        AllowedHeaders: ["Content-*", "x-amz-meta-author"],
        ExposeHeaders: ["ETag"],
        MaxAgeSeconds: 60,
      },
      { AllowedOrigins: ["*"], AllowedMethods: ["GET"] },
    ];
    const set = (rules: object[]) =>
      s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: rules as typeof CORSRules } }));
    await set(CORSRules);
    assert.deepEqual((await s3.send(new GetBucketCorsCommand({ Bucket }))).CORSRules, CORSRules);
    const { s3_endpoint: endpoint } = (await call("GET", `/branches/${main.id}/storage`)).body;
    const preflight = async (origin: string, method: string, headers = "") => {
      const asked = { origin, "access-control-request-method": method, "access-control-request-headers": headers };
      const answer = await fetch(`${endpoint}/${Bucket}/a`, { method: "OPTIONS", headers: asked });
      const names = ["origin", "methods", "headers", "max-age", "credentials"];
      return [answer.status, ...names.map((name) => answer.headers.get(`access-control-allow-${name}`))].slice(0, 4);
    };
    const shop = "https://shop.example.com";
    assert.deepEqual(await preflight(shop, "PUT", "content-type, X-Amz-Meta-Author"), [
      200,
      shop,
      "PUT, GET",
      "content-type, x-amz-meta-author",
    ]);
    assert.deepEqual(await preflight(shop, "PUT", "authorization"), [403, null, null, null]);
    assert.deepEqual(await preflight("https://example.com", "PUT"), [403, null, null, null]);
    assert.deepEqual(await preflight("http://other.test", "GET"), [200, "*", "GET", null]);
    const read = (origin: string) => fetch(`${endpoint}/${Bucket}/a`, { headers: { origin } });
    const refused = await read(shop);
    assert.deepEqual(
      [
        refused.status,
        ...["allow-origin", "expose-headers", "max-age"].map((name) => refused.headers.get(`access-control-${name}`)),
      ],
      [403, shop, "ETag", "60"],
      "a page may also read an error",
    );
    assert.equal((await read("http://other.test")).headers.get("access-control-allow-origin"), "*");
    for (const [rule, code] of [
      [{ ...CORSRules[1], AllowedMethods: ["PATCH"] }, "InvalidRequest"],
      [{ ...CORSRules[1], AllowedOrigins: ["*.*"] }, "InvalidRequest"],
      [{ ...CORSRules[1], ExposeHeaders: ["x-*"] }, "InvalidRequest"],
      [{ AllowedOrigins: ["*"], AllowedMethods: [] }, "MalformedXML"],
    ] as const) {
      await assert.rejects(set([rule]), failsWith(code, 400), JSON.stringify(rule));
    }
    await s3.send(new DeleteBucketCorsCommand({ Bucket }));
    await assert.rejects(s3.send(new GetBucketCorsCommand({ Bucket })), noRules);
    assert.deepEqual(await preflight(shop, "GET"), [403, null, null, null]);
  });

  it("sets the CORS rules of a bucket from the parent only once the branch has created it, too", async () => {
    const { client, branch, call } = await project();
    const { branch: child } = await branch({ branch: {} });
    finish();
    const s3 = await client(child.id);
    const set = new PutBucketCorsCommand({
      Bucket,
      CORSConfiguration: { CORSRules: [{ AllowedOrigins: ["*"], AllowedMethods: ["GET"] }] },
    });
    await assert.rejects(s3.send(set), failsWith("NoSuchBucket", 404));
    await call("POST", `/branches/${child.id}/buckets`, { name: Bucket });
    await s3.send(set);
    assert.equal((await s3.send(new GetBucketCorsCommand({ Bucket }))).CORSRules?.length, 1);
  });

  it("reports 501 for an operation that it does not implement", async () => {
    const { s3 } = await project();
    await assert.rejects(s3.send(new GetBucketPolicyCommand({ Bucket })), failsWith("NotImplemented", 501));
  });
});
