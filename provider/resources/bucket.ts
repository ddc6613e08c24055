import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import {
  explained,
  hasStatus,
  ignoreNotFound,
  ignoreStatus,
  invalid,
  isNotFound,
  type NeonError,
} from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import type { Request } from "../../api/core/request";
import { together } from "../../api/core/together";
import { NoS3AccessError } from "../../api/http/s3";
import { branches } from "../../api/schemas/branch";
import { type Bucket, bucket as wireBucket, bucketCreate, buckets } from "../../api/schemas/bucket";
import { type BucketObjectQuery, bucketObjects } from "../../api/schemas/bucket-object";
import { type CorsRule, corsRules, isXmlText, s3 } from "../../api/schemas/s3";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { type Collection, wholeList } from "../call/collection";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { plain } from "../kind/field-rules";
import { adopt, ofBranch } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn } from "../values";
import type { BranchAddress } from "./branch/read";

const inputs = lazy(() => {
  const { name, accessLevel } = camelShape(bucketCreate.shape);
  return z.strictObject({
    ...ofBranch,
    name: name.refine(isAddressable, notAddressable).optional(),
    accessLevel: accessLevel.meta({ default: "private", change: "Neon's API cannot change it." }),
    cors: corsRules.optional().meta({ omitted: "none" }),
    forceDestroy: z.boolean().optional().meta({
      description:
        "Whether all objects in the bucket are deleted when it is destroyed or replaced, also those that this program did not create. Set it with `pulumi up` before you destroy the bucket. Exists in Pulumi only.",
      default: false,
    }),
    adopt,
  });
});
export type BucketInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...ofBranch,
    ...only(camelShape(wireBucket.shape), "name", "accessLevel"),
    ...only(inputs().shape, "cors", "forceDestroy"),
    ...only(camelShape(wireBucket.shape), "createdAt"),
  });
export type BucketOutputs = OutputsOf<typeof outputs>;

/** A bucket for objects of a branch. */
export const bucket = listedKind<Bucket, BucketInputs, BucketOutputs>({
  name: "Bucket",
  noun: "bucket",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "name"],
  rules: {
    // No published request changes the access level.
    accessLevel: { onChange: "replace" },
    cors: { onRemove: "clear", unset: "none" },
    forceDestroy: { platform: "unaware", onRemove: "clear", unset: "false" },
  },
  defaultName: "name",
  replacement: {
    loss: "The new bucket is empty. Neon deletes the old one only if it is empty, too: with `forceDestroy`, all its objects are deleted.",
  },
  identity: { by: "createdAt" },

  create: ({ projectId, branchId, name: bucketName = "", accessLevel: level }) =>
    creation({
      what: "create bucket",
      request: buckets.create(projectId, branchId, { name: bucketName, ...omitUndefined({ access_level: level }) }),
      repeatable: true,
      outputs: (answer) => bucketOutputs({ projectId, branchId }, answer.bucket),
      // Neon does not specify what happens if the branch inherits a bucket of this name.
      overwrites: true,
      leaves: ["cors"],
    }),

  collection: bucketsOf,
  outputsOf: (found, { projectId = "", branchId = "", cors }) => bucketOutputs({ projectId, branchId }, found, cors),
  read: async (context, state) => {
    const { projectId = "", branchId = "", name = "" } = state;
    const found = await context.readOne(bucketsOf(state), name);
    if (found === undefined) return undefined;
    const rules = await corsOf(context, { projectId, branchId, bucketName: name });
    return bucketOutputs({ projectId, branchId }, found, rules === undefined ? state.cors : rules);
  },

  update: async (context, state, { cors = [] }, changes) => {
    if (!changes.has("cors")) return;
    const { projectId, branchId, name: bucketName, accessLevel } = state;
    const address = { projectId, branchId, bucketName };
    const set = () =>
      context.change({
        what: "set the CORS rules",
        request: cors.length === 0 ? s3.deleteCors(address) : s3.putCors(address, cors),
        applies: ["cors"],
        outputs: () => ({ cors: cors.length === 0 ? undefined : cors }),
        done: async () => isDeepStrictEqual(plain((await corsOf(context, address)) ?? []), plain(cors)),
        // The rules that S3 reports can lag behind.
        silent: true,
      });
    try {
      await set();
    } catch (error) {
      if (!isNotFound(error) || (await context.readOne(bucketsOf(state), bucketName)) === undefined) throw error;
      // S3 does not change a bucket that the branch has from its parent, until it is created on the branch, too.
      const access_level = bucketCreate.shape.access_level.safeParse(accessLevel).data;
      const request = buckets.create(projectId, branchId, { name: bucketName, ...omitUndefined({ access_level }) });
      await context.change({ what: "create bucket", request, done: () => Promise.resolve(true) });
      await set();
    }
  },

  remove: async (context, state) => {
    const { projectId, branchId, name: bucketName, forceDestroy } = state;
    if (forceDestroy === true) await emptyBucket(context, state);
    await context.delete({
      what: "delete bucket",
      object: `bucket ${bucketName}`,
      request: buckets.delete(projectId, branchId, bucketName),
      silent: true,
      exists: async () => (await context.readOne(bucketsOf(state), bucketName)) !== undefined,
      explain: (error) => explainedByContents(bucketName, error),
    });
  },

  listing: { isCopied: true },
});

function bucketsOf({ projectId = "", branchId = "" }: Partial<BranchAddress>): Collection<Bucket> {
  return wholeList({
    list: buckets.list(projectId, branchId),
    // Includes the buckets that the branch inherits from its parent.
    items: (answer) => answer.buckets,
    keyOf: (one) => one.name,
    parent: branches.get(projectId, branchId),
  });
}

/** The rules of a bucket, which only S3 reports. Undefined if this API key has no access to it. */
async function corsOf(
  context: Context,
  address: Parameters<typeof s3.cors>[0],
): Promise<readonly CorsRule[] | undefined> {
  try {
    return (await ignoreNotFound(context.read(s3.cors(address))))?.CORSConfiguration.CORSRule ?? [];
  } catch (error) {
    if (NoS3AccessError.isInstance(error)) return undefined;
    throw error;
  }
}

/** How many requests delete objects at the same time. */
const lanes = 10;
/** How many objects one request deletes. S3 allows 1000, but Neon's gateway can end a request that takes a minute. */
const batchSize = 100;

/**
 * Deletes all objects of a bucket: by folder those stored on this branch, and the others over S3, or one by one if this
 * API key has no access to S3.
 */
async function emptyBucket(context: Context, { projectId, branchId, name }: BucketOutputs): Promise<void> {
  const list = (query: BucketObjectQuery = {}) => bucketObjects.list(projectId, branchId, name, query);
  const what = "delete the objects";
  // If a response is lost, the next list shows what was deleted.
  const send = <Response extends object>(request: Request<Response>): Promise<Response | undefined> =>
    context.change({ what, request, done: () => Promise.resolve(true) });
  const remove = async (key: string): Promise<void> => {
    if (!isAddressable(key)) throw notDeletable(name, key);
    await ignoreNotFound(send(bucketObjects.delete(projectId, branchId, name, key)));
  };
  const removeTogether = async (keys: readonly string[]): Promise<void> => {
    try {
      const answer = await send(s3.deleteObjects({ projectId, branchId, bucketName: name }, keys));
      const [refused] = answer?.DeleteResult.Error ?? [];
      if (refused !== undefined) throw notDeleted(name, refused);
    } catch (error) {
      // S3 may not know a bucket that the branch has from its parent.
      if (!NoS3AccessError.isInstance(error) && !isNotFound(error)) throw error;
      await inLanes(keys, remove);
    }
  };
  const emptied = async (): Promise<true | undefined> => {
    for (const folder of await foldersIn(context, list({ delimiter: "/" }))) {
      // Deleting by folder only saves requests. If Neon refuses a folder, its objects are deleted with the others.
      await ignoreStatus(send(bucketObjects.deleteByPrefix(projectId, branchId, name, folder)), 400, 404, 422);
    }
    let isEmpty = true;
    for await (const { items } of context.pages(list())) {
      isEmpty &&= items.length === 0;
      const keys = items.map(({ key }) => key);
      await inLanes(
        keys.filter((key) => !isXmlText(key)),
        remove,
      );
      await inLanes(batches(keys.filter(isXmlText)), removeTogether);
    }
    return isEmpty ? true : undefined;
  };
  const late = (): Error => invalid(`The bucket ${name} was not deleted: objects are stored in it all the time`);
  await ignoreNotFound(context.until(emptied, late));
}

/** Does something with each item, with several at the same time. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += lanes) await together(items.slice(from, from + lanes).map(work));
}

function batches(keys: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(keys.length / batchSize);
  return Array.from({ length: count }, (_, index) => keys.slice(index * batchSize, (index + 1) * batchSize));
}

/** The error for an object that the storage does not delete. */
function notDeleted(bucketName: string, { Key: key, Message: reason }: { Key: string; Message: string }): NeonError {
  return invalid(`The bucket ${bucketName} was not deleted: its object ${JSON.stringify(key)} was not (${reason})`, {
    retry: "Run the same command again.",
  });
}

/**
 * The error for a key with dot segments: URL parsers would resolve them, and the request would address another object.
 */
function notDeletable(bucketName: string, key: string): NeonError {
  return invalid(
    `The bucket ${bucketName} was not deleted: Neon's API cannot address its object ${JSON.stringify(key)}`,
    { fix: "Delete that object over S3, then run the same command again." },
  );
}

/** The folders at the top of a list with a delimiter. */
async function foldersIn(context: Context, list: ReturnType<typeof bucketObjects.list>): Promise<readonly string[]> {
  const folders = new Set<string>();
  // A page has both folders and objects. Collect the folders where `context.pages` asks for the items.
  const items = ({ folders: some }: { readonly folders: readonly string[] }): readonly never[] => {
    for (const folder of some) folders.add(folder);
    return [];
  };
  for await (const page of context.pages({
    ...list,
    items,
    omitted: ({ folders: some, objects }) => some.length + objects.length,
  }))
    void page;
  return [...folders];
}

/** Explains why a bucket with objects was not deleted. Neon does not specify whether the status is 409 or 422. */
function explainedByContents(bucketName: string, error: unknown): unknown {
  if (!hasStatus(error, 409, 422)) return error;
  return explained(
    `The bucket ${bucketName} was not deleted`,
    error,
    "Neon deletes only empty buckets: if it holds objects, set `forceDestroy: true` and run `pulumi up`, or delete them, then run the same command again. If the branch is deleted with the bucket, set the resource option `deletedWith` of the bucket to the branch.",
  );
}

function bucketOutputs(
  { projectId, branchId }: BranchAddress,
  found: Bucket,
  cors: readonly CorsRule[] = [],
): BucketOutputs {
  const rules = cors.length > 0 && { cors: [...cors] };
  return { projectId, branchId, ...outputsIn(found, "name", "access_level", "created_at"), ...rules };
}
