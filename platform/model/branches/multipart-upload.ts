import { createHash, randomBytes } from "node:crypto";

import type { WrittenContent } from "../../objects/files";
import type { ControlPlane } from "../control-plane";
import type { MultipartUploadRow, ObjectDescription } from "./bucket-object-row";
import type { BucketRow } from "./bucket";

/** Starts an upload in parts. Until it ends, its bucket cannot be deleted. */
export function startUpload(
  { tables, timestamps }: ControlPlane,
  { project_id, branch_id, name }: BucketRow,
  key: string,
  description: ObjectDescription,
): MultipartUploadRow {
  const id = randomBytes(16).toString("hex");
  const place = { project_id, branch_id, bucket_name: name, key };
  const row: MultipartUploadRow = { id, ...place, ...description, created_at: timestamps.next(), parts: [] };
  tables.multipartUploads.put(row);
  return row;
}

export function findUpload(
  { tables }: ControlPlane,
  { branch_id, name }: BucketRow,
  id: string,
  key: string,
): MultipartUploadRow | undefined {
  const row = tables.multipartUploads.get({ id, branch_id, bucket_name: name });
  return row?.key === key ? row : undefined;
}

/** Adds a part. Replaces the part with the same number. */
export function addPart(
  { tables, objects }: ControlPlane,
  upload: MultipartUploadRow,
  number: number,
  { id: content, size, md5: etag }: WrittenContent,
): void {
  const others = upload.parts.filter((part) => part.number !== number);
  for (const part of upload.parts) if (part.number === number) objects.release(part.content);
  const parts = [...others, { number, size, etag, content }].sort((one, other) => one.number - other.number);
  tables.multipartUploads.put({ ...upload, parts });
}

/** Ends an upload, and removes its parts. */
export function endUpload({ tables, objects }: ControlPlane, upload: MultipartUploadRow): void {
  for (const { content } of upload.parts) objects.release(content);
  tables.multipartUploads.remove(upload);
}

/** The entity tag of an object that was uploaded in parts. */
export function etagOfParts(parts: MultipartUploadRow["parts"]): string {
  const hashes = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, "hex")));
  return `${createHash("md5").update(hashes).digest("hex")}-${parts.length}`;
}
