import type { BucketCreate } from "../../../api/schemas/bucket";
import { conflict } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick } from "../../storage/timestamps";
import type { Complete } from "../complete";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { s3Endpoint } from "../objects";
import { s3Region } from "../projects/region";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import type { BranchRow } from "./branch-row";

/** A rule for requests of pages of other origins. Each text may hold one `*`. */
export interface CorsRule {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds?: number | undefined;
}

/** A bucket of a branch. A child branch has its own copy. */
export interface BucketRow extends Complete<BucketCreate> {
  project_id: string;
  branch_id: string;
  created_at: string;
  /** Whether the bucket is from the parent and was not created again on this branch. */
  inherited: boolean;
  cors?: readonly CorsRule[];
}

export const bucketTable: RowTable<BucketRow> = {
  name: "buckets",
  within: "branch",
  branching: { on: ["branch", "preserve", "reset"], at: "created_at", copy: (row) => ({ ...row, inherited: true }) },
  primaryKey: ["branch_id", "name"],
  indexes: ["project_id"],
  latest: "created_at",
};

const path = "/projects/:project_id/branches/:branch_id";

export const bucketPaths: ApiPaths = {
  [`${path}/buckets`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      buckets: listBuckets(controlPlane, branch).map(bucketResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchBucket },
      ({ controlPlane, branch, body }) => ({ bucket: bucketResponse(createBucket(controlPlane, branch, body)) }),
    ),
  },
  [`${path}/buckets/:bucket_name`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteBucket(controlPlane, branch, parameter("bucket_name"));
      return noContent;
    }),
  },
  [`${path}/storage`]: {
    GET: allow(
      { ...branchMember, notFound: { reason: "branch_not_found" } },
      ({ controlPlane: { objects }, project: { region_id }, branch }) => ({
        enabled: true,
        s3_endpoint: s3Endpoint(objects, branch.id),
        region: s3Region(region_id),
        force_path_style: true,
      }),
    ),
  },
};

/**
 * Creates a bucket. An inherited bucket of this name becomes the branch's own, with its settings unchanged.
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
 * Deletes a bucket of this branch. Child branches keep their copies.
 *
 * @throws HttpError 404. 409 if the bucket has objects, inherited ones included, or unfinished uploads
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

function bucketResponse(row: BucketRow) {
  return pick(row, ["name", "access_level", "created_at"]) satisfies Answer<vendor.Bucket>;
}
