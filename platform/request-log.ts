/** A request that arrived at the API. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  /** With its query, as it arrived. */
  readonly path: string;
  /** `null` until it is answered, and for ever if the connection was dropped instead. */
  status: number | null;
  readonly requestId: string;
  /** The JSON body of a mutation, its secrets removed. */
  body?: unknown;
}

const mostEntries = 20_000;
const secretMembers: readonly string[] = ["password", "key", "secret", "token", "api_key", "connection_uri", "uri"];

/** The latest requests, oldest first. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  add(entry: LoggedRequest): LoggedRequest {
    this.#entries.push(entry);
    // Cut in large pieces: one by one would copy the whole list for every request.
    if (this.#entries.length > 2 * mostEntries) this.#entries = this.#entries.slice(-mostEntries);
    return entry;
  }

  list(): readonly LoggedRequest[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
  }
}

/** A copy of a JSON value without its secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretMembers.includes(name) ? "[secret]" : withoutSecrets(member),
    ]),
  );
}
