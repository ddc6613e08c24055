import type { Presign } from "../../../api/schemas/bucket-object";
import { badRequest } from "../../http-error";
import { escaped, presignedQuery, type SignableRequest } from "../../objects/signature";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick, wholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { s3Endpoint } from "../objects";
import type { ProjectRow } from "../projects/project-row";
import { s3Region } from "../projects/region";
import { branchMember, requireWriter } from "../routing/authorization";
import { allow, type ApiPaths, ContentResult, noContent } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { type BucketRow, getBucket } from "./bucket";
import { type BucketObjectRow, type ObjectDescription, releaseContent } from "./bucket-object-row";
import { objectCreated } from "./trigger-delivery";

const maxKeyBytes = 1024;
const defaultExpirySeconds = 900;

/** A character that sorts after every other one. */
const last = "\u{10ffff}";

const bucketPath = "/projects/:project_id/branches/:branch_id/buckets/:bucket_name";

export const bucketObjectPaths: ApiPaths = {
  [`${bucketPath}/objects`]: {
    GET: allow(
      { ...branchMember, ...published.listProjectBranchBucketObjects },
      ({ controlPlane, branch, parameter, query }) => {
        const { prefix = "", delimiter, cursor, limit } = query;
        const page = listObjects(controlPlane, getBucket(controlPlane, branch, parameter("bucket_name")), {
          prefix,
          delimiter,
          after: positionOf(cursor),
          limit,
        });
        return {
          folders: page.folders,
          objects: page.objects.map(objectResponse),
          prefix,
          ...(page.next !== undefined && { next_cursor: Buffer.from(page.next).toString("base64url") }),
          is_truncated: page.next !== undefined,
        };
      },
    ),
  },
  [`${bucketPath}/objects/:object_key`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      removeObject(controlPlane, getObject(controlPlane, branch, parameter));
      return noContent;
    }),
  },
  [`${bucketPath}/objects/:object_key/download`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const found = getObject(controlPlane, branch, parameter);
      const headers = {
        "content-type": "application/octet-stream",
        "content-length": String(found.size),
        etag: `"${found.etag}"`,
        "content-disposition": "attachment",
        "x-content-type-options": "nosniff",
      };
      return new ContentResult(headers, () => controlPlane.objects.files.read(found.content));
    }),
  },
  [`${bucketPath}/objects/:object_key/presign`]: {
    POST: allow(
      { ...branchMember, changesNothing: true, ...published.presignProjectBranchBucketObject },
      ({ controlPlane, caller, project, branch, parameter, body }) => {
        if (body.operation === "upload") requireWriter(controlPlane, caller, project);
        const bucket = getBucket(controlPlane, branch, parameter("bucket_name"));
        return presignObject(controlPlane, project, bucket, parameter("object_key"), body);
      },
    ),
  },
  [`${bucketPath}/objects-by-prefix`]: {
    DELETE: allow(
      { ...branchMember, ...published.deleteProjectBranchBucketObjectsByPrefix },
      ({ controlPlane, branch, parameter, query }) => {
        const bucket = getBucket(controlPlane, branch, parameter("bucket_name"));
        return { deleted: removeObjectsBelow(controlPlane, bucket, query.prefix) };
      },
    ),
  },
};

/**
 * Decodes the cursor of a list: the key after which the page begins.
 *
 * @throws HttpError 400
 */
function positionOf(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const position = Buffer.from(cursor, "base64url").toString();
  if (position === "" || Buffer.from(position).toString("base64url") !== cursor) throw badRequest("invalid cursor");
  return position;
}

/** A selection of a bucket's objects. */
interface ObjectListQuery {
  readonly prefix: string;
  /** Keys that contain the delimiter after the prefix are listed as one folder; undefined lists each key. */
  readonly delimiter: string | undefined;
  /** Only keys that sort after this one are listed. */
  readonly after: string;
  /** The most objects and folders together. */
  readonly limit: number;
}

interface ObjectPage {
  readonly objects: readonly BucketObjectRow[];
  readonly folders: readonly string[];
  /** The value of `after` for the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** A page of the objects of a bucket, in the order of their keys' bytes. */
export function listObjects(
  { tables }: ControlPlane,
  { branch_id, name: bucket_name }: BucketRow,
  { prefix, delimiter, after: start, limit }: ObjectListQuery,
): ObjectPage {
  const objects: BucketObjectRow[] = [];
  const folders: string[] = [];
  let after = start;
  const following = (count: number): BucketObjectRow[] =>
    tables.bucketObjects.list(
      { branch_id, bucket_name },
      `AND "key" > ? AND "key" >= ? AND "key" < ? ORDER BY "key" LIMIT ?`,
      after,
      prefix,
      `${prefix}${last}`,
      count,
    );
  for (let left = limit; left > 0; left = limit - objects.length - folders.length) {
    const rows = following(left);
    if (rows.length === 0) break;
    for (const row of rows) {
      const folder = folderOf(row.key, prefix, delimiter);
      // Skip the rest of the folder.
      if (folder !== undefined) {
        folders.push(folder);
        after = `${folder}${last}`;
        break;
      }
      objects.push(row);
      after = row.key;
    }
  }
  return { objects, folders, next: limit > 0 && following(1).length > 0 ? after : undefined };
}

/**
 * Finds the object in the path of a request.
 *
 * @throws HttpError 404
 */
function getObject(
  controlPlane: ControlPlane,
  branch: BranchRow,
  parameter: (name: string) => string,
): BucketObjectRow {
  const { branch_id, name: bucket_name } = getBucket(controlPlane, branch, parameter("bucket_name"));
  const where = { branch_id, bucket_name, key: parameter("object_key") };
  return controlPlane.tables.bucketObjects.getOr404("object", where);
}

/** Stores an object. Replaces the one with the same key. */
export function putObject(
  controlPlane: ControlPlane,
  { project_id, branch_id, name }: BucketRow,
  object: Pick<BucketObjectRow, "key" | "size" | "etag" | "content"> & ObjectDescription,
): BucketObjectRow {
  const { tables, timestamps } = controlPlane;
  const { key, size, etag, content, content_type, headers } = object;
  const row = { project_id, branch_id, bucket_name: name, key, size, etag, content_type, headers, content };
  const replaced = tables.bucketObjects.get({ branch_id, bucket_name: name, key });
  const stored: BucketObjectRow = { ...row, last_modified: timestamps.next(), inherited: false };
  tables.bucketObjects.put(stored);
  objectCreated(controlPlane, { id: branch_id }, name, key);
  if (replaced) releaseContent(controlPlane, replaced.content);
  return stored;
}

/** Deletes an object of this branch. The parent and the children keep their rows. */
export function removeObject(controlPlane: ControlPlane, row: BucketObjectRow): void {
  controlPlane.tables.bucketObjects.remove(row);
  releaseContent(controlPlane, row.content);
}

/**
 * Deletes the objects below a prefix that were stored on this branch. Inherited objects stay.
 *
 * @returns the number of deleted objects
 * @throws HttpError 400 if the prefix names no folder
 */
function removeObjectsBelow(controlPlane: ControlPlane, bucket: BucketRow, prefix: string): number {
  if (!prefix.endsWith("/")) throw badRequest("prefix must end with /");
  if (/\p{Cc}/u.test(prefix)) throw badRequest("prefix must not contain control characters");
  if (Buffer.byteLength(prefix) > maxKeyBytes) throw badRequest(`prefix must not have more than ${maxKeyBytes} bytes`);
  const { branch_id, name: bucket_name } = bucket;
  const range = `AND "key" >= ? AND "key" < ?`;
  const rows = controlPlane.tables.bucketObjects.list(
    { branch_id, bucket_name, inherited: 0 },
    range,
    prefix,
    `${prefix}${last}`,
  );
  for (const row of rows) removeObject(controlPlane, row);
  return rows.length;
}

/** Creates a URL with which an object can be uploaded or downloaded without a key. The object need not exist. */
async function presignObject(
  { clock, objects }: ControlPlane,
  { region_id }: ProjectRow,
  bucket: BucketRow,
  key: string,
  { operation, content_type: type, expires_in_seconds: seconds = defaultExpirySeconds }: Presign,
) {
  checkKey(key);
  const endpoint = new URL(s3Endpoint(objects, bucket.branch_id));
  const path = [endpoint.pathname, escaped(bucket.name), ...key.split("/").map(escaped)].join("/");
  const isUpload = operation === "upload";
  const isTyped = isUpload && type !== undefined;
  const request: SignableRequest = {
    method: isUpload ? "PUT" : "GET",
    path,
    query: {},
    headers: { host: endpoint.host, ...(isTyped && { "content-type": type }) },
  };
  // Signatures have times in whole seconds.
  const signedAt = new Date(Math.floor(clock.now() / 1000) * 1000);
  const query = await presignedQuery(request, {
    key: objects.presignKey,
    region: s3Region(region_id),
    signedAt,
    expiresInSeconds: seconds,
  });
  return {
    url: `${endpoint.origin}${path}?${query}`,
    method: request.method,
    headers: isTyped ? { "Content-Type": type } : {},
    expires_at: wholeSeconds(signedAt.getTime() + seconds * 1000),
  } satisfies Answer<vendor.PresignResponse>;
}

/** @throws HttpError 400 */
export function checkKey(key: string): void {
  if (key === "" || Buffer.byteLength(key) > maxKeyBytes) {
    throw badRequest(`the key of an object must have 1 to ${maxKeyBytes} bytes`);
  }
}

function objectResponse(row: BucketObjectRow) {
  return {
    ...pick(row, ["key", "size", "etag"]),
    last_modified: wholeSeconds(Date.parse(row.last_modified)),
  } satisfies Answer<vendor.BucketObject>;
}

/** The folder that stands for a key in a list with a delimiter. */
function folderOf(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || delimiter === "") return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}
