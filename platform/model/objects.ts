import type { ContentFiles } from "../objects/files";
import type { AccessKey } from "../objects/signature";
import type { Topic } from "../storage/change-feed";

/** A content is no longer part of any object. Its row has the id. */
export const releasedContentTopic: Topic = { name: "released contents" };

/** What stores and serves the objects of buckets. */
export interface Objects {
  readonly files: ContentFiles;
  /** Signs the URLs that the API gives out. */
  readonly presignKey: AccessKey;
  /** Removes the file of a content after the transaction. */
  readonly release: (content: string) => void;
  /** The URL that the addresses of all branches start with. It is known when the port is open. */
  baseUrl: string;
}

/** The path below which the objects of branches are. */
export const storagePath = "/storage";

/** Where the S3 API of a branch is. */
export function s3Endpoint({ baseUrl }: Objects, branchId: string): string {
  return `${baseUrl}${storagePath}/${branchId}`;
}
