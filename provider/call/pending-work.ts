import type { Operation } from "../../api/schemas/operation";

/** An operation that a change has started, as it is kept in the state. */
export interface PendingOperation {
  readonly projectId: string;
  readonly operationId: string;
  readonly action: string;
  readonly createdAt: string;
}

/** How far the work of a call has come that the platform has accepted. */
export type PendingWork =
  | {
      /** `waiting`: its operations have not ended. `failed`: one has failed, and the object has to be repaired. */
      readonly stage: "waiting" | "failed";
      /** None if they are not known, because a response was lost. */
      readonly operations: readonly PendingOperation[];
      /** Paths of the inputs that are not certainly applied. */
      readonly applies: readonly string[];
    }
  /** Everything that was accepted has succeeded. */
  | { readonly stage: "finished" };

/** What a failed call leaves to the next one. The state keeps it. */
export type Pending = PendingWork & {
  readonly step: "create" | "update";
  /** Why the call failed. */
  readonly reason: string;
  /** The creation failed, and the object never becomes usable: it has to be replaced. */
  readonly broken?: true;
};

/** An operation as it is kept in the state. */
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
