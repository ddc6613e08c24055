import type { KeySource } from "../settings/key-source";

/**
 * Whether the engine keeps the old object of a replacement. It goes by the options in the state, which it writes at the end
 * of a step: those that the program sets in the run that replaces come too late.
 */
export interface ReplacedObject {
  /** Whether the state holds the option `retainOnDelete`. Undefined if the protocol does not tell. */
  readonly isRetained?: boolean | undefined;
  /** Whether the program sets the option `protect` in this run, as far as the protocol tells. */
  readonly isProtected?: boolean | undefined;
}

/** What the engine says of one call, whatever protocol it speaks. */
export interface Call {
  readonly urn: string;
  /** How long the changes of the call may take, in milliseconds. Default: the setting `operationTimeout`. */
  readonly timeout?: number | undefined;
  /** Paths of the inputs that the program declared when the state was written. */
  readonly declaredBefore: readonly string[];
  /** The default name that the resource was given when it was created. */
  readonly defaultName?: string | undefined;
  /** Whether the program sets the resource option `retainOnDelete` in this run, as far as the protocol tells. */
  readonly isRetained: boolean;
  /** What happens to the old object of a replacement. */
  readonly replaced: ReplacedObject;
  /**
   * The inputs that are outputs of something that this run did not create: a resource that failed (`--continue-on-error`), or
   * that `--target` leaves out. The engine then passes them on as if the program did not declare them. `any` where the protocol
   * does not tell which they are. Default: none.
   */
  readonly lost?: readonly string[] | "any" | undefined;
  /** Where the API key comes from, if the engine's call tells. Default: what the process knows. */
  readonly keySource?: KeySource | undefined;
  /** Ends what queues, sleeps and polls. A change that is being sent receives its answer all the same. */
  readonly signal?: AbortSignal | undefined;
}
