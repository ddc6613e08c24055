import { PlatformError } from "../api/errors";
import type { Operation } from "../api/schemas/operation";
import type { Kind, Values } from "./kind";

/** The key under which inputs and outputs carry what is ours and not the user's. */
export const hiddenKey = "__neon";

/** How long each verb may wait, as the program says it in `customTimeouts`. */
export interface Timeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/** What the constructor and `check` add to a resource's inputs. */
export interface HiddenInputs {
  readonly urn: string;
  /** The name that was chosen because the program declares none. */
  readonly name?: string;
  readonly timeouts?: Timeouts;
}

/** An operation that a change has started and that had not ended well when the change was given up. */
export interface PendingOperation {
  readonly projectId: string;
  readonly operationId: string;
  readonly action: string;
  readonly createdAt: string;
}

/** What is left of a change that failed after it was accepted. */
export interface Pending {
  readonly step: "create" | "update";
  readonly operations: readonly PendingOperation[];
  /** Paths of the inputs that the unfinished step was to apply. */
  readonly applies: readonly string[];
  /** Everything that was accepted has ended well: what failed came after that, so nothing has to be made up for. */
  readonly ended?: true;
  /** Why it failed. */
  readonly reason: string;
  /** The creation ended so badly that the object never becomes usable: it has to be made anew. */
  readonly broken?: true;
}

/** What the outputs carry beside what the user sees. */
export interface HiddenOutputs extends HiddenInputs {
  readonly version: number;
  /** Paths of the inputs that the program declares. */
  readonly declared: readonly string[];
  /** The attempt that made the object, if we did. */
  readonly attempt?: string;
  readonly pending?: Pending;
}

/** A resource's state, taken apart. */
export interface State<Outputs> {
  readonly hidden: Partial<HiddenOutputs>;
  readonly outputs: Partial<Outputs>;
}

/** Takes stored outputs apart, in the shape of this version whatever version wrote them. */
export function parseState<Inputs, Outputs>(kind: Kind<Inputs, Outputs>, id: string, stored: Values): State<Outputs> {
  const { [hiddenKey]: own, ...rest } = stored;
  const hidden = (own ?? {}) as Partial<HiddenOutputs>;
  // Without a version it is a lookup by id: there is nothing but the address.
  if (hidden.version === undefined) return { hidden, outputs: kind.address(id) };
  if (hidden.version > kind.version) {
    throw new PlatformError(
      "invalid",
      `The state of this ${kind.noun} was written by a newer neon-pulumi (version ${hidden.version} of its shape, this one knows ${kind.version}): upgrade the package.`,
      undefined,
    );
  }
  let outputs: Values = rest;
  for (let version = hidden.version; version < kind.version; version += 1) {
    outputs = kind.upgrade?.(outputs, version) ?? outputs;
  }
  return { hidden, outputs: outputs as Partial<Outputs> };
}

/** Puts outputs and what is ours together, as they are stored. */
export function storedState(outputs: Values, hidden: HiddenOutputs): Values {
  return { ...outputs, [hiddenKey]: hidden };
}

/** An operation as it is kept in state. */
export function pendingOperation({ id, project_id, action, created_at }: Operation): PendingOperation {
  return { operationId: id, projectId: project_id, action, createdAt: created_at };
}

/** A kept operation, to be waited for again. */
export function resumedOperation({ operationId, projectId, action, createdAt }: PendingOperation): Operation {
  return {
    id: operationId,
    project_id: projectId,
    action,
    status: "running",
    failures_count: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
