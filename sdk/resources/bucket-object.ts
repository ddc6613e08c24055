// Generated from provider/resources/bucket-object.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { bucketObject } from "../../provider/resources/bucket-object";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link BucketObject}. */
export interface BucketObjectArgs {
  /** Id of the project. Changing it replaces the object. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the object. */
  readonly branchId: pulumi.Input<string>;
  /** Name of the bucket. Changing it replaces the object. */
  readonly bucketName: pulumi.Input<string>;
  /**
   * Key of the object in the bucket, such as `images/logo.svg`. At most 1024 bytes. Default: the resource's logical
   * name. Changing it replaces the object.
   */
  readonly key?: pulumi.Input<string>;
  /**
   * Content of the object: a file, a text or what a URL returns. Compared by its hash. Required to create an object. If
   * omitted, an adopted object keeps its content. Updated in place.
   */
  readonly source?: pulumi.Input<pulumi.asset.Asset>;
  /**
   * Media type of the object, such as `image/svg+xml`. Default: chosen by the storage. Updated in place. A change
   * uploads the object again.
   */
  readonly contentType?: pulumi.Input<string>;
  /** How long browsers and caches keep the object, such as `public, max-age=3600`. Default: none. Updated in place. */
  readonly cacheControl?: pulumi.Input<string>;
  /**
   * Whether a browser shows the object or saves it, and under which name, such as `attachment; filename="report.pdf"`.
   * Default: none. Updated in place.
   */
  readonly contentDisposition?: pulumi.Input<string>;
  /**
   * Encoding of the content, such as `gzip`: browsers decode the object. `source` is not encoded: it must hold the
   * encoded content. Default: none. Updated in place.
   */
  readonly contentEncoding?: pulumi.Input<string>;
  /**
   * Metadata of the object: the `x-amz-meta-` header fields, by their names without this prefix. Names in lower case,
   * ASCII only, at most 2 KB. Default: none. Updated in place.
   */
  readonly metadata?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Adopts an existing object instead of creating one, such as one that the branch has from its parent, and applies the
   * declared arguments to it. A key adopts that object and fails if it does not exist. `true` adopts the object with
   * this `key`, or creates one if there is none. A declared `source` overwrites its content. Setting or removing
   * `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const bucketObjectDefinition: ResourceDefinition = {
  kind: "BucketObject",
  id: ["projectId", "branchId", "bucketName", "key"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    bucketName: "plain",
    key: "plain",
    contentType: "plain",
    cacheControl: "plain",
    contentDisposition: "plain",
    contentEncoding: "plain",
    metadata: "plain",
    sourceHash: "plain",
    etag: "plain",
    size: "plain",
  },
};

/**
 * An object of a {@link Bucket}: a file, a text or what a URL returns. Neon's API for it is in beta.
 *
 * The content is uploaded as a stream, without a copy in memory or in the Pulumi state. It is compared by its hash: an
 * equal file under another path uploads nothing. If somebody else overwrites the object, or changes its header fields,
 * `pulumi refresh` shows it, and the next `pulumi up` uploads the declared content again.
 *
 * The header fields (`contentType`, `cacheControl`, `contentDisposition`, `contentEncoding` and `metadata`) are those
 * of S3. An upload sets the declared ones and removes the others. If `source` is omitted, a copy of the object onto
 * itself changes them. Neon's API does not know them, so the provider uses the S3 API of the branch, with the
 * credential `Default object storage credential`. An API key that cannot reveal this credential can set the content
 * type only.
 *
 * In Node programs, the component `BucketFolder` uploads all files of a folder, such as a web site. Neon serves objects
 * by their whole key: there are no index documents.
 *
 * A child branch has the objects of its parent. Deleting one there leaves the parent's alone.
 *
 * S3: `HeadObject`, `PutObject`, `CopyObject` and `DeleteObject`. Neon API:
 * `GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects`, and without the credential
 * `DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{key}`,
 * `POST /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{key}/presign`, and a `PUT` to the
 * URL that it returns.
 *
 * @example
 * ```ts
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const images = new neon.Bucket("images", { ...at, accessLevel: "public_read" });
 * const logo = new neon.BucketObject("logo", {
 *   ...at,
 *   bucketName: images.name,
 *   key: "logo.svg",
 *   source: new pulumi.asset.FileAsset("logo.svg"),
 *   contentType: "image/svg+xml",
 *   cacheControl: "public, max-age=3600",
 * });
 * export const etag = logo.etag;
 * ```
 *
 * @example
 * ```ts
 * // A web site: all files of a folder.
 * const site = new neon.Bucket("site", { ...at, accessLevel: "public_read" });
 * new neon.BucketFolder("site", { ...at, bucketName: site.name, path: "www" });
 * const endpoint = neon.getBranchStorageOutput(at).s3Endpoint;
 * export const url = pulumi.interpolate`${endpoint}/${site.name}/index.html`;
 * ```
 */
export class BucketObject extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the bucket. */
  declare readonly bucketName: pulumi.Output<string>;
  /** Key of the object in the bucket, such as `images/logo.svg`. */
  declare readonly key: pulumi.Output<string>;
  /** Media type of the object, such as `image/svg+xml`. */
  declare readonly contentType: pulumi.Output<string | undefined>;
  /** How long browsers and caches keep the object, such as `public, max-age=3600`. */
  declare readonly cacheControl: pulumi.Output<string | undefined>;
  /**
   * Whether a browser shows the object or saves it, and under which name, such as `attachment; filename="report.pdf"`.
   */
  declare readonly contentDisposition: pulumi.Output<string | undefined>;
  /** Encoding of the content, such as `gzip`: browsers decode the object. */
  declare readonly contentEncoding: pulumi.Output<string | undefined>;
  /** Metadata of the object: the `x-amz-meta-` header fields, by their names without this prefix. */
  declare readonly metadata: pulumi.Output<Record<string, string> | undefined>;
  /** Hash of the uploaded content. Absent if somebody else has stored another object under the key since. */
  declare readonly sourceHash: pulumi.Output<string | undefined>;
  /** Text that changes with the content. */
  declare readonly etag: pulumi.Output<string>;
  /** Size of the object in bytes. */
  declare readonly size: pulumi.Output<number>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: BucketObjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(bucketObjectDefinition, name, args, opts);
  }

  /**
   * Reads an existing object without managing it. The id has the form `<projectId>/<branchId>/<bucketName>/<key>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BucketObject {
    return Resource.existing(BucketObject, bucketObjectDefinition, name, id, opts);
  }

  /** Returns whether a value is a `BucketObject`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is BucketObject {
    return Resource.isOfKind(value, "BucketObject");
  }
}

true satisfies SameInputs<BucketObjectArgs, (typeof bucketObject)["inputs"]>;
