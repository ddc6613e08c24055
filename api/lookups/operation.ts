import { z } from "zod";

import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { operations } from "../schemas/operation";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the operation, a UUID."),
      projectId: z.string().describe("Project of the operation."),
      branchId: z.string().optional().describe("Branch that the operation acts on, if any."),
      endpointId: z.string().optional().describe("Compute that the operation acts on, if any."),
      action: z.string().describe("Action, such as `create_branch`. Neon adds new actions over time."),
      status: z
        .string()
        .describe(
          "`scheduling`, `running`, `finished`, `failed` (Neon can retry it), `error`, `cancelling`, `cancelled` or `skipped`.",
        ),
      error: z.string().optional().describe("Reason of the failure, if Neon returns one."),
      failuresCount: z.int().describe("Number of failed attempts."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
      updatedAt: z.string().describe("Time of the last status change (ISO 8601, UTC)."),
      totalDurationMs: z.int().optional().describe("Duration so far, in milliseconds."),
    })
    .meta({ title: "OperationResult", description: "An operation: a task of Neon's control plane." }),
);

/** The operations of a project, newest first. */
export const getOperations = lookup("getOperations", () => ({
  args: {
    projectId: idArgument.describe("Project whose operations to list."),
    limit: z.int().min(0).optional().describe("Maximum number of operations to return. Default: all of them."),
  },
  result: z.array(result()),
  list: "operations",
  read: ({ client }, { projectId, limit }) => collect(client.list(operations.list(projectId), { limit })),
}));

/** An operation, by its id. */
export const getOperation = lookup("getOperation", () => ({
  args: {
    projectId: idArgument.describe("Project of the operation."),
    operationId: idArgument.describe("Id of the operation, a UUID."),
  },
  result: result(),
  read: async ({ client }, { projectId, operationId }) =>
    (await client.send(operations.get(projectId, operationId))).operation,
}));
