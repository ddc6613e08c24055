import { z } from "zod";

import { collect } from "../http/pagination";
import { bucketObjects } from "../schemas/bucket-object";
import { objectId } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The objects of a bucket. */
export const getBucketObjects = lookup("getBucketObjects", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch of the bucket."),
    bucketName: objectId.describe("Bucket whose objects to list."),
    prefix: z.string().optional().describe("What the key of an object has to start with. Default: lists all."),
  },
  result: z.array(
    z
      .strictObject({
        key: z.string().describe("Key of the object."),
        size: z.number().describe("Size in bytes."),
        etag: z.string().describe("What changes with the content."),
        lastModified: z.string().describe("Time of the last upload (ISO 8601, UTC)."),
      })
      .meta({ title: "BucketObjectResult", description: "An object of a bucket." }),
  ),
  list: "objects",
  explanations: {
    404: "The branch or the bucket does not exist. Of a bucket that the program declares, use the output `name`, so that Pulumi creates it first.",
  },
  read: ({ client }, { projectId, branchId, bucketName, prefix }) =>
    collect(client.list(bucketObjects.list(projectId, branchId, bucketName, { prefix }))),
}));
