// Generated from api/lookups/bucket.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A bucket of a branch. */
export interface BucketResult {
  /** Name of the bucket, unique on the branch. */
  readonly name: string;
  /**
   * The readers of the objects: `private` admits only holders of a credential, `public_read` everybody who knows the
   * URL of an object. Listing and writing always need a credential.
   */
  readonly accessLevel: string;
  /**
   * Time of creation (ISO 8601, UTC). For a bucket that the branch has from its parent: the time of its creation there.
   */
  readonly createdAt: string;
}

/** The settings that an S3 client needs for a branch, besides a `Credential`. */
export interface BranchStorageResult {
  /** URL of the S3 API of this branch. */
  readonly s3Endpoint: string;
  /** Region for the signatures of requests, such as `us-east-2`. */
  readonly region: string;
  /** Whether a client has to name the bucket in the path, not in the host. */
  readonly forcePathStyle: boolean;
}

/** Arguments of `getBuckets`. */
export interface GetBucketsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getBucketsSource = dataSource<GetBucketsArgs, BucketResult[]>("getBuckets");

/**
 * Lists the buckets of a branch, with those that it has from its parent. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/buckets`.
 *
 * @example
 * ```ts
 * const buckets = neon.getBucketsOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const open = buckets.apply((all) => all.filter(({ accessLevel }) => accessLevel === "public_read"));
 * ```
 */
export function getBuckets(args: GetBucketsArgs, options?: LookupOptions) {
  return getBucketsSource.invoke(args, options);
}

/** Output form of {@link getBuckets}: the arguments can be outputs. */
export function getBucketsOutput(args: Inputs<GetBucketsArgs>, options?: LookupOptions) {
  return getBucketsSource.output(args, options);
}

/** Arguments of `getBranchStorage`. */
export interface GetBranchStorageArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getBranchStorageSource = dataSource<GetBranchStorageArgs, BranchStorageResult>("getBranchStorage");

/**
 * Reads where the S3 API of a branch is. Fails if the branch has no object storage. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/storage`.
 *
 * @example
 * ```ts
 * const storage = neon.getBranchStorageOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const endpoint = storage.s3Endpoint;
 * ```
 */
export function getBranchStorage(args: GetBranchStorageArgs, options?: LookupOptions) {
  return getBranchStorageSource.invoke(args, options);
}

/** Output form of {@link getBranchStorage}: the arguments can be outputs. */
export function getBranchStorageOutput(args: Inputs<GetBranchStorageArgs>, options?: LookupOptions) {
  return getBranchStorageSource.output(args, options);
}
