import { hasStatus, NeonError } from "../../api/errors";
import type { Request } from "../../api/request";
import type { Operation } from "../../api/schemas/operation";
import type { Values } from "../values";
import type { Once } from "./idempotency";

/** A request that changes or deletes an object. */
export interface Change<Response extends object> {
  /** What is being done, such as `resize compute`. */
  readonly what: string;
  readonly project: string | undefined;
  readonly request: Request<Response>;
  /** Paths of the inputs that this applies: they are applied again if its operations fail. */
  readonly applies?: readonly string[];
  /**
   * Outputs that only the response reports: recorded before its operations are waited for. The response is missing when
   * it was lost and the change was found to be done.
   */
  readonly outputs?: (response: Response | undefined) => Values;
  /**
   * Whether the change is done, asked when the response was lost or says nothing.
   *
   * @param before what `once` says of the object before this change was sent for the first time
   */
  readonly done: (before: Values) => Promise<boolean>;
  /**
   * Makes sure that the object is still the one in the state, before the change is sent again: in the meantime, another program
   * may have deleted it and created another one of the same name. Only for requests that name the object. Also asked when
   * the change was confirmed, but is not done.
   *
   * @throws NeonError if it is another one
   */
  readonly assertSame?: () => Promise<unknown>;
  /** The change must not be sent twice: that would undo what was done since the first time. */
  readonly once?: Once;
  /** The response says nothing, not even of an operation: only a read tells whether the change was performed. */
  readonly silent?: true;
}

/** The operations that a response names. Responses to some mutations have no such member. */
export function operationsOf(response: { readonly operations?: unknown }): readonly Operation[] {
  // Where the platform documents the member, the schema of the response has parsed it.
  return (response.operations as readonly Operation[] | undefined) ?? [];
}

/** An object of that natural key exists already; found before a request was sent that would overwrite it. */
export class AlreadyThereError extends NeonError {
  constructor(message: string) {
    super("invalid", message, undefined, { fix: "Declare another one." });
  }
}

/** Whether a creation failed because there is an object of its natural key. */
export function isConflict(error: unknown): boolean {
  return error instanceof AlreadyThereError || hasStatus(error, 409);
}
