import { z } from "zod";

import { branchStorage, bucket, buckets } from "../schemas/bucket";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The buckets of a branch. */
export const getBuckets = lookup("getBuckets", () => ({
  args: ofBranch,
  result: z.array(resultOf(bucket, "BucketResult", "A bucket of a branch.")),
  list: "buckets",
  read: async ({ client }, { projectId, branchId }) => (await client.send(buckets.list(projectId, branchId))).buckets,
}));

/** The S3 address of the buckets of a branch. */
export const getBranchStorage = lookup("getBranchStorage", () => ({
  args: ofBranch,
  result: resultOf(
    branchStorage,
    "BranchStorageResult",
    "The settings that an S3 client needs for a branch, besides a `Credential`.",
  ),
  explanations: {
    404: "The branch does not exist, or it has no object storage: the organization may not have it, or the region does not.",
  },
  read: async ({ client }, { projectId, branchId }) => client.send(buckets.storage(projectId, branchId)),
}));
