/** What the platform tells the process of a function. A connection comes with its socket. */
export type ToFunction =
  | {
      readonly type: "start";
      /** The file with the handler. */
      readonly entry: string;
      /** Who sends this in `x-neon-internal` may send other headers that start with `x-neon-`. */
      readonly secret: string;
    }
  | { readonly type: "connection" }
  | { readonly type: "stop" };

/** What the process of a function tells the platform. */
export type FromFunction =
  | { readonly type: "ready" }
  /** Why its code cannot be used. Means nothing once it is ready. */
  | { readonly type: "failed"; readonly error: string }
  /** It has the next connection: nobody else serves that one. */
  | { readonly type: "taken" }
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

/** With it, the platform itself sends headers that clients cannot. */
export const internalHeader = "x-neon-internal";
