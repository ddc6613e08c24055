import { NeonError } from "../../api/errors";
import type { Request } from "../../api/request";
import type { Answer } from "./collection";
import type { Once } from "./idempotency";
import type { Values } from "./values";

/** A request that creates an object. */
export interface Creation<A extends object, Outputs> {
  /** What is being done, such as `create branch pr-42`. */
  readonly what: string;
  /** The request, given the annotations that tag the object. */
  readonly request: (tag: Readonly<Record<string, string>>) => Request<A>;
  /** Whether the platform itself refuses a second equal object, so that sending twice cannot create two. */
  readonly repeatable: boolean;
  /**
   * Makes sure that nothing is in the way, before the request is sent again. Only for a request that would overwrite it.
   *
   * @throws AlreadyThereError
   */
  readonly assertFree?: () => Promise<void>;
  /** What is known of the object from the response: enough to find, use and delete it. */
  readonly record: (response: A) => Outputs;
  /**
   * What else the response says that holds once its operations have succeeded: this is not read back. Until then, the
   * platform refuses other changes of the project.
   */
  readonly answers?: (response: A) => readonly Answer[];
}

/** A request that changes or deletes an object. */
export interface Change<A extends object> {
  /** What is being done, such as `resize compute`. */
  readonly what: string;
  readonly project: string | undefined;
  readonly request: Request<A>;
  /** Paths of the inputs that this applies: they are applied again if its operations fail. */
  readonly applies?: readonly string[];
  /**
   * Outputs that only the response reports: recorded before its operations are waited for. The response is missing when
   * it was lost and the change was found to be done.
   */
  readonly record?: (response: A | undefined) => Values;
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
  readonly assertSame?: () => Promise<void>;
  /** The change must not be sent twice: that would undo what was done since the first time. */
  readonly once?: Once;
  /** The response says nothing, not even of an operation: only a read tells whether the change was performed. */
  readonly silent?: true;
}

/** How a creation is recorded before it is sent, and found again when its response is lost. */
export interface CreationRecord {
  /** The random number of this creation. */
  readonly creationId: string;
  /** The id in state of the created object. */
  readonly idOf: (outputs: Values) => string;
  /** Records that an object is about to be created. Returns the text of its ownership tag. */
  readonly begin: () => Promise<string>;
  /** The object that this creation has created, although its response was lost. */
  readonly locate: () => Promise<Values | undefined>;
  /** Says that `locate` found the object by its natural key, for a kind whose objects nothing else identifies. */
  readonly warnOfMatch?: (found: Values) => void;
  /** The request is sent again. */
  readonly resent: () => Promise<void>;
  /** The platform has created the object with this id. */
  readonly answered: (id: string) => Promise<void>;
  /**
   * Names what `locate` found, for a kind whose objects are useless without the lost response: another one is created then.
   * Nothing proves whose it is, so it stays.
   */
  readonly nameUseless?: () => Promise<void>;
  /** Certainly nothing was created. */
  readonly discard: () => Promise<void>;
}

/** An object of that natural key exists already; found before a request was sent that would overwrite it. */
export class AlreadyThereError extends NeonError {
  constructor(message: string) {
    super("invalid", message, undefined, { fix: "Declare another one." });
  }
}
