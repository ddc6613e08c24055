import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import { type Bucket, bucketCreate, buckets } from "../../api/schemas/bucket";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { adopt, idInput } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { type OutputsOf, asReported } from "../kind/outputs";
import { omitUndefined } from "../values";
import type { BranchAddress } from "./branch/read";

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
export const bucket = listedKind<Bucket, BucketInputs, BucketOutputs>({
  name: "Bucket",
  noun: "bucket",
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
  identity: { by: "createdAt" },

  create: ({ projectId, branchId, name: bucketName = "", accessLevel: level }) =>
    creation({
      what: "create bucket",
      request: buckets.create(projectId, branchId, { name: bucketName, ...omitUndefined({ access_level: level }) }),
      repeatable: true,
      outputs: (answer) => bucketOutputs({ projectId, branchId }, answer.bucket),
      // What the platform answers if the branch has a bucket of this name from its parent is not specified.
      overwrites: true,
    }),

  collection: ({ projectId = "", branchId = "" }) =>
    wholeList({
      list: buckets.list(projectId, branchId),
      // A branch has those of its parent, too.
      items: (answer) => answer.buckets,
      keyOf: (one) => one.name,
      parent: branches.get(projectId, branchId),
    }),
  outputsOf: (found, { projectId = "", branchId = "" }) => bucketOutputs({ projectId, branchId }, found),

  deletion: ({ projectId, branchId, name: bucketName }) => ({
    what: "delete bucket",
    object: `bucket ${bucketName}`,
    request: buckets.delete(projectId, branchId, bucketName),
    silent: true,
    explain: (error) => explainedByContents(bucketName, error),
  }),

  listing: { isCopied: true },
});

/** What a bucket with objects is refused with, explained. Which of the two statuses that is, is not specified. */
function explainedByContents(bucketName: string, error: unknown): unknown {
  if (!hasStatus(error, 409, 422)) return error;
  return explained(
    `The bucket ${bucketName} was not deleted`,
    error,
    "Neon deletes only empty buckets: if it holds objects, delete them first, then run the same command again. If the branch is deleted with the bucket, set the resource option `deletedWith` of the bucket to the branch.",
  );
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
