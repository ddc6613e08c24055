import type { Path } from "../../provider/pulumi/wire";
import type { Timeouts, Values } from "./provider-server";

/** What `up` had to do. */
export type Step = "same" | "create" | "update" | "replace";

/** What a refresh shows. */
export type Seen = "gone" | "same" | "changed";

/** A resource that an engine manages: the model of the engine, or the real one behind the CLI. */
export interface Managed {
  readonly urn: string;
  /** As it stands in the state, if it does. */
  readonly state: Stored | undefined;
  readonly outputs: Values;
  /** Objects that were replaced and are still to be deleted. */
  readonly replaced: readonly unknown[];
  /** Whether the object in the state has been deleted already, and its replacement is still to be made. */
  readonly isPendingReplacement: boolean;
  /** What the last command has done with it, even if it failed; undefined if it came to nothing. */
  readonly did: Step | Seen | "delete" | undefined;
  /** The warnings shown at it, where the engine tells. */
  readonly said?: (is: "warning") => readonly string[];
  /** Brings it to what the program says. */
  readonly up: (program: Values) => Promise<Step>;
  readonly refresh: () => Promise<Seen>;
  readonly destroy: () => Promise<void>;
}

/** A resource as the state holds it. */
export interface Stored {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** Why its last step failed half-way; empty for a resource that is as it should be. */
  readonly failed: readonly string[];
  /** The engine drops it from the state without deleting it. */
  readonly retainOnDelete?: true;
  /** Under which it was written. Default: that of the resource. */
  readonly urn?: string;
  readonly timeouts?: Timeouts | undefined;
  /** Paths of what is secret in inputs and outputs. */
  readonly secrets?: readonly Path[];
}
