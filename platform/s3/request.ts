import type { IncomingMessage } from "node:http";

import type { ControlPlane } from "../model/control-plane";
import { storagePath } from "../model/objects";
import type { BranchRow } from "../model/branches/branch-row";
import type { ProjectRow } from "../model/projects/project-row";
import type { SignableRequest } from "../objects/signature";
import { invalid } from "./error";

/** The address of a request, in path style. */
export interface S3Target {
  readonly branchId: string;
  /** Undefined for the branch itself. */
  readonly bucketName: string | undefined;
  /** Undefined for the bucket itself. */
  readonly key: string | undefined;
  readonly signed: SignableRequest;
}

/** A request of S3 after the check of its access. */
export interface S3Request {
  readonly controlPlane: ControlPlane;
  /** Makes a change in a transaction. */
  readonly change: <Result>(work: () => Result) => Result;
  readonly project: ProjectRow;
  readonly branch: BranchRow;
  /** Empty for the branch itself. */
  readonly bucketName: string;
  /** Empty for a bucket or the branch. */
  readonly key: string;
  readonly query: SignableRequest["query"];
  readonly headers: SignableRequest["headers"];
  readonly incoming: IncomingMessage;
}

/** Whether a request is for S3, judging by its address. */
export function isStorage({ url = "/" }: IncomingMessage): boolean {
  return url.startsWith(storagePath) && ["/", "?", undefined].includes(url[storagePath.length]);
}

/**
 * Parses the address of a request.
 *
 * @throws S3Error
 */
export function targetOf({ method = "GET", url = "/", headers }: IncomingMessage): S3Target {
  const [path = "", search = ""] = url.split(/\?(.*)/s, 2);
  const [branchId = "", bucketName = "", ...keyParts] = path.slice(storagePath.length + 1).split("/");
  const key = keyParts.join("/");
  const query = search.split("&").flatMap((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
    return name === "" ? [] : [[decoded(name), decoded(value)] as const];
  });
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]);
  return {
    branchId,
    bucketName: bucketName === "" ? undefined : decoded(bucketName),
    key: key === "" ? undefined : decoded(key),
    signed: {
      method,
      path,
      query: Object.fromEntries(query),
      headers: Object.fromEntries(single) as SignableRequest["headers"],
    },
  };
}

/**
 * Decodes a part of a URI.
 *
 * @throws S3Error 400
 */
export function decoded(part: string): string {
  let text: string | undefined;
  try {
    text = decodeURIComponent(part);
  } catch {
    // The part is malformed.
  }
  if (text === undefined || /[\0\p{Surrogate}]/u.test(text)) {
    throw invalid("InvalidURI", "Couldn't parse the specified URI.");
  }
  return text;
}
