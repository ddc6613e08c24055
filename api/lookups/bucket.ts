import { z } from "zod";

import { buckets } from "../schemas/bucket";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The buckets of a branch. */
export const getBuckets = lookup("getBuckets", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose buckets to list."),
  },
  result: z.array(
    z
      .strictObject({
        name: z.string().describe("Name of the bucket."),
        accessLevel: z.string().describe("Who can read the objects: `private` or `public_read`."),
        createdAt: z
          .string()
          .describe(
            "Time of creation (ISO 8601, UTC); of a bucket that the branch has from its parent, the time at which it was created there.",
          ),
      })
      .meta({ title: "BucketResult", description: "A bucket of a branch." }),
  ),
  list: "buckets",
  read: async ({ client }, { projectId, branchId }) => (await client.send(buckets.list(projectId, branchId))).buckets,
}));

/** Where the buckets of a branch are. */
export const getBranchStorage = lookup("getBranchStorage", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("The branch."),
  },
  result: z
    .strictObject({
      s3Endpoint: z.string().describe("URL of the S3 API of this branch."),
      region: z.string().describe("Region for the signatures of requests, such as `us-east-2`."),
      forcePathStyle: z.boolean().describe("Whether a client has to name the bucket in the path, not in the host."),
    })
    .meta({
      title: "BranchStorageResult",
      description: "What an S3 client needs to know of a branch, besides a `Credential`.",
    }),
  explanations: {
    404: "The branch does not exist, or it has no object storage: the organization may not have it, or the region does not.",
  },
  read: async ({ client }, { projectId, branchId }) => client.send(buckets.storage(projectId, branchId)),
}));
