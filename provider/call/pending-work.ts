import { z } from "zod";

import type { Operation } from "../../api/schemas/operation";

/** An operation that a change has started, as it is kept in the state. */
const pendingOperationSchema = z.object({
  projectId: z.string(),
  operationId: z.string(),
  action: z.string(),
  createdAt: z.string(),
});
type PendingOperation = z.infer<typeof pendingOperationSchema>;

/** What a failed call leaves to the next one, as far as it does not depend on the stage. */
const failure = {
  step: z.enum(["create", "update"]),
  /** Why the call failed. */
  reason: z.string(),
  /** The creation failed, and the object never becomes usable: it has to be replaced. */
  broken: z.literal(true).optional(),
};

/** What a failed call leaves to the next one. The state keeps it. */
export const pendingSchema = z.discriminatedUnion("stage", [
  z.object({
    ...failure,
    /** `waiting`: its operations have not ended. `failed`: one has failed, and the object has to be repaired. */
    stage: z.enum(["waiting", "failed"]),
    /** None if they are not known, because a response was lost. */
    operations: z.array(pendingOperationSchema).readonly(),
    /** Paths of the inputs that are not certainly applied. */
    applies: z.array(z.string()).readonly(),
  }),
  /** Everything that was accepted has succeeded. */
  z.object({ ...failure, stage: z.literal("finished") }),
]);
export type Pending = z.infer<typeof pendingSchema>;

type WithoutFailure<Left> = Left extends Pending ? Omit<Left, keyof typeof failure> : never;
/** How far the work of a call has come that the platform has accepted. */
export type PendingWork = WithoutFailure<Pending>;

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
