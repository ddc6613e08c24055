import type { Body } from "./body";

/** A request that arrived at the API. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  /** With its query, as it arrived, but for what is secret in it. */
  readonly path: string;
  /** `null` until it is answered, and for ever if the connection was dropped instead. */
  status: number | null;
  readonly requestId: string;
  /** The JSON body of a mutation, its secrets removed. */
  body?: unknown;
}

const mostEntries = 20_000;
/** In bytes, as they arrived. */
const mostAltogether = 16 << 20;
const longestBody = 64 << 10;
const secretMembers: readonly string[] = ["password", "key", "secret", "token", "api_key", "connection_uri", "uri"];
/** Who knows the id of an offer can have the project. */
const secretSegment = /(\/transfer_requests\/)[^/?]+/;

/** The latest requests, oldest first: so many of them, and so much, that a platform can run for weeks. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #bytes = 0;
  readonly #bytesOf = new WeakMap<LoggedRequest, number>();

  add(arrived: LoggedRequest): LoggedRequest {
    const entry = { ...arrived, path: arrived.path.replace(secretSegment, "$1[secret]") };
    this.#entries.push(entry);
    this.#count(entry, entry.path.length);
    return entry;
  }

  /** Keeps with a request what it has brought. */
  keepBody(entry: LoggedRequest, { bytes, value, refusal }: Body): void {
    if (bytes === 0) return;
    const isKept = refusal === undefined && bytes <= longestBody;
    entry.body = isKept ? withoutSecrets(value) : refusal === undefined ? "[too long]" : "[not JSON]";
    if (isKept) this.#count(entry, bytes);
  }

  list(): readonly LoggedRequest[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  #count(entry: LoggedRequest, bytes: number): void {
    this.#bytesOf.set(entry, this.#sizeOf(entry) + bytes);
    this.#bytes += bytes;
    // Cut in large pieces: one by one would copy the whole list for every request.
    if (this.#entries.length > 2 * mostEntries || this.#bytes > 2 * mostAltogether) this.#cut();
  }

  #cut(): void {
    let first = this.#entries.length;
    let bytes = 0;
    for (const entry of this.#entries.slice(-mostEntries).reverse()) {
      if (bytes + this.#sizeOf(entry) > mostAltogether) break;
      bytes += this.#sizeOf(entry);
      first -= 1;
    }
    this.#entries = this.#entries.slice(first);
    this.#bytes = bytes;
  }

  #sizeOf(entry: LoggedRequest): number {
    return this.#bytesOf.get(entry) ?? 0;
  }
}

/** A copy of a JSON value without its secrets. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretMembers.includes(name) ? "[secret]" : withoutSecrets(member),
    ]),
  );
}
