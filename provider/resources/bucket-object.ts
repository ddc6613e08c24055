import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { HttpError } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type BucketObject,
  bucketObject as wireObject,
  bucketObjects,
  objectKey,
} from "../../api/schemas/bucket-object";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { type Collection, listOf, onePage, pagedList } from "../call/collection";
import { contents } from "../call/contents";
import type { Content } from "../content";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, asset, ofBranch } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined } from "../values";

const inputs = lazy(() =>
  z
    .strictObject({
      ...ofBranch,
      bucketName: z.string().min(1).refine(isAddressable, notAddressable).describe("Name of the bucket."),
      key: objectKey.optional().meta({ note: "At most 1024 bytes." }),
      source: asset.optional().meta({
        description:
          "Content of the object: a file, a text or what a URL returns. Compared by its hash. Required to create an object. If omitted, an adopted object keeps its content.",
      }),
      contentType: z
        .string()
        .min(1)
        .regex(/^[\x20-\x7e]*$/, "must be a media type, such as `image/svg+xml`: printable ASCII characters only")
        .optional()
        .meta({
          description: "Media type of the object, such as `image/svg+xml`.",
          omitted: "chosen by the storage",
          change: "A change uploads the object again.",
        }),
      adopt: adopt.meta({ note: "A declared `source` overwrites its content." }),
    })
    .check(
      combination(({ source, contentType }, report) => {
        if (source === undefined && contentType !== undefined)
          report("needs `source`: an upload sets it", "contentType");
      }),
    ),
);
export type BucketObjectInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const wire = camelShape(wireObject.shape);
  return z.object({
    ...ofBranch,
    ...only(inputs().shape, "bucketName"),
    ...only(wire, "key"),
    ...only(inputs().shape, "contentType"),
    sourceHash: z
      .string()
      .optional()
      .describe("Hash of the uploaded content. Absent if somebody else has stored another object under the key since."),
    ...only(wire, "etag", "size"),
  });
};
export type BucketObjectOutputs = OutputsOf<typeof outputs, "etag" | "size">;

type Address = Pick<BucketObjectOutputs, "projectId" | "branchId" | "bucketName" | "key">;

/** An object of a bucket. */
export const bucketObject = listedKind<BucketObject, BucketObjectInputs, BucketObjectOutputs>({
  name: "BucketObject",
  noun: "object",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "bucketName", "key"],
  rules: {
    source: { content: { type: "asset", hash: "sourceHash" }, affects: ["etag", "size"] },
    contentType: { platform: "write-only", onRemove: "clear", affects: ["etag"] },
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

  create: ({ projectId, branchId, bucketName, key = "", source, contentType }) => {
    const address = { projectId, branchId, bucketName, key };
    const declared = omitUndefined({ contentType, sourceHash: source?.hash });
    return creation({
      what: "upload object",
      request: uploadRequest(address, source, contentType),
      repeatable: true,
      overwrites: true,
      outputs: () => ({ ...address, ...declared }),
      found: async (present) => ((await isUploaded(present, source)) ? declared : undefined),
    });
  },

  collection: objectsOf,
  listing: { isCopied: true },
  alone:
    ({ projectId = "", branchId = "", bucketName = "", key }) =>
    (reader) =>
      onePage(async () => {
        const list = bucketObjects.list(projectId, branchId, bucketName, { prefix: key });
        return (await reader.read(firstOf(list))).objects;
      }),
  outputsOf: objectOutputs,

  update: async (context, state, { source, contentType }, changes) => {
    const applies = ["source", "contentType"].filter((input) => changes.has(input));
    if (source === undefined) {
      context.progress.succeeded(applies);
      return;
    }
    const before = await context.readOne(objectsOf(state), state.key);
    if (before === undefined) throw notListed(state);
    await context.change({
      what: "upload object",
      request: uploadRequest(state, source, contentType),
      applies,
      outputs: () => ({ sourceHash: source.hash, contentType, etag: undefined, size: undefined }),
      done: async (isSince) => {
        const now = await context.readOne(objectsOf(state), state.key);
        // An upload of the same content just before this one looks the same.
        if (now === undefined || !isSince(now.last_modified) || now.last_modified === before.last_modified)
          return false;
        return await isUploaded(now, source);
      },
    });
  },

  deletion: ({ projectId, branchId, bucketName, key }) => ({
    request: bucketObjects.delete(projectId, branchId, bucketName, key),
    silent: true,
  }),

  preview: {
    problems: (_, { source, adopt: adopts = false }, before) => {
      const isIncomplete = before === undefined && adopts === false && source === undefined;
      return Promise.resolve(isIncomplete ? [{ property: "source", reason: "is required to create an object" }] : []);
    },
  },
});

function objectsOf({ projectId = "", branchId = "", bucketName = "" }: Partial<Address>): Collection<BucketObject> {
  const list = bucketObjects.list(projectId, branchId, bucketName);
  // No request reads a single bucket, so reading its objects again shows whether it exists.
  const parent = firstOf(list);
  const keyOf = ({ key }: BucketObject): string => key;
  return pagedList({
    list,
    keyOf,
    parent,
    get: async (reader, key) => {
      const alone = firstOf(bucketObjects.list(projectId, branchId, bucketName, { prefix: key }));
      const page = await listOf(reader, reader.read(alone), parent);
      return page?.objects.find((one) => one.key === key);
    },
  });
}

/**
 * The request for the first object of a list. Lists are sorted by key, so an object whose key is the prefix comes
 * first.
 */
function firstOf<List extends ReturnType<typeof bucketObjects.list>>(list: List): List {
  return { ...list, query: { ...list.query, limit: 1 } };
}

/**
 * The error for an object that no longer exists, because an upload would create it again. No request reads a single
 * object, so the platform never returns this 404 itself.
 */
function notListed({ projectId, branchId, bucketName, key }: Address): HttpError {
  const { method, path } = bucketObjects.list(projectId, branchId, bucketName);
  return new HttpError({
    method,
    path,
    status: 404,
    code: undefined,
    reason: `the list does not have the object ${key}`,
  });
}

/** The outputs of an object. The uploaded content is still there while size and etag are unchanged. */
function objectOutputs(found: BucketObject, state: Partial<BucketObjectOutputs>): BucketObjectOutputs {
  const { projectId = "", branchId = "", bucketName = "", contentType, sourceHash, size, etag } = state;
  const isSame = (size ?? found.size) === found.size && (etag ?? found.etag) === found.etag;
  return {
    projectId,
    branchId,
    bucketName,
    key: found.key,
    ...omitUndefined({ contentType, ...(isSame && { sourceHash }) }),
    etag: found.etag,
    size: found.size,
  };
}

function uploadRequest(
  { projectId, branchId, bucketName, key }: Address,
  source: Content | undefined,
  contentType: string | undefined,
) {
  // Without content, the object was there in the preview and is gone now. A presigned URL alone creates nothing.
  if (source === undefined) return bucketObjects.presign(projectId, branchId, bucketName, key, { operation: "upload" });
  return bucketObjects.put(projectId, branchId, bucketName, key, {
    content_type: contentType,
    upload: () => contents.file(source),
  });
}

/** Whether an object may be the upload of a file: the size matches, and so does the etag if it is an MD5 hash. */
async function isUploaded(
  { size, etag }: Partial<Pick<BucketObject, "size" | "etag">>,
  source: Content | undefined,
): Promise<boolean> {
  if (source === undefined) return false;
  const digest = await contents.digest(source);
  const isOtherMd5 = etag !== undefined && /^[0-9a-f]{32}$/.test(etag) && etag !== digest.md5;
  return size === digest.size && !isOtherMd5;
}
