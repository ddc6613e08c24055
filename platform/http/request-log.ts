import type { Topic } from "../storage/change-feed";
import { LatestEntries } from "../storage/latest-entries";
import type { Body } from "./body";

/** Published when a request has arrived, and when it is answered. */
export const requestTopic: Topic = { name: "requests" };

/** A request that the API has received. */
export interface LoggedRequest {
  /** The number of the request on this platform. */
  readonly number: number;
  readonly time: string;
  readonly method: string;
  /** With its query; secrets are replaced. */
  readonly path: string;
  /** `null` until the request is answered, and forever if its connection was dropped instead. */
  status: number | null;
  readonly requestId: string;
  /** The `user-agent` of the client. */
  readonly userAgent: string;
  /** The time until the answer; `null` until then. */
  milliseconds: number | null;
  /** The ids of the operations that the request has started. */
  operations: readonly string[];
  /** The JSON body; secrets are replaced. */
  body?: unknown;
}

/** The members of a request that are known when it arrives. */
export type ReceivedRequest = Pick<LoggedRequest, "time" | "method" | "path" | "requestId"> & {
  readonly userAgent?: string;
};

const maxEntries = 20_000;
/** Bytes of paths and bodies, as they were received. */
const maxTotalBytes = 16 << 20;
const maxBodyBytes = 64 << 10;
const secretMembers: readonly string[] = [
  "password",
  "key",
  "secret",
  "token",
  "api_key",
  "client_secret",
  "connection_uri",
  "uri",
  // `environment` contains the variables of a function.
  "environment",
];
/** The secrets in paths: the id of a transfer request is enough to accept it, and the signature of a presigned URL to use that. */
const secretInPath = /(\/transfer_requests\/|X-Amz-Signature=)[^/?&]+/;

/** The latest requests, oldest first. */
export class RequestLog {
  readonly #requests = new LatestEntries<LoggedRequest>(maxEntries, maxTotalBytes);
  readonly #onChange: (entry: LoggedRequest) => void;

  /** @param onChange called when a request has arrived, and when it is answered */
  constructor(onChange: (entry: LoggedRequest) => void = () => undefined) {
    this.#onChange = onChange;
  }

  add({ userAgent = "", ...request }: ReceivedRequest): LoggedRequest {
    const path = request.path.replace(secretInPath, "$1[secret]");
    const entry: LoggedRequest = {
      ...request,
      number: this.#requests.added + 1,
      path,
      userAgent,
      status: null,
      milliseconds: null,
      operations: [],
    };
    this.#requests.add(entry, path.length + userAgent.length);
    this.#onChange(entry);
    return entry;
  }

  /** Records the answer. Without a status, the connection was dropped. */
  finish(entry: LoggedRequest, status: number | null, milliseconds: number): void {
    entry.status = status;
    entry.milliseconds = milliseconds;
    this.#onChange(entry);
  }

  addBody(entry: LoggedRequest, { bytes, value, error }: Body): void {
    if (bytes === 0) return;
    const isKept = error === undefined && bytes <= maxBodyBytes;
    entry.body = isKept ? withoutSecrets(value) : error === undefined ? "[too long]" : "[not JSON]";
    if (isKept) this.#requests.grow(entry, bytes);
  }

  /** @param after leaves out the requests up to this number */
  list(after = 0): readonly LoggedRequest[] {
    const kept = this.#requests.list();
    return kept.slice(Math.max(0, kept.length - Math.max(0, this.#requests.added - after)));
  }

  clear(): void {
    this.#requests.clear();
  }
}

/** A copy of a JSON value with its secrets replaced. */
function withoutSecrets(value: unknown): unknown {
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretMembers.includes(name) ? "[secret]" : withoutSecrets(member),
    ]),
  );
}
