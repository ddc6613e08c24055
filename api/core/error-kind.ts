import type { Method } from "./request";

/**
 * The kinds of error that this package throws. Check `NeonError.isInstance(error)`, then `error.kind`.
 *
 * No error has a member `id`: Pulumi's SDK treats an error with an `id` as a created resource.
 */
export type ErrorKind =
  /** The platform returned an HTTP error; see `status`. */
  | "http"
  /** The platform does not know the route of the request. The object may still exist. */
  | "unknown-route"
  /** A mutation was sent, but may or may not have been performed. */
  | "outcome-unknown"
  /** The platform could not be reached, or returned no usable response, until the deadline. */
  | "unreachable"
  /** The base URL has never returned a response. */
  | "never-responded"
  /** The platform returned a response that this package cannot read. */
  | "unreadable"
  /** An operation ended without success. */
  | "operation-failed"
  /** An operation did not end before the deadline. */
  | "operation-timeout"
  /** The platform does not know an operation, or no longer does. */
  | "operation-unknown"
  /** A setting or input is missing or invalid; nothing was sent. */
  | "invalid";

/** A request and its response, as error messages name them. */
export interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** A request that failed with an HTTP error. */
export interface FailedExchange extends Exchange {
  readonly status: number;
  readonly code?: string | undefined;
  /** The platform's error message. */
  readonly reason: string;
}
