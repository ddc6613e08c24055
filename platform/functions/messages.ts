/** The descriptor on which the process of a function reads messages of the platform: a line of JSON for each. */
export const fromPlatform = 3;
/**
 * The descriptor on which the process answers. It is a second one, because a write waits for the platform only where nothing is read.
 */
export const toPlatform = 4;

/** A message of the platform to the process of a function. */
export type ToFunction =
  | {
      readonly type: "start";
      /** The file with the handler. */
      readonly entry: string;
      /** The path of the socket at which it serves connections. */
      readonly socket: string;
      /** The address under which clients know the function. */
      readonly host: string;
      /** A sender with this value in `x-neon-internal` may send other headers that start with `x-neon-`. */
      readonly secret: string;
    }
  /** How many invocations the other processes of the account are answering. */
  | { readonly type: "others"; readonly count: number }
  | { readonly type: "stop" };

/** A message of the process of a function to the platform. The code of the function can forge one. */
export type FromFunction =
  | { readonly type: "ready" }
  /** The reason why its code cannot be used. Ignored once the process is ready. */
  | { readonly type: "failed"; readonly error: string }
  /** Sent before the process stops: no connection without a request is open any more. */
  | { readonly type: "drained" }
  /** How many invocations the process is answering. Short ones are not reported. */
  | { readonly type: "running"; readonly count: number }
  | { readonly type: "log"; readonly lines: readonly LogLine[] };

/** A line that a function has written, or that reports the begin or the end of a request. */
export interface LogLine {
  readonly scope: "app" | "request";
  readonly severity: "debug" | "info" | "warn" | "error";
  readonly message: string;
  /** The id of the request, if the line belongs to one. */
  readonly traceId?: string | undefined;
}

/** The most invocations that an account answers at a time. Further ones get a 429. */
export const mostInvocations = 100;

/** The first byte that a process sends on a connection: it has taken the connection, which no other process may serve. */
export const taken = 6;

/** The most characters of a line of the log. Further ones are left out. */
export const longestLine = 64 << 10;

/** Shortens a line of the log, and appends the number of characters that are left out. */
export function cutLine(text: string, omitted = 0): string {
  const left = Math.max(text.length - longestLine, 0) + omitted;
  return left === 0 ? text : `${text.slice(0, longestLine)}… (${left} more characters)`;
}

/** The header with which the platform may send headers that clients cannot. */
export const internalHeader = "x-neon-internal";
