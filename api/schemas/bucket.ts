import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse, timestamp } from "./wire";

/** The readers of a bucket's objects: holders of a credential, or everybody. */
const bucketAccessLevel = z.enum(["private", "public_read"]);

/** The body that creates a bucket. Nothing but the length of its name is specified. */
export const bucketCreate = z.object({
  name: z.string().min(1).max(255),
  access_level: bucketAccessLevel.optional(),
});
export type BucketCreate = z.infer<typeof bucketCreate>;

/** A bucket of a branch. */
export const bucket = z.looseObject({
  name: z.string().describe("Name of the bucket, unique on the branch."),
  access_level: z
    .string()
    .describe(
      "The readers of the objects: `private` admits only holders of a credential, `public_read` everybody who knows the URL of an object. Listing and writing always need a credential.",
    ),
  created_at: timestamp.describe(
    "Time of creation (ISO 8601, UTC). For a bucket that the branch has from its parent: the time of its creation there.",
  ),
});
export type Bucket = z.infer<typeof bucket>;

/** The address of the S3 API of a branch. */
export const branchStorage = z.looseObject({
  s3_endpoint: z.string().describe("URL of the S3 API of this branch."),
  region: z.string().describe("Region for the signatures of requests, such as `us-east-2`."),
  force_path_style: z.boolean().describe("Whether a client has to name the bucket in the path, not in the host."),
});

const bucketCreated = z.looseObject({ bucket });
const bucketList = z.looseObject({ buckets: z.array(bucket) });

/** Requests for the buckets of a branch. There is no request for a single one: search the list. */
export const buckets = {
  list: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/buckets`, bucketList),
  create: (projectId: string, branchId: string, body: BucketCreate) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/buckets`, bucketCreated, { body }),
  delete: (projectId: string, branchId: string, name: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/buckets/${name}`, emptyResponse),
  storage: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/storage`, branchStorage),
};
