import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse, timestamp } from "./wire";

/** Who can read the objects of a bucket: those with a credential, or everybody. */
const bucketAccessLevel = z.enum(["private", "public_read"]);

/** The body that creates a bucket. Nothing but the length of its name is specified. */
export const bucketCreate = z.object({
  name: z.string().min(1).max(255),
  /** Default: `private`. */
  access_level: bucketAccessLevel.optional(),
});
export type BucketCreate = z.infer<typeof bucketCreate>;

/** A bucket of a branch. One that the branch has from its parent has the time at which it was created there. */
export const bucket = z.looseObject({
  name: z.string(),
  access_level: z.string(),
  created_at: timestamp,
});
export type Bucket = z.infer<typeof bucket>;

/** Where the S3 API of a branch is. */
export const branchStorage = z.looseObject({
  s3_endpoint: z.string(),
  region: z.string(),
  force_path_style: z.boolean(),
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
