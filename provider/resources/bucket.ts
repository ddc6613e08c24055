import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import { type Bucket, bucketCreate, buckets } from "../../api/schemas/bucket";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { type Collection, onePage, type Reader } from "../call/collection";
import type { Context } from "../call/context";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { adopt, idInput } from "../kind/inputs";
import { type Kind, namesakes } from "../kind/kind";
import { type OutputsOf, asReported } from "../kind/outputs";
import { omitUndefined } from "../values";
import type { BranchAddress } from "./branch/read";
import { listOf } from "./list-of";

const inputs = lazy(() => {
  const { name, accessLevel } = camelShape(bucketCreate.shape);
  return z.strictObject({
    projectId: idInput.describe("Id of the project."),
    branchId: idInput.describe("Id of the branch."),
    name: name
      .refine(isAddressable, notAddressable)
      .optional()
      .describe(
        "Name of the bucket, at most 255 characters, unique on the branch. Default: the resource's logical name.",
      ),
    accessLevel: accessLevel.meta({
      description:
        "Who can read the objects: with `private` only who has a credential, with `public_read` everybody who knows the URL of an object. Listing and writing always need a credential.",
      default: "private",
      replacement: "Neon's API cannot change it.",
    }),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing bucket instead of creating one, such as one that the branch has from its parent. A name adopts that bucket and fails if it does not exist. `true` adopts the bucket of this name, or creates it if there is none. Setting or removing `adopt` later has no effect.",
      ),
  });
});
export type BucketInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "branchId"),
    name: z.string().describe("Name of the bucket."),
    accessLevel: z.string().describe("Who can read the objects: `private` or `public_read`."),
    createdAt: z
      .string()
      .describe(
        "Time of creation (ISO 8601, UTC); of a bucket that the branch has from its parent, the time at which it was created there.",
      ),
  });
export type BucketOutputs = OutputsOf<typeof outputs>;

/** A bucket for objects of a branch. */
export const bucket: Kind<BucketInputs, BucketOutputs> = {
  name: "Bucket",
  noun: "bucket",
  version: 1,
  inputs,
  outputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    name: { onChange: "replace" },
    // No published request changes it.
    accessLevel: { onChange: "replace" },
  },
  defaultName: "name",
  uniqueBy: ["projectId", "branchId", "name"],
  replacement: { loss: "The new bucket is empty. Neon deletes the old one only if it is empty, too." },
  ...identifiedBy("projectId", "branchId", "name"),
  identity: { by: "createdAt", read: async (context, state) => (await find(context, state))?.created_at },

  create: ({ projectId, branchId, name: bucketName = "", accessLevel: level }) =>
    creation({
      what: "create bucket",
      request: buckets.create(projectId, branchId, { name: bucketName, ...omitUndefined({ access_level: level }) }),
      repeatable: true,
      outputs: (answer) => bucketOutputs({ projectId, branchId }, answer.bucket),
      // What the platform answers if the branch has a bucket of this name from its parent is not specified.
      overwrites: true,
    }),

  read: async (context, { projectId = "", branchId = "", name: bucketName = "" }) => {
    const found = await context.readOne(bucketsOf({ projectId, branchId }), bucketName);
    return found && bucketOutputs({ projectId, branchId }, found);
  },

  remove: async (context, state) => {
    const { projectId, branchId, name: bucketName } = state;
    await deleteObject(context, {
      what: "delete bucket",
      object: `bucket ${bucketName}`,
      project: projectId,
      request: buckets.delete(projectId, branchId, bucketName),
      silent: true,
      exists: async () => (await find(context, state)) !== undefined,
      explain: (error) => explainedByContents(bucketName, error),
    });
  },

  namesakes: (_, { projectId, branchId, name: bucketName = "" }) =>
    namesakes({
      collection: bucketsOf({ projectId, branchId }),
      matches: (one) => one.name === bucketName,
      outputs: (one) => bucketOutputs({ projectId, branchId }, one),
    }),

  listing: {
    of: "branch",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(buckets.list(projectId, branchId))).buckets.map(({ name, created_at }) => ({
        address: { name },
        createdAt: created_at,
      })),
  },
};

async function find(
  context: Context,
  { projectId, branchId, name: bucketName }: BucketOutputs,
): Promise<Bucket | undefined> {
  return (await listBuckets(context, { projectId, branchId })).find((one) => one.name === bucketName);
}

/** What a bucket with objects is refused with, explained. Which of the two statuses that is, is not specified. */
function explainedByContents(bucketName: string, error: unknown): unknown {
  if (!hasStatus(error, 409, 422)) return error;
  return explained(
    `The bucket ${bucketName} was not deleted`,
    error,
    "Neon deletes only empty buckets: if it holds objects, delete them first, then run the same command again. If the branch is deleted with the bucket, set the resource option `deletedWith` of the bucket to the branch.",
  );
}

/** The buckets of a branch with those that it has from its parent, none if the branch does not exist. */
async function listBuckets(
  reader: Pick<Reader, "read">,
  { projectId, branchId }: BranchAddress,
): Promise<readonly Bucket[]> {
  return (
    (await listOf(reader, reader.read(buckets.list(projectId, branchId)), branches.get(projectId, branchId)))
      ?.buckets ?? []
  );
}

function bucketsOf(branch: BranchAddress): Collection<Bucket> {
  return {
    name: `buckets/${branch.projectId}/${branch.branchId}`,
    projectId: branch.projectId,
    pages: (reader) => onePage(() => listBuckets(reader, branch)),
    keyOf: ({ name: bucketName }) => bucketName,
  };
}

function bucketOutputs({ projectId, branchId }: BranchAddress, found: Bucket): BucketOutputs {
  return {
    projectId,
    branchId,
    name: found.name,
    accessLevel: found.access_level,
    createdAt: found.created_at,
  };
}
