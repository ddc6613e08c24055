import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { fromWire, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { HttpError, ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import type { Request } from "../../api/core/request";
import { NoS3AccessError } from "../../api/http/s3";
import {
  type BucketObject,
  bucketObject as wireObject,
  type bucketObjectPage,
  bucketObjects,
  objectKey,
} from "../../api/schemas/bucket-object";
import { headerFields, headerForm, type ObjectHead, objectHeaders, type ObjectHeaders, s3 } from "../../api/schemas/s3";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { type Collection, listOf, onePage, pagedList, type Reader } from "../call/collection";
import { contents } from "../call/contents";
import type { Context } from "../call/context";
import type { Content } from "../content";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { plain } from "../kind/field-rules";
import { adopt, asset, ofBranch } from "../kind/inputs";
import { Observation } from "../kind/kind";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined } from "../values";

/** The inputs that are header fields of the object. */
const describing = ["contentType", "cacheControl", "contentDisposition", "contentEncoding"] as const;
const headerNames = [...describing, "metadata"] as const;
type HeaderInput = (typeof headerNames)[number];

/** How many bytes S3 stores of an object's metadata, and of its other header fields. */
const maxHeaderBytes = 2048;

const inputs = lazy(() => {
  const { contentType, cacheControl, contentDisposition, contentEncoding, metadata } = camelShape(objectHeaders.shape);
  return z
    .strictObject({
      ...ofBranch,
      bucketName: z.string().min(1).refine(isAddressable, notAddressable).describe("Name of the bucket."),
      key: objectKey.optional().meta({ note: "At most 1024 bytes." }),
      source: asset.optional().meta({
        description:
          "Content of the object: a file, a text or what a URL returns. Compared by its hash. Required to create an object. If omitted, an adopted object keeps its content.",
      }),
      contentType: contentType.meta({ omitted: "chosen by the storage", change: "A change uploads the object again." }),
      cacheControl: cacheControl.meta({ omitted: "none" }),
      contentDisposition: contentDisposition.meta({ omitted: "none" }),
      contentEncoding: contentEncoding
        .refine((value = "") => !/\baws-chunked\b/i.test(value), "must not name `aws-chunked`, which S3 does not store")
        .meta({
          description: contentEncoding.description,
          omitted: "none",
          note: "`source` is not encoded: it must hold the encoded content.",
        }),
      metadata: metadata
        .unwrap()
        .check(
          combination((entries, report) => {
            const given = Object.entries(entries).map(([name, value]) => [name, known(value) ?? ""] as const);
            for (const [name, value] of given) {
              if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
                report("must have a name of lower-case letters, digits and dashes", name);
              } else if (!headerForm.pattern.test(value)) report(headerForm.error, name);
            }
            const size = given.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
            if (size > maxHeaderBytes) report("must have at most 2 KB of names and values in total");
          }),
        )
        .optional()
        .meta({
          description: metadata.description,
          omitted: "none",
          note: "Names in lower case, ASCII only, at most 2 KB.",
        }),
      adopt: adopt.meta({ note: "A declared `source` overwrites its content." }),
    })
    .check(
      combination((declared, report) => {
        const size = describing.reduce((sum, input) => sum + input.length + lengthOf(declared[input]), 0);
        const [longest = "contentType"] = describing.toSorted(
          (one, other) => lengthOf(declared[other]) - lengthOf(declared[one]),
        );
        if (size > maxHeaderBytes) report("is too long: an object has at most 2 KB of header fields", longest);
      }),
    );
});

const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);
export type BucketObjectInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const wire = camelShape(wireObject.shape);
  return z.object({
    ...ofBranch,
    ...only(inputs().shape, "bucketName"),
    ...only(wire, "key"),
    ...only(camelShape(objectHeaders.shape), ...headerNames),
    sourceHash: z
      .string()
      .optional()
      .describe("Hash of the uploaded content. Absent if somebody else has stored another object under the key since."),
    ...only(wire, "etag", "size"),
  });
};
export type BucketObjectOutputs = OutputsOf<typeof outputs, "etag" | "size">;

/** An object as it is read: only S3 reports the header fields. */
type StoredObject = BucketObject & Partial<ObjectHead>;

type Address = Pick<BucketObjectOutputs, "projectId" | "branchId" | "bucketName" | "key">;

/** An object of a bucket. */
export const bucketObject = listedKind<StoredObject, BucketObjectInputs, BucketObjectOutputs>({
  name: "BucketObject",
  noun: "object",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "bucketName", "key"],
  rules: {
    source: { content: { type: "asset", hash: "sourceHash" }, affects: ["etag", "size"] },
    ...Object.fromEntries(headerNames.map((input) => [input, { onRemove: "clear", affects: ["etag"] }] as const)),
    metadata: { onRemove: "clear", affects: ["etag"], equality: isSameMetadata },
  },
  defaultName: "key",
  needs: [
    {
      status: 404,
      fix: "The bucket does not exist, or this API key cannot see it. Of a bucket that the program declares, use the output `name` as `bucketName`, so that Pulumi creates it first.",
    },
  ],
  within: { Bucket: ["bucketName"] },
  scope: { isApart: true },

  create: ({ projectId, branchId, bucketName, key = "", source, ...declared }) => {
    const address = { projectId, branchId, bucketName, key };
    const stored = omitUndefined({ ...only(declared, ...headerNames), sourceHash: source?.hash });
    return creation({
      what: "upload object",
      request: uploadRequest(address, source, declared),
      repeatable: true,
      overwrites: true,
      outputs: () => ({ ...address, ...stored }),
      found: async (present) => ((await isUploaded(present, source)) ? stored : undefined),
    });
  },

  collection: objectsOf,
  listing: { isCopied: true },
  alone:
    ({ projectId = "", branchId = "", bucketName = "", key = "" }) =>
    (reader) =>
      onePage(async () => [(await readAlone(reader, { projectId, branchId, bucketName, key })) ?? []].flat()),
  outputsOf: objectOutputs,
  read: async (context, state) => {
    const listed = await context.readOne(objectsOf(state), state.key ?? "");
    if (listed === undefined) return undefined;
    const { asOf } = context.kept;
    if (isUnchanged(listed, state, asOf)) return new Observation(objectOutputs(listed, state), { asOf });
    const head = listed.headers === undefined ? await headOf(context, objectOutputs(listed, state)) : undefined;
    const found = { ...listed, ...head };
    return new Observation(objectOutputs(found, state), {
      asOf: found.is_past === true ? found.last_modified : undefined,
    });
  },

  update: async (context, state, { source, ...declared }, changes) => {
    const applies = ["source", ...headerNames].filter((input) => changes.has(input));
    if (source === undefined && !headerNames.some((input) => changes.has(input))) {
      context.progress.succeeded(applies);
      return;
    }
    const before = await context.readOne(objectsOf(state), state.key);
    if (before === undefined) throw notFound(state);
    if (source === undefined) {
      // The program leaves alone what it neither declares nor removes.
      const kept = headerNames.filter((input) => declared[input] === undefined && !changes.has(input));
      const present = fromWire(before.headers ?? {});
      const headers = headersIn({ ...only(present, ...kept), ...omitUndefined(only(declared, ...headerNames)) });
      await context.change({
        what: "change the headers of the object",
        request: s3.describe(state, before.etag, headers),
        applies,
        outputs: () => ({ ...fromWire(headers), etag: undefined, size: undefined }),
        done: async () => {
          const now = await headOf(context, state);
          return now !== undefined && isDescribed(now.headers, fromWire(headers));
        },
      });
      return;
    }
    await context.change({
      what: "upload object",
      request: uploadRequest(state, source, declared),
      applies,
      outputs: () => ({
        ...only(declared, ...headerNames),
        sourceHash: source.hash,
        etag: undefined,
        size: undefined,
      }),
      done: async (isSince) => {
        const now = await context.readOne(objectsOf(state), state.key);
        if (now === undefined || !(await isUploaded(now, source))) return false;
        if (now.headers !== undefined && !isDescribed(now.headers, declared)) return false;
        if (now.headers !== undefined && isMd5(now.etag)) return true;
        // An upload of the same size just before this one looks the same.
        return isSince(now.last_modified) && now.last_modified !== before.last_modified;
      },
    });
  },

  deletion: (state) => ({ request: s3.delete(state), silent: true }),

  preview: {
    problems: (_, { source, adopt: adopts = false }, before) => {
      const isIncomplete = before === undefined && adopts === false && source === undefined;
      return Promise.resolve(isIncomplete ? [{ property: "source", reason: "is required to create an object" }] : []);
    },
  },
});

function objectsOf({ projectId = "", branchId = "", bucketName = "" }: Partial<Address>): Collection<StoredObject> {
  const list = bucketObjects.list(projectId, branchId, bucketName);
  // No request reads a single bucket, so reading its objects again shows whether it exists.
  const parent = firstOf(list);
  return pagedList<StoredObject, z.infer<typeof bucketObjectPage>>({
    list,
    keyOf: ({ key }) => key,
    parent,
    get: (reader, key) => readAlone(reader, { projectId, branchId, bucketName, key }),
  });
}

/** Reads an object over S3 or, if this API key has no access to it, from the list. Undefined if it does not exist. */
async function readAlone(reader: Pick<Reader, "read">, address: Address): Promise<StoredObject | undefined> {
  const { projectId, branchId, bucketName, key } = address;
  try {
    const head = await ignoreNotFound(reader.read(s3.head(address)));
    return head && { key, ...head };
  } catch (error) {
    if (!NoS3AccessError.isInstance(error)) throw error;
  }
  const alone = firstOf(bucketObjects.list(projectId, branchId, bucketName, { prefix: key }));
  const page = await listOf(reader, reader.read(alone), firstOf(bucketObjects.list(projectId, branchId, bucketName)));
  return page?.objects.find((one) => one.key === key);
}

/**
 * The request for the first object of a list. Lists are sorted by key, so an object whose key is the prefix comes
 * first.
 */
function firstOf<List extends ReturnType<typeof bucketObjects.list>>(list: List): List {
  return { ...list, query: { ...list.query, limit: 1 } };
}

/** The error for an object that no longer exists, because an upload would create it again. */
function notFound(address: Address): HttpError {
  const { method, path } = s3.head(address);
  return new HttpError({ method, path, status: 404, code: undefined, reason: `there is no object ${address.key}` });
}

/**
 * The outputs of an object, with the header fields that the state has if it was read from a list. The uploaded content is
 * still there while size and etag are unchanged.
 */
function objectOutputs(found: StoredObject, state: Partial<BucketObjectOutputs>): BucketObjectOutputs {
  const { projectId = "", branchId = "", bucketName = "", sourceHash, size, etag } = state;
  const isSame = (size ?? found.size) === found.size && (etag ?? found.etag) === found.etag;
  const headers = found.headers === undefined ? only(state, ...headerNames) : fromWire(found.headers);
  return {
    projectId,
    branchId,
    bucketName,
    key: found.key,
    ...omitUndefined({ ...headers, ...(isSame && { sourceHash }) }),
    etag: found.etag,
    size: found.size,
  };
}

/**
 * Whether a listed object is the one whose header fields the state has. S3 changes them only by an upload or a copy, which
 * also set the time.
 */
function isUnchanged(
  { headers, size, etag, last_modified: modified }: StoredObject,
  state: Partial<BucketObjectOutputs>,
  asOf: string | undefined,
): boolean {
  const isSame = size === state.size && etag === state.etag;
  // `HEAD` has times in whole seconds.
  return headers === undefined && isSame && Math.floor(Date.parse(modified) / 1000) === Date.parse(asOf ?? "") / 1000;
}

type HeaderOutputs = Pick<BucketObjectOutputs, HeaderInput>;

function headersIn(values: HeaderOutputs): ObjectHeaders {
  return toWire(only(values, ...headerNames));
}

/** The header fields and the time of an object, which only S3 reports. Undefined if this API key has no access to them. */
async function headOf(context: Context, address: Address): Promise<ObjectHead | undefined> {
  try {
    return await ignoreNotFound(context.read(s3.head(address)));
  } catch (error) {
    if (NoS3AccessError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Whether an object has these header fields, and no others. The storage chooses a content type if there is none. */
function isDescribed(present: ObjectHeaders, declared: HeaderOutputs): boolean {
  const { content_type = present.content_type, ...others } = headersIn(declared);
  return isDeepStrictEqual(headerFields(present), headerFields({ content_type, ...others }));
}

/** No metadata and an empty map mean the same. */
function isSameMetadata(present: unknown, declared: unknown): boolean {
  return isDeepStrictEqual(plain(present ?? {}), plain(declared ?? {}));
}

function uploadRequest(address: Address, source: Content | undefined, declared: HeaderOutputs): Request<object> {
  if (source !== undefined) return s3.put(address, headersIn(declared), () => contents.file(source));
  // Without content, the object was there in the preview and is gone now. A presigned URL alone creates nothing.
  const { projectId, branchId, bucketName, key } = address;
  return bucketObjects.presign(projectId, branchId, bucketName, key, { operation: "upload" });
}

/** Whether an object may be the upload of a file: the size matches, and so does the etag if it is an MD5 hash. */
async function isUploaded(
  { size, etag }: Partial<Pick<BucketObject, "size" | "etag">>,
  source: Content | undefined,
): Promise<boolean> {
  if (source === undefined) return false;
  const digest = await contents.digest(source);
  return size === digest.size && !(isMd5(etag) && etag !== digest.md5);
}

/** Whether an etag is the hash of the content: those of uploads in parts are not. */
function isMd5(etag = ""): boolean {
  return /^[0-9a-f]{32}$/.test(etag);
}
