import type { KeySource } from "../settings/key-source";

/**
 * The options that decide whether the engine keeps the old object of a replacement. The engine uses the options in the
 * state, which it writes at the end of a step. Options that the program sets in the run that replaces the object
 * therefore come too late.
 */
export interface ReplacedObject {
  /** Whether the state holds the option `retainOnDelete`. Undefined if the protocol does not tell. */
  readonly isRetained?: boolean | undefined;
  /** Whether the program sets the option `protect` in this run, as far as the protocol tells. */
  readonly isProtected?: boolean | undefined;
}

/** The engine's data on one call, whichever protocol it uses. */
export interface Call {
  readonly urn: string;
  /** How long the changes of the call may take, in milliseconds. Default: the setting `operationTimeout`. */
  readonly timeout?: number | undefined;
  /** Paths of the inputs that the program declared when the state was written. */
  readonly declaredBefore: readonly string[];
  /** The default name that the resource got when it was created. */
  readonly defaultName?: string | undefined;
  /** Whether the program sets the resource option `retainOnDelete` in this run, as far as the protocol tells. */
  readonly isRetained: boolean;
  /** The options that decide what happens to the old object of a replacement. */
  readonly replaced: ReplacedObject;
  /**
   * The inputs that are outputs of a resource that this run did not create, because it failed (`--continue-on-error`)
   * or `--target` omits it. The engine passes them as if the program did not declare them. `any` if the protocol does
   * not name them. Default: none.
   */
  readonly lost?: readonly string[] | "any" | undefined;
  /** The paths of the members of unstored inputs that the program declares as secret. Default: none. */
  readonly secretMembers?: readonly string[] | undefined;
  /** The source of the API key, if the engine's call tells. Default: the source that the process knows. */
  readonly keySource?: KeySource | undefined;
  /** Ends waiting for locks, sleeping and polling. A change that is being sent still receives its answer. */
  readonly signal?: AbortSignal | undefined;
}
