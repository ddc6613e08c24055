import type { IncomingMessage } from "node:http";

import type { ControlPlane } from "../model/control-plane";
import { storagePath } from "../model/objects";
import type { BranchRow } from "../model/branches/branch-row";
import type { ProjectRow } from "../model/projects/project-row";
import type { SignableRequest } from "../objects/signature";
import { invalid } from "./error";

/** The address of a request: path style. */
export interface S3Target {
  readonly branchId: string;
  /** Undefined for the branch itself. */
  readonly bucketName: string | undefined;
  /** Undefined for the bucket itself. */
  readonly key: string | undefined;
  readonly signed: SignableRequest;
}

/** A request of S3 that may be performed. */
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

/** What the address of a request says. @throws S3Error */
export function targetOf({ method = "GET", url = "/", headers }: IncomingMessage): S3Target {
  const [path = "", search = ""] = url.split(/\?(.*)/s, 2);
  const [branchId = "", bucketName = "", ...keyParts] = path.slice(storagePath.length + 1).split("/");
  const key = keyParts.join("/");
  const text = (part: string): string => {
    const value = decoded(part);
    if (value === undefined || /[\0\p{Surrogate}]/u.test(value))
      throw invalid("InvalidURI", "Couldn't parse the specified URI.");
    return value;
  };
  const query = search.split("&").flatMap((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
    return name === "" ? [] : [[text(name), text(value)] as const];
  });
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]);
  return {
    branchId,
    bucketName: bucketName === "" ? undefined : text(bucketName),
    key: key === "" ? undefined : text(key),
    signed: {
      method,
      path,
      query: Object.fromEntries(query),
      headers: Object.fromEntries(single) as SignableRequest["headers"],
    },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
