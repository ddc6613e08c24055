import type { Operation } from "../../api/schemas/operation";

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
