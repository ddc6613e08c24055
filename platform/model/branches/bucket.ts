import type { BucketCreate } from "../../../api/schemas/bucket";
import { conflict } from "../../http-error";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import { s3Endpoint } from "../objects";
import type { ProjectRow } from "../projects/project-row";
import { s3Region } from "../projects/region";
import type { BranchRow } from "./branch-row";
import { copyObjects, removeObjects } from "./bucket-object";
import { type BucketRow, bucketTable } from "./bucket-row";
import { existedAt, type Moment } from "./data-origin";

/**
 * Creates a bucket. One that the branch has from its parent can be created there, too: it stays as it is.
 *
 * @throws HttpError 409 if the branch has created a bucket of this name
 */
export function createBucket(
  { tables, timestamps }: ControlPlane,
  { id: branch_id, project_id }: BranchRow,
  { name, access_level = "private" }: BucketCreate,
): BucketRow {
  const present = tables.buckets.get({ branch_id, name });
  if (present?.inherited === false) throw conflict(`bucket "${name}" already exists on the branch`);
  const created = { project_id, branch_id, name, access_level, created_at: timestamps.next() };
  const row: BucketRow = { ...(present ?? created), inherited: false };
  tables.buckets.put(row);
  return row;
}

/** @throws HttpError 404 */
export function getBucket({ tables }: ControlPlane, { id: branch_id }: BranchRow, name: string): BucketRow {
  return tables.buckets.getOr404("bucket", { branch_id, name });
}

/** The buckets of a branch, by name. */
export function listBuckets({ tables }: ControlPlane, { id }: BranchRow): BucketRow[] {
  return tables.buckets.list({ branch_id: id }, "ORDER BY name");
}

/**
 * Deletes a bucket of this branch. Its children keep theirs.
 *
 * @throws HttpError 404, or 409 if it has objects, also inherited ones, or unfinished uploads
 */
export function deleteBucket(controlPlane: ControlPlane, branch: BranchRow, name: string): void {
  const { tables } = controlPlane;
  const bucket = getBucket(controlPlane, branch, name);
  const contents = { branch_id: branch.id, bucket_name: name };
  if (tables.bucketObjects.get(contents) ?? tables.multipartUploads.get(contents)) {
    throw conflict("The bucket you tried to delete is not empty", "BucketNotEmpty");
  }
  tables.buckets.remove(bucket);
}

/**
 * Gives a branch the buckets of another one and their objects, with the times at which they were created there: of an earlier
 * time, those that were created by then and not deleted or replaced since.
 */
export function copyBuckets(
  controlPlane: ControlPlane,
  from: BranchRow,
  to: BranchRow,
  moment: Moment | undefined,
): void {
  const { tables } = controlPlane;
  for (const row of tables.buckets.list({ branch_id: from.id })) {
    if (!existedAt(moment, row.created_at)) continue;
    tables.buckets.put({ ...row, branch_id: to.id, inherited: true });
    copyObjects(controlPlane, row, to, moment);
  }
}

/** Removes all buckets of a branch with their objects. */
export function removeBuckets(controlPlane: ControlPlane, { id }: Pick<BranchRow, "id">): void {
  removeObjects(controlPlane, id);
  controlPlane.tables.buckets.delete({ branch_id: id });
}

/** Where the S3 API of a branch is. */
export function storageResponse({ objects }: ControlPlane, { region_id }: ProjectRow, { id }: BranchRow): object {
  return {
    enabled: true,
    s3_endpoint: s3Endpoint(objects, id),
    region: s3Region(region_id),
    force_path_style: true,
  };
}

/** A bucket as the API returns it. */
export function bucketResponse(row: BucketRow): object {
  return publicMembers(bucketTable, row);
}
