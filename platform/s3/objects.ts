import { z } from "zod";

import type { ApiResponse } from "../http/response";
import { getBranch } from "../model/branches/branch-state";
import { type BucketRow, listBuckets } from "../model/branches/bucket";
import { checkKey, listObjects, putObject, removeObject } from "../model/branches/bucket-object";
import type { BucketObjectRow, MultipartUploadRow, ObjectDescription } from "../model/branches/bucket-object-row";
import { addPart, endUpload, etagOfParts, findUpload, startUpload } from "../model/branches/multipart-upload";
import type { ByteRange, WrittenContent } from "../objects/files";
import { escaped } from "../objects/signature";
import { wholeSeconds } from "../storage/timestamps";
import { bucketOf } from "./bucket";
import { invalid, noSuchKey, noSuchUpload, notImplemented, S3Error } from "./error";
import { documentOf, payloadOf } from "./payload";
import { decoded, type S3Request } from "./request";
import { parsed, xml } from "./xml";

const maxKeys = 1000;
const smallestPart = 5 << 20;
const maxParts = 10_000;
const metadataPrefix = "x-amz-meta-";
const maxMetadataBytes = 2048;
const usualType = "binary/octet-stream";
const noContent: ApiResponse = { status: 204, headers: {} };
const empty: ApiResponse = { status: 200, headers: {} };

/** Headers that a client stores with an object, besides those that start with `x-amz-meta-`. */
const keptHeaders: readonly string[] = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
];

/** A time in the format of S3. */
const timeOf = (timestamp: string): string => `${wholeSeconds(Date.parse(timestamp)).slice(0, -1)}.000Z`;

export function listAllBuckets({ controlPlane, branch }: S3Request): ApiResponse {
  const rows = listBuckets(controlPlane, branch);
  return xml("ListAllMyBucketsResult", {
    Owner: { ID: branch.project_id },
    Buckets: { Bucket: rows.map(({ name, created_at }) => ({ Name: name, CreationDate: timeOf(created_at) })) },
  });
}

export function headBucket(request: S3Request): ApiResponse {
  bucketOf(request);
  return empty;
}

/** `ListObjectsV2`. */
export function listBucket(request: S3Request): ApiResponse {
  const { controlPlane, query } = request;
  const bucket = bucketOf(request);
  if (query["list-type"] !== "2") throw notImplemented("ListObjects: use ListObjectsV2");
  const { prefix = "", delimiter, "max-keys": max = String(maxKeys), "encoding-type": encoding } = query;
  const { "continuation-token": token, "start-after": start } = query;
  if (!/^\d{1,9}$/.test(max)) throw invalid("InvalidArgument", "max-keys is not a number");
  const limit = Math.min(Number(max), maxKeys);
  const after = token === undefined ? (start ?? "") : Buffer.from(token, "base64url").toString();
  const page = listObjects(controlPlane, bucket, { prefix, delimiter, after, limit });
  const shown = (text: string | undefined): string | undefined =>
    text !== undefined && encoding === "url" ? escaped(text).replaceAll("%2F", "/") : text;
  return xml("ListBucketResult", {
    Name: bucket.name,
    Prefix: shown(prefix),
    Delimiter: shown(delimiter),
    StartAfter: shown(start),
    MaxKeys: limit,
    EncodingType: encoding,
    KeyCount: page.objects.length + page.folders.length,
    IsTruncated: page.next !== undefined,
    ContinuationToken: token,
    NextContinuationToken: page.next === undefined ? undefined : Buffer.from(page.next).toString("base64url"),
    Contents: page.objects.map(({ key, last_modified: modified, etag, size }) => ({
      Key: shown(key),
      LastModified: timeOf(modified),
      ETag: `"${etag}"`,
      Size: size,
      StorageClass: "STANDARD",
    })),
    CommonPrefixes: page.folders.map((folder) => ({ Prefix: shown(folder) })),
  });
}

/** `GetObject` and `HeadObject`. */
export function readObject(request: S3Request): ApiResponse {
  const { controlPlane, headers } = request;
  const found = objectOf(request);
  const { etag, size, last_modified: modified, content_type: type, content, headers: kept } = found;
  const validators = { etag: `"${etag}"`, "last-modified": new Date(modified).toUTCString() };
  const described = { ...validators, ...only(kept, "cache-control", "expires") };
  if (isUnchanged(found, headers)) return { status: 304, headers: described };
  const range = isSame(headers["if-range"], found) ? rangeOf(headers["range"], size) : undefined;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      ...validators,
      "accept-ranges": "bytes",
      "content-type": type,
      ...kept,
      ...overriddenHeaders(request),
      "content-length": String(end - start + 1),
      ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
    },
    open: () => controlPlane.objects.files.read(content, range),
  };
}

type Validated = Pick<BucketObjectRow, "etag" | "last_modified">;

/**
 * Whether the client has the object already.
 *
 * @throws S3Error 412 if the object is not the one that the client asks for
 */
function isUnchanged(found: Validated, headers: S3Request["headers"]): boolean {
  const { "if-match": wanted, "if-none-match": known } = headers;
  const { "if-unmodified-since": before, "if-modified-since": since } = headers;
  const isOther = wanted === undefined ? isNewer(found, before) : !namesEtag(wanted, found);
  if (isOther) throw preconditionFailed();
  return known === undefined ? since !== undefined && !isNewer(found, since) : namesEtag(known, found);
}

/** Whether a list of entity tags names an object. */
function namesEtag(list: string, { etag }: Validated): boolean {
  return list.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "").replaceAll('"', "")));
}

/** Whether an object was stored after a date. A date that cannot be read is ignored. */
function isNewer({ last_modified: modified }: Validated, date: string | undefined): boolean {
  // Dates in header fields have whole seconds.
  return Math.floor(Date.parse(modified) / 1000) * 1000 > Date.parse(date ?? "");
}

/** Whether `if-range` names the object, so that a part of it can be sent. */
function isSame(validator: string | undefined, found: Validated): boolean {
  if (validator === undefined) return true;
  return validator.includes('"') ? namesEtag(validator, found) : !isNewer(found, validator);
}

export async function put(request: S3Request): Promise<ApiResponse> {
  const { controlPlane, key, headers } = request;
  checkKeyOf(request);
  const bucket = bucketOf(request);
  requireAbsent(request, bucket);
  const written = await controlPlane.objects.files.write(payloadOf(request.incoming));
  return await stored(request, written, (now) => {
    requireAbsent(request, now);
    const { id: content, size, md5: etag } = written;
    putObject(controlPlane, now, { key, size, etag, content, ...descriptionOf(headers) });
    return { status: 200, headers: { etag: `"${etag}"` } };
  });
}

/** `CopyObject`: both objects share one content afterwards. */
export function copy(request: S3Request): ApiResponse {
  const { controlPlane, change, branch, key, headers } = request;
  checkKeyOf(request);
  const [path = ""] = (headers["x-amz-copy-source"] ?? "").replace(/^\//, "").split("?", 1);
  const [bucketName = "", ...keyParts] = path.split("/").map(decoded);
  const source = objectOf({ ...request, bucketName, key: keyParts.join("/") });
  const wanted = headers["x-amz-copy-source-if-match"];
  if (wanted !== undefined && !namesEtag(wanted, source)) throw preconditionFailed();
  const keeps = headers["x-amz-metadata-directive"] !== "REPLACE";
  if (keeps && bucketName === request.bucketName && source.key === key) {
    throw invalid(
      "InvalidRequest",
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  const { content_type, headers: described } = keeps ? source : descriptionOf(headers);
  const row = change(() => {
    const bucket = bucketOf({ ...request, branch: getBranch(controlPlane, branch.project_id, branch.id) });
    const { size, etag, content } = source;
    return putObject(controlPlane, bucket, { key, size, etag, content, content_type, headers: described });
  });
  return xml("CopyObjectResult", { LastModified: timeOf(row.last_modified), ETag: `"${row.etag}"` });
}

/** `DeleteObject`: succeeds even if there is no such object. */
export function remove(request: S3Request): ApiResponse {
  request.change(() => removeKey(request, bucketOf(request), request.key));
  return noContent;
}

const deletion = z.object({
  Delete: z.object({
    Quiet: z.string().optional(),
    Object: z.array(z.object({ Key: z.string() })).max(maxKeys),
  }),
});

export async function removeMany(request: S3Request): Promise<ApiResponse> {
  const { Delete: asked } = parsed(await documentOf(request.incoming), deletion);
  request.change(() => {
    const bucket = bucketOf(request);
    for (const { Key: key } of asked.Object) removeKey(request, bucket, key);
  });
  const deleted = asked.Quiet === "true" ? undefined : asked.Object.map(({ Key }) => ({ Key }));
  return xml("DeleteResult", { Deleted: deleted });
}

export function startMultipart(request: S3Request): ApiResponse {
  const { controlPlane, change, bucketName, key, headers } = request;
  checkKeyOf(request);
  const { id } = change(() => startUpload(controlPlane, bucketOf(request), key, descriptionOf(headers)));
  return xml("InitiateMultipartUploadResult", { Bucket: bucketName, Key: key, UploadId: id });
}

export async function putPart(request: S3Request): Promise<ApiResponse> {
  const { controlPlane, query } = request;
  const { partNumber = "" } = query;
  const number = /^\d{1,5}$/.test(partNumber) ? Number(partNumber) : 0;
  if (number < 1 || number > maxParts) {
    throw invalid("InvalidArgument", `Part number must be an integer between 1 and ${maxParts}, inclusive`);
  }
  uploadOf(request, bucketOf(request));
  const written = await controlPlane.objects.files.write(payloadOf(request.incoming));
  return await stored(request, written, (bucket) => {
    addPart(controlPlane, uploadOf(request, bucket), number, written);
    return { status: 200, headers: { etag: `"${written.md5}"` } };
  });
}

const completion = z.object({
  CompleteMultipartUpload: z.object({
    Part: z.array(z.object({ PartNumber: z.coerce.number(), ETag: z.string() })).min(1),
  }),
});

export async function completeMultipart(request: S3Request): Promise<ApiResponse> {
  const { controlPlane, bucketName, key } = request;
  const { Part: named } = parsed(await documentOf(request.incoming), completion).CompleteMultipartUpload;
  const upload = uploadOf(request, bucketOf(request));
  const parts = partsOf(upload, named);
  const read = async function* (): AsyncGenerator<Buffer> {
    for (const { content } of parts) yield* controlPlane.objects.files.read(content) as AsyncIterable<Buffer>;
  };
  const written = await controlPlane.objects.files.write(read());
  const etag = etagOfParts(parts);
  return await stored(request, written, (bucket) => {
    const { content_type, headers } = uploadOf(request, bucket);
    const { id: content, size } = written;
    putObject(controlPlane, bucket, { key, size, etag, content, content_type, headers });
    endUpload(controlPlane, uploadOf(request, bucket));
    return xml("CompleteMultipartUploadResult", { Bucket: bucketName, Key: key, ETag: `"${etag}"` });
  });
}

export function abortMultipart(request: S3Request): ApiResponse {
  request.change(() => endUpload(request.controlPlane, uploadOf(request, bucketOf(request))));
  return noContent;
}

/** Records a written content. Removes the content if recording is no longer possible. */
async function stored(
  request: S3Request,
  { id }: WrittenContent,
  record: (bucket: BucketRow) => ApiResponse,
): Promise<ApiResponse> {
  const { controlPlane, branch, change } = request;
  try {
    // The branch or the bucket may have been deleted while the content was written.
    return change(() =>
      record(bucketOf({ ...request, branch: getBranch(controlPlane, branch.project_id, branch.id) })),
    );
  } catch (error) {
    await controlPlane.objects.files.remove(id);
    throw error;
  }
}

function objectOf(request: S3Request): BucketObjectRow {
  const { branch_id, name } = bucketOf(request);
  const row = request.controlPlane.tables.bucketObjects.get({ branch_id, bucket_name: name, key: request.key });
  if (!row) throw noSuchKey();
  return row;
}

function removeKey({ controlPlane }: S3Request, { branch_id, name }: BucketRow, key: string): void {
  const row = controlPlane.tables.bucketObjects.get({ branch_id, bucket_name: name, key });
  if (row) removeObject(controlPlane, row);
}

function uploadOf({ controlPlane, query, key }: S3Request, bucket: BucketRow): MultipartUploadRow {
  const { uploadId = "" } = query;
  const upload = findUpload(controlPlane, bucket, uploadId, key);
  if (!upload) throw noSuchUpload();
  return upload;
}

/** The parts that a client names, in the client's order. */
function partsOf({ parts }: MultipartUploadRow, named: readonly { PartNumber: number; ETag: string }[]) {
  const found = named.map(({ PartNumber: wanted, ETag: tag }) => {
    const part = parts.find(({ number }) => number === wanted);
    if (part?.etag !== tag.replaceAll('"', "")) {
      throw invalid("InvalidPart", "One or more of the specified parts could not be found, or has another entity tag.");
    }
    return part;
  });
  if (found.some((part, index) => index > 0 && part.number <= (found[index - 1]?.number ?? 0))) {
    throw invalid("InvalidPartOrder", "The list of parts was not in ascending order.");
  }
  if (found.slice(0, -1).some(({ size }) => size < smallestPart)) {
    throw invalid("EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
  }
  return found;
}

function checkKeyOf({ key }: S3Request): void {
  try {
    checkKey(key);
  } catch {
    throw invalid("KeyTooLongError", "Your key is too long");
  }
}

/** The description of an object in the header fields of a request. @throws S3Error 400 if its metadata is too large */
function descriptionOf(sent: S3Request["headers"]): ObjectDescription {
  const described = Object.entries(sent).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (keptHeaders.includes(entry[0]) || entry[0].startsWith(metadataPrefix)),
  );
  // Some clients announce here that they send chunks, which is not stored.
  const headers = Object.fromEntries(
    described.map(([name, value]) => [
      name,
      name === "content-encoding" ? value.replace(/^aws-chunked,? */, "") : value,
    ]),
  );
  if (headers["content-encoding"] === "") delete headers["content-encoding"];
  const metadata = described.filter(([name]) => name.startsWith(metadataPrefix));
  const size = metadata.reduce((sum, [name, value]) => sum + name.length - metadataPrefix.length + value.length, 0);
  if (size > maxMetadataBytes) {
    throw invalid("MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size");
  }
  return { content_type: sent["content-type"] ?? usualType, headers };
}

/** Headers that a query asks for instead of the object's own, such as `response-content-disposition`. */
function overriddenHeaders({ query }: S3Request): Record<string, string> {
  return Object.fromEntries(
    ["content-type", ...keptHeaders].flatMap((name) => {
      const value = query[`response-${name}`];
      return value === undefined || /[\r\n]/.test(value) ? [] : [[name, value]];
    }),
  );
}

const preconditionFailed = (): S3Error =>
  new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");

function only(headers: Readonly<Record<string, string>>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

/** @throws S3Error 412 if the request may only create the object, and it exists */
function requireAbsent({ controlPlane, headers, key }: S3Request, { branch_id, name }: BucketRow): void {
  if (headers["if-none-match"] !== "*") return;
  if (!controlPlane.tables.bucketObjects.get({ branch_id, bucket_name: name, key })) return;
  throw preconditionFailed();
}

/**
 * The part of a content that a request asks for; undefined for all of it.
 *
 * @throws S3Error 416
 */
function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || `${from}${to}` === "") return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable");
  return { start, end };
}
