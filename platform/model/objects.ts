import type { ContentFiles } from "../objects/files";
import type { AccessKey } from "../objects/signature";
import type { Topic } from "../storage/change-feed";

/** Published when no object uses a content any more. Its row has the id of the content. */
export const releasedContentTopic: Topic = { name: "released contents" };

/** The storage of the objects in buckets, and its address. */
export interface Objects {
  readonly files: ContentFiles;
  /** Signs the URLs that the API gives out. */
  readonly presignKey: AccessKey;
  /** Removes the file of a content after the transaction. */
  readonly release: (content: string) => void;
  /** The start of the S3 addresses of all branches. It is known once the port is open. */
  baseUrl: string;
}

/** The path below which the objects of branches are. */
export const storagePath = "/storage";

/** The address of a branch's S3 API. */
export function s3Endpoint({ baseUrl }: Objects, branchId: string): string {
  return `${baseUrl}${storagePath}/${branchId}`;
}
