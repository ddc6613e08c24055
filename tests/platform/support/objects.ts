import assert from "node:assert/strict";

import type { BucketObject, Presigned } from "../../../api/schemas/bucket-object";
import type { Answer } from "../../support/platform";
import { bodyOf } from "./responses";

/** Sends a request below `/projects/{id}`. */
type Call = (method: string, path?: string, body?: unknown) => Promise<Answer>;

/** A page of a list of objects. */
interface ListedPage {
  readonly folders: readonly string[];
  readonly objects: readonly BucketObject[];
  readonly prefix: string;
  readonly next_cursor?: string;
  readonly is_truncated: boolean;
}

/** The objects of a bucket, for a test. */
export function bucketObjects(call: Call, branchId: string, bucket: string) {
  const base = `/branches/${branchId}/buckets/${encodeURIComponent(bucket)}`;
  const pathOf = (key: string): string => `${base}/objects/${encodeURIComponent(key)}`;
  const presign = async (key: string, body: object): Promise<Presigned> => {
    const answer = await call("POST", `${pathOf(key)}/presign`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return bodyOf(answer) as Presigned;
  };
  const page = async (query = ""): Promise<ListedPage> => {
    const answer = await call("GET", `${base}/objects${query}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return bodyOf(answer) as ListedPage;
  };
  return {
    base,
    pathOf,
    presign,
    page,
    keys: async (query = "") => (await page(query)).objects.map(({ key }) => key),
    /** Uploads an object by a presigned URL. */
    upload: async (key: string, content: string, type?: string): Promise<Response> => {
      const { url, method, headers } = await presign(key, { operation: "upload", content_type: type });
      const response = await fetch(url, { method, headers, body: content });
      assert.equal(response.status, 200, await response.clone().text());
      return response;
    },
    /** Downloads an object by a presigned URL. */
    download: async (key: string): Promise<string> => {
      const { url } = await presign(key, { operation: "download" });
      const response = await fetch(url);
      assert.equal(response.status, 200);
      return await response.text();
    },
    remove: (key: string) => call("DELETE", pathOf(key)),
  };
}

/** A text in the form of an S3 error's code. */
export async function s3CodeOf(response: Response): Promise<string | undefined> {
  return /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
}
