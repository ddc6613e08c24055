import type { BucketRow } from "../model/branches/bucket";
import { noSuchBucket } from "./error";
import type { S3Request } from "./request";

/** The bucket in the address of a request. @throws S3Error 404 */
export function bucketOf({ controlPlane, branch, bucketName: name }: S3Request): BucketRow {
  const found = controlPlane.tables.buckets.get({ branch_id: branch.id, name });
  if (!found) throw noSuchBucket();
  return found;
}
