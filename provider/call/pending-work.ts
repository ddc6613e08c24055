import { z } from "zod";

import type { Operation } from "../../api/schemas/operation";

/** An operation that a change has started, as the state keeps it. */
const pendingOperationSchema = z.object({
  projectId: z.string(),
  operationId: z.string(),
  action: z.string(),
  createdAt: z.string(),
});
type PendingOperation = z.infer<typeof pendingOperationSchema>;

/** The members of {@link pendingSchema} that every stage has. */
const failure = {
  step: z.enum(["create", "update"]),
  /** Why the call failed. */
  reason: z.string(),
  /** The creation failed, and the object never becomes usable: it has to be replaced. */
  broken: z.literal(true).optional(),
};

/** The unfinished work of a failed call, which the state keeps for the next one. */
export const pendingSchema = z.discriminatedUnion("stage", [
  z.object({
    ...failure,
    /** `waiting`: the operations have not ended. `failed`: one has failed, and the object has to be repaired. */
    stage: z.enum(["waiting", "failed"]),
    /** Empty if the operations are not known, because a response was lost. */
    operations: z.array(pendingOperationSchema).readonly(),
    /** Paths of the inputs that are not certainly applied. */
    applies: z.array(z.string()).readonly(),
  }),
  /** Everything that was accepted has succeeded. */
  z.object({ ...failure, stage: z.literal("finished") }),
]);
export type Pending = z.infer<typeof pendingSchema>;

type WithoutFailure<Left> = Left extends Pending ? Omit<Left, keyof typeof failure> : never;
/** The progress of the work that the platform has accepted in a call. */
export type PendingWork = WithoutFailure<Pending>;

/** Converts an operation for the state. */
export function pendingOperation({ id, project_id, action, created_at }: Operation): PendingOperation {
  return { operationId: id, projectId: project_id, action, createdAt: created_at };
}

/** Converts an operation from the state, to wait for it again. */
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
