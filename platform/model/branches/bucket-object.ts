import type { Presign } from "../../../api/schemas/bucket-object";
import { badRequest } from "../../http-error";
import { escaped, presignedQuery, type SignableRequest } from "../../objects/signature";
import { publicMembers } from "../../storage/table";
import { wholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { objectCreated } from "./trigger-delivery";
import { s3Endpoint } from "../objects";
import type { ProjectRow } from "../projects/project-row";
import { s3Region } from "../projects/region";
import type { BranchRow } from "./branch-row";
import { type BucketObjectRow, bucketObjectTable, type ObjectDescription } from "./bucket-object-row";
import type { BucketRow } from "./bucket-row";
import { existedAt, type Moment } from "./data-origin";

const maxKeyBytes = 1024;
const defaultExpirySeconds = 900;

/** Sorts after every other character. */
const last = "\u{10ffff}";

/** Which objects of a bucket to list. */
export interface ObjectListQuery {
  readonly prefix: string;
  /** Keys that have it after the prefix are listed as a folder; undefined lists each key. */
  readonly delimiter: string | undefined;
  /** Lists what sorts after it. */
  readonly after: string;
  /** The number of objects and folders. */
  readonly limit: number;
}

export interface ObjectPage {
  readonly objects: readonly BucketObjectRow[];
  readonly folders: readonly string[];
  /** What the next page is after; undefined on the last one. */
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
      // The rest of a folder is skipped.
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

/** @throws HttpError 404 */
export function getObject({ tables }: ControlPlane, { branch_id, name }: BucketRow, key: string): BucketObjectRow {
  return tables.bucketObjects.getOr404("object", { branch_id, bucket_name: name, key });
}

/** Stores an object in the place of the one with its key. */
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

/** Deletes an object of this branch. Its parent and its children keep theirs. */
export function removeObject(controlPlane: ControlPlane, row: BucketObjectRow): void {
  controlPlane.tables.bucketObjects.remove(row);
  releaseContent(controlPlane, row.content);
}

/**
 * Deletes the objects below a prefix that were stored on this branch. Those that it has from its parent stay.
 *
 * @returns how many
 * @throws HttpError 400 if the prefix names no folder
 */
export function removeObjectsBelow(controlPlane: ControlPlane, bucket: BucketRow, prefix: string): number {
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

/** Removes all objects of a branch, with its unfinished uploads. */
export function removeObjects(controlPlane: ControlPlane, branchId: string): void {
  const { tables, objects } = controlPlane;
  for (const row of tables.bucketObjects.list({ branch_id: branchId })) removeObject(controlPlane, row);
  for (const { parts } of tables.multipartUploads.list({ branch_id: branchId })) {
    for (const { content } of parts) objects.release(content);
  }
  tables.multipartUploads.delete({ branch_id: branchId });
}

/** Gives a branch the objects of a bucket of another one: of an earlier time, those that were stored by then. */
export function copyObjects(
  { tables }: ControlPlane,
  from: BucketRow,
  to: BranchRow,
  moment: Moment | undefined,
): void {
  for (const row of tables.bucketObjects.list({ branch_id: from.branch_id, bucket_name: from.name })) {
    if (existedAt(moment, row.last_modified))
      tables.bucketObjects.put({ ...row, branch_id: to.id, project_id: to.project_id, inherited: true });
  }
}

/** A URL for one upload or download of an object that needs no key. The object need not exist. */
export async function presignObject(
  { clock, objects }: ControlPlane,
  { region_id }: ProjectRow,
  bucket: BucketRow,
  key: string,
  { operation, content_type: type, expires_in_seconds: seconds = defaultExpirySeconds }: Presign,
): Promise<object> {
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
  // Signatures have whole seconds.
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
  };
}

/** @throws HttpError 400 */
export function checkKey(key: string): void {
  if (key === "" || Buffer.byteLength(key) > maxKeyBytes) {
    throw badRequest(`the key of an object must have 1 to ${maxKeyBytes} bytes`);
  }
}

/** An object as the API returns it. */
export function objectResponse(row: BucketObjectRow): object {
  return {
    ...publicMembers(bucketObjectTable, row),
    last_modified: wholeSeconds(Date.parse(row.last_modified)),
  };
}

/** Removes the file of a content that no object has any more. */
function releaseContent({ tables, objects }: ControlPlane, content: string): void {
  if (!tables.bucketObjects.get({ content })) objects.release(content);
}

/** The folder that stands for a key in a list with a delimiter. */
function folderOf(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || delimiter === "") return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}
