/** What the engine says of one call, whatever protocol it speaks. */
export interface Call {
  readonly urn: string;
  /** How long the changes of the call may take, in milliseconds. Default: the setting `operationTimeout`. */
  readonly timeout?: number | undefined;
  /** Paths of the inputs that the program declared when the state was written. */
  readonly declaredBefore: readonly string[];
  /** The default name that the resource was given when it was created. */
  readonly defaultName?: string | undefined;
  /** Whether the resource option `retainOnDelete` is set, as far as the protocol tells. */
  readonly isRetained: boolean;
  /** Ends what queues, sleeps and polls. A change that is being sent receives its answer all the same. */
  readonly signal?: AbortSignal | undefined;
}
