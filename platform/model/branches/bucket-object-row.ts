import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";

/** The headers that a client sends with an object, and gets back with it. */
export interface ObjectDescription {
  content_type: string;
  /** Other headers, by their names in lower case, such as `cache-control` and `x-amz-meta-…`. */
  headers: Readonly<Record<string, string>>;
}

/**
 * An object of a bucket. A child branch has rows of its own for the inherited objects, with the same content. A row that is not
 * inherited is an upload if it is new or has new content.
 */
export interface BucketObjectRow extends ObjectDescription {
  project_id: string;
  branch_id: string;
  bucket_name: string;
  key: string;
  /** In bytes. */
  size: number;
  /**
   * In hexadecimal: the MD5 hash of the content. For an upload in parts, the hash of the parts' hashes, and the number of parts.
   */
  etag: string;
  last_modified: string;
  /** The id of the file with the content. Copies, and rows of several branches, share one file. */
  content: string;
  /** Whether the branch has the object from its parent. */
  inherited: boolean;
}

export const bucketObjectTable: RowTable<BucketObjectRow> = {
  name: "bucket_objects",
  within: "branch",
  branching: { on: ["branch", "preserve", "reset"], at: "last_modified", copy: (row) => ({ ...row, inherited: true }) },
  purged: (controlPlane, { content }) => releaseContent(controlPlane, content),
  columns: ["inherited"],
  primaryKey: ["branch_id", "bucket_name", "key"],
  indexes: ["project_id", "content", "branch_id, content"],
  latest: "last_modified",
};

interface UploadedPart {
  readonly number: number;
  readonly size: number;
  readonly etag: string;
  readonly content: string;
}

/** An upload in parts that is neither completed nor aborted. */
export interface MultipartUploadRow extends ObjectDescription {
  id: string;
  project_id: string;
  branch_id: string;
  bucket_name: string;
  key: string;
  created_at: string;
  parts: readonly UploadedPart[];
}

export const multipartUploadTable: RowTable<MultipartUploadRow> = {
  name: "multipart_uploads",
  within: "branch",
  branching: { on: ["reset"], copy: () => undefined },
  purged({ objects }, { parts }) {
    for (const { content } of parts) objects.release(content);
  },
  columns: ["project_id"],
  indexes: ["branch_id, bucket_name"],
  latest: "created_at",
};

/** Removes the file of a content that no object uses any more. */
export function releaseContent({ tables, objects }: ControlPlane, content: string): void {
  if (!tables.bucketObjects.get({ content })) objects.release(content);
}
