import { z } from "zod";

import { collect } from "../http/pagination";
import { bucketObject, bucketObjects } from "../schemas/bucket-object";
import { objectId } from "../schemas/wire";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The objects of a bucket. */
export const getBucketObjects = lookup("getBucketObjects", () => ({
  args: {
    ...ofBranch,
    bucketName: objectId.describe("Name of the bucket."),
    prefix: z.string().optional().describe("The prefix of the keys to list. Default: all keys."),
  },
  result: z.array(resultOf(bucketObject, "BucketObjectResult", "An object of a bucket.")),
  list: "objects",
  explanations: {
    404: "The branch or the bucket does not exist. Of a bucket that the program declares, use the output `name`, so that Pulumi creates it first.",
  },
  read: ({ client }, { projectId, branchId, bucketName, prefix }) =>
    collect(client.list(bucketObjects.list(projectId, branchId, bucketName, { prefix }))),
}));
