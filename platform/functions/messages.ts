/** The descriptor on which the process of a function reads what the platform tells it: a line of JSON for each message. */
export const fromPlatform = 3;
/** The descriptor on which it answers. Two, because a write waits for the platform only where nothing is read. */
export const toPlatform = 4;

/** A message of the platform to the process of a function. */
export type ToFunction =
  | {
      readonly type: "start";
      /** The file with the handler. */
      readonly entry: string;
      /** The path of the socket at which it serves connections. */
      readonly socket: string;
      /** The address that clients know it by. */
      readonly host: string;
      /** Who sends this in `x-neon-internal` may send other headers that start with `x-neon-`. */
      readonly secret: string;
    }
  | { readonly type: "stop" };

/** A message of the process of a function to the platform. The code of the function can forge one. */
export type FromFunction =
  | { readonly type: "ready" }
  /** Why its code cannot be used. Means nothing once it is ready. */
  | { readonly type: "failed"; readonly error: string }
  /** Before it stops: no connection without a request is open any more. */
  | { readonly type: "drained" }
  | { readonly type: "log"; readonly lines: readonly LogLine[] };

/** A line that a function has written, or that says that a request begins or ends. */
export interface LogLine {
  readonly scope: "app" | "request";
  readonly severity: "debug" | "info" | "warn" | "error";
  readonly message: string;
  /** Of the request, if it names one. */
  readonly traceId?: string | undefined;
}

/** The first byte on each connection, from the process: it has the connection, and nobody else serves that one. */
export const taken = 6;

/** How many characters a line of the log has. More are left out. */
export const longestLine = 64 << 10;

/** A line of the log with what is left out of it. */
export function cutLine(text: string, omitted = 0): string {
  const left = Math.max(text.length - longestLine, 0) + omitted;
  return left === 0 ? text : `${text.slice(0, longestLine)}… (${left} more characters)`;
}

/** With it, the platform itself sends headers that clients cannot. */
export const internalHeader = "x-neon-internal";
