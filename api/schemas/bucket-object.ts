import { z } from "zod";

import { type FileBody, type PagedRequest, path, request } from "../core/request";
import { emptyResponse, isAddressable, timestamp } from "./wire";

/**
 * The key of an object. In the path of a request, the key is one segment, slashes included. In the URL of an upload,
 * its slashes separate segments, and HTTP clients resolve dot segments: the URL would lead to another object or bucket.
 */
export const objectKey = z
  .string()
  .min(1, { abort: true })
  .refine((key) => Buffer.byteLength(key) <= 1024, "must not have more than 1024 bytes")
  .refine((key) => key.split("/").every(isAddressable), 'must not have a segment "." or ".."');

/** An object of a bucket, as lists return it. Its content type is known to S3 only. */
export const bucketObject = z.looseObject({
  key: z.string().describe("Key of the object in the bucket, such as `images/logo.svg`."),
  size: z.number().describe("Size of the object in bytes."),
  etag: z.string().describe("Text that changes with the content."),
  last_modified: timestamp.describe("Time of the last upload (ISO 8601, UTC)."),
});
export type BucketObject = z.infer<typeof bucketObject>;

export const bucketObjectPage = z.looseObject({
  /** Common prefixes up to the delimiter, with it. They count as items of the page. */
  folders: z.array(z.string()).default([]),
  objects: z.array(bucketObject),
  next_cursor: z.string().optional(),
  is_truncated: z.boolean().optional(),
});

/** The body that asks for a URL that needs no key. */
export const presign = z.object({
  operation: z.enum(["upload", "download"]),
  /** The content type that the upload must have. */
  content_type: z.string().min(1).optional(),
  /** Default: 900. At most 604,800. */
  expires_in_seconds: z.int().min(1).max(604_800).optional(),
});
export type Presign = z.infer<typeof presign>;

/** A URL that needs no key: it is a secret until it expires. */
export const presigned = z.looseObject({
  url: z.string(),
  method: z.string(),
  /** The headers that the request to the URL must have. */
  headers: z.record(z.string(), z.string()).default({}),
  expires_at: timestamp,
});
export type Presigned = z.infer<typeof presigned>;

const prefixDeleted = z.looseObject({ deleted: z.number() });

/** Which objects of a bucket to list. */
export interface BucketObjectQuery {
  /** Lists only keys that start with this prefix. */
  readonly prefix?: string | undefined;
  /** Groups the keys that contain this delimiter after the prefix into folders. Default: lists every key. */
  readonly delimiter?: string | undefined;
}

/**
 * Requests for the objects of a bucket. There is no request for a single one: list with its key as the prefix. Bytes
 * are sent to, and read from, presigned URLs; `GET …/download` returns no JSON, so this client does not offer it.
 */
export const bucketObjects = {
  list: (
    projectId: string,
    branchId: string,
    bucketName: string,
    { prefix, delimiter }: BucketObjectQuery = {},
  ): PagedRequest<BucketObject, z.infer<typeof bucketObjectPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects`,
    query: { prefix, delimiter },
    schema: bucketObjectPage,
    items: (page) => page.objects,
    cursor: (page) => page.next_cursor,
    isCursorOptional: true,
    omitted: (page) => page.folders.length,
    maxPageSize: 1000,
  }),
  /** Returns the URL of an upload or a download. It changes nothing, so it is always safe to repeat. */
  presign: (projectId: string, branchId: string, bucketName: string, key: string, body: Presign) =>
    request(
      "POST",
      path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects/${key}/presign`,
      presigned,
      { body, changesNothing: true },
    ),
  /** Stores an object, or overwrites it: asks for a presigned URL, and sends the content there. */
  put: (
    projectId: string,
    branchId: string,
    bucketName: string,
    key: string,
    content?: { readonly content_type?: string | undefined; readonly upload: () => Promise<FileBody> },
  ) =>
    request(
      "POST",
      path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects/${key}/presign`,
      presigned,
      {
        body: { operation: "upload", content_type: content?.content_type } satisfies Presign,
        ...(content && { upload: content.upload }),
      },
    ),
  /** Hides the object on this branch: parent and children keep theirs. */
  delete: (projectId: string, branchId: string, bucketName: string, key: string) =>
    request(
      "DELETE",
      path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects/${key}`,
      emptyResponse,
    ),
  /**
   * Deletes the objects under a prefix that were stored on this branch. Inherited objects stay.
   *
   * @param prefix ends with `/`
   */
  deleteByPrefix: (projectId: string, branchId: string, bucketName: string, prefix: string) =>
    request(
      "DELETE",
      path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}/objects-by-prefix`,
      prefixDeleted,
      { query: { prefix } },
    ),
};
