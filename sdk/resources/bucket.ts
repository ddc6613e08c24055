// Generated from provider/resources/bucket.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { bucket } from "../../provider/resources/bucket";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** A rule for requests of pages of other origins. */
export interface CorsRuleArgs {
  /** Origins whose pages may send requests, such as `https://shop.example.com`. One `*` stands for any text. */
  readonly allowedOrigins: pulumi.Input<pulumi.Input<string>[]>;
  /** Methods that such pages may use. */
  readonly allowedMethods: pulumi.Input<pulumi.Input<"GET" | "PUT" | "POST" | "DELETE" | "HEAD">[]>;
  /** Header fields that such pages may send. One `*` stands for any text. Default: none. */
  readonly allowedHeaders?: pulumi.Input<pulumi.Input<string>[]>;
  /** Header fields of the responses that such pages may read. Default: those that a browser always shows. */
  readonly exposeHeaders?: pulumi.Input<pulumi.Input<string>[]>;
  /** How long a browser may keep the response to a preflight request, in seconds. */
  readonly maxAgeSeconds?: pulumi.Input<number>;
}

/** Arguments of a {@link Bucket}. */
export interface BucketArgs {
  /** Id of the project. Changing it replaces the bucket. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the bucket. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the bucket, unique on the branch. At most 255 characters. Default: the resource's logical name. Changing it
   * replaces the bucket.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * The readers of the objects: `private` admits only holders of a credential, `public_read` everybody who knows the
   * URL of an object. Listing and writing always need a credential. Default: `private`. Changing it replaces the
   * bucket. Neon's API cannot change it.
   */
  readonly accessLevel?: pulumi.Input<"private" | "public_read">;
  /**
   * Rules for requests of pages of other origins (CORS). The first rule that fits a request applies. Without rules,
   * such pages cannot read the objects. 1 to 100 entries. Default: none. Updated in place.
   */
  readonly cors?: pulumi.Input<pulumi.Input<CorsRuleArgs>[]>;
  /**
   * Whether all objects in the bucket are deleted when it is destroyed or replaced, also those that this program did
   * not create. Set it with `pulumi up` before you destroy the bucket. Exists in Pulumi only. Default: `false`.
   */
  readonly forceDestroy?: pulumi.Input<boolean>;
  /**
   * Adopts an existing bucket instead of creating one, such as one that the branch has from its parent, and applies the
   * declared arguments to it. A name adopts that bucket and fails if it does not exist. `true` adopts the bucket with
   * this `name`, or creates one if there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const bucketDefinition: ResourceDefinition = {
  kind: "Bucket",
  id: ["projectId", "branchId", "name"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    accessLevel: "plain",
    cors: "plain",
    forceDestroy: "plain",
    createdAt: "plain",
  },
};

/**
 * A bucket for objects of a branch. Neon's API for it is in beta.
 *
 * Clients reach it by S3: at the endpoint that {@link getBranchStorage} returns, with the access key `tokenId` and
 * `s3SecretAccessKey` of a {@link Credential} that has the scopes `storage:read` and `storage:write`. A child branch
 * starts with the buckets and objects of its parent and then has its own.
 *
 * A change of a bucket replaces it. According to Neon's documentation, a bucket must be empty before it is deleted:
 * replacing or destroying one that holds objects fails and keeps it, unless `forceDestroy` is set.
 *
 * Neon's API does not know the rules in `cors`, so the provider uses the S3 API of the branch for them, with the
 * credential `Default object storage
 * credential`. An API key that cannot reveal this credential can neither set nor
 * read them.
 *
 * Neon API: `GET` and `POST /projects/{project_id}/branches/{branch_id}/buckets`,
 * `DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}`. S3: `GetBucketCors`, `PutBucketCors` and
 * `DeleteBucketCors`.
 *
 * @example
 * ```ts
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const avatars = new neon.Bucket("avatars", { ...at, accessLevel: "public_read" });
 * const uploads = new neon.Credential("uploads", { ...at, scopes: ["storage:read", "storage:write"] });
 * export const bucket = avatars.name;
 * export const endpoint = neon.getBranchStorageOutput(at).s3Endpoint;
 * export const accessKeyId = uploads.tokenId;
 * export const secretAccessKey = uploads.s3SecretAccessKey;
 * ```
 *
 * @example
 * ```ts
 * // A page of the shop uploads to presigned URLs.
 * const photos = new neon.Bucket("photos", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   cors: [
 *     {
 *       allowedOrigins: ["https://shop.example.com"],
 *       allowedMethods: ["GET", "PUT"],
 *       allowedHeaders: ["content-type"],
 *       maxAgeSeconds: 3600,
 *     },
 *   ],
 * });
 * ```
 */
export class Bucket extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the bucket, unique on the branch. */
  declare readonly name: pulumi.Output<string>;
  /**
   * The readers of the objects: `private` admits only holders of a credential, `public_read` everybody who knows the
   * URL of an object. Listing and writing always need a credential.
   */
  declare readonly accessLevel: pulumi.Output<string>;
  /**
   * Rules for requests of pages of other origins (CORS). The first rule that fits a request applies. Without rules,
   * such pages cannot read the objects.
   */
  declare readonly cors: pulumi.Output<pulumi.Unwrap<CorsRuleArgs>[] | undefined>;
  /** The declared value. */
  declare readonly forceDestroy: pulumi.Output<boolean | undefined>;
  /**
   * Time of creation (ISO 8601, UTC). For a bucket that the branch has from its parent: the time of its creation there.
   */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: BucketArgs, opts?: pulumi.CustomResourceOptions) {
    super(bucketDefinition, name, args, opts);
  }

  /**
   * Reads an existing bucket without managing it. The id has the form `<projectId>/<branchId>/<name>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Bucket {
    return Resource.existing(Bucket, bucketDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Bucket`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Bucket {
    return Resource.isOfKind(value, "Bucket");
  }
}

true satisfies SameInputs<BucketArgs, (typeof bucket)["inputs"]>;
