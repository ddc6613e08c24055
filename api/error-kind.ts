import type { Method } from "./request";

/**
 * The kinds of error this package throws, each told apart by `PlatformError.isInstance` and its `kind`.
 *
 * None has a member `id`: Pulumi's SDK takes an error with one for a resource that was created.
 */
export type ErrorKind =
  /** The platform refused the request; `status` says how. */
  | "refused"
  /** A mutation was sent and its outcome is not known. */
  | "outcome-unknown"
  /** The platform could not be reached, or kept answering with faults, until the deadline. */
  | "unreachable"
  /** Nothing has ever answered at the base URL. */
  | "never-answered"
  /** The platform answered something this package cannot read. */
  | "unreadable"
  /** An operation ended without success. */
  | "operation-failed"
  /** An operation had not ended at the deadline. */
  | "operation-timeout"
  /** An operation that the platform no longer knows. */
  | "operation-unknown"
  /** A setting or input is missing or wrong; nothing was sent. */
  | "invalid";

/** Where a request went and what came back, for messages. */
export interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}
