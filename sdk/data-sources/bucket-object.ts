// Generated from api/lookups/bucket-object.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** An object of a bucket. */
export interface BucketObjectResult {
  /** Key of the object in the bucket, such as `images/logo.svg`. */
  readonly key: string;
  /** Size of the object in bytes. */
  readonly size: number;
  /** Text that changes with the content. */
  readonly etag: string;
  /** Time of the last upload (ISO 8601, UTC). */
  readonly lastModified: string;
}

/** Arguments of `getBucketObjects`. */
export interface GetBucketObjectsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the bucket. */
  readonly bucketName: string;
  /** The prefix of the keys to list. Default: all keys. */
  readonly prefix?: string;
}

const getBucketObjectsSource = dataSource<GetBucketObjectsArgs, BucketObjectResult[]>("getBucketObjects");

/**
 * Lists the objects of a bucket, with those that the branch has from its parent. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects`.
 *
 * @example
 * ```ts
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const avatars = new neon.Bucket("avatars", at);
 * const images = neon.getBucketObjectsOutput({ ...at, bucketName: avatars.name, prefix: "images/" });
 * export const bytes = images.apply((objects) => objects.reduce((sum, { size }) => sum + size, 0));
 * ```
 */
export function getBucketObjects(args: GetBucketObjectsArgs, options?: LookupOptions) {
  return getBucketObjectsSource.invoke(args, options);
}

/** Output form of {@link getBucketObjects}: the arguments can be outputs. */
export function getBucketObjectsOutput(args: Inputs<GetBucketObjectsArgs>, options?: LookupOptions) {
  return getBucketObjectsSource.output(args, options);
}
