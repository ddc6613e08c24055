import type { BucketCreate } from "../../../api/schemas/bucket";
import { conflict } from "../../http-error";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { type BucketRow, bucketTable } from "./bucket-row";
import type { Moment } from "./data-origin";

/** @throws HttpError 409 if the branch has a bucket of this name, also if it has it from its parent */
export function createBucket(
  { tables, timestamps }: ControlPlane,
  { id: branch_id, project_id }: BranchRow,
  { name, access_level = "private" }: BucketCreate,
): object {
  if (tables.buckets.get({ branch_id, name })) throw conflict(`bucket "${name}" already exists on the branch`);
  const row: BucketRow = { project_id, branch_id, name, access_level, created_at: timestamps.next() };
  tables.buckets.put(row);
  return bucketResponse(row);
}

/** The buckets of a branch, by name. */
export function listBuckets({ tables }: ControlPlane, { id }: BranchRow): object[] {
  return tables.buckets.list({ branch_id: id }, "ORDER BY name").map(bucketResponse);
}

/** Deletes a bucket of this branch. Its children keep theirs. @throws HttpError 404 */
export function deleteBucket({ tables }: ControlPlane, { id }: BranchRow, name: string): void {
  tables.buckets.remove(tables.buckets.getOr404("bucket", { branch_id: id, name }));
}

/**
 * Gives a child the buckets of its parent, with the times at which they were created there: of an earlier time, those that
 * were created by then and not deleted since.
 */
export function copyBuckets(
  { tables }: ControlPlane,
  parent: BranchRow,
  child: BranchRow,
  moment: Moment | undefined,
): void {
  const until = moment && "time" in moment ? Date.parse(moment.time) : Infinity;
  for (const row of tables.buckets.list({ branch_id: parent.id })) {
    if (Date.parse(row.created_at) <= until) tables.buckets.put({ ...row, branch_id: child.id });
  }
}

/** Where the S3 API of a branch would be. */
export function storageResponse({ proxy_host, region_id }: ProjectRow, { id }: BranchRow): object {
  return {
    enabled: true,
    s3_endpoint: `https://${id}.storage.${proxy_host}`,
    region: region_id.replace(/^[a-z]+-/, ""),
    force_path_style: true,
  };
}

function bucketResponse(row: BucketRow): object {
  return publicMembers(bucketTable, row);
}
