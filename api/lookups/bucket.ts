import { z } from "zod";

import { camelObject } from "../camel-shape";
import { branchStorage, bucket, buckets } from "../schemas/bucket";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const branch = { projectId: objectId, branchId: objectId };

/** The buckets of a branch. */
export const getBuckets = lookup("getBuckets", {
  args: branch,
  result: z.array(camelObject(bucket)),
  list: "buckets",
  read: async ({ client }, { projectId, branchId }) => (await client.send(buckets.list(projectId, branchId))).buckets,
});

/** Where the buckets of a branch are. */
export const getBranchStorage = lookup("getBranchStorage", {
  args: branch,
  result: camelObject(branchStorage),
  explanations: {
    404: "The branch does not exist, or it has no object storage: the organization may not have it, or the region does not.",
  },
  read: async ({ client }, { projectId, branchId }) => client.send(buckets.storage(projectId, branchId)),
});
