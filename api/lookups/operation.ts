import { z } from "zod";

import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { operation, operations } from "../schemas/operation";
import { idArgument, ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(operation.omit({ retry_at: true }), "OperationResult", "An operation: a task of Neon's control plane."),
);

/** The operations of a project, newest first. */
export const getOperations = lookup("getOperations", () => ({
  args: {
    ...ofProject,
    limit: z.int().min(0).optional().describe("Maximum number of operations to return. Default: all of them."),
  },
  result: z.array(result()),
  list: "operations",
  read: ({ client }, { projectId, limit }) => collect(client.list(operations.list(projectId), { limit })),
}));

/** An operation, by its id. */
export const getOperation = lookup("getOperation", () => ({
  args: {
    ...ofProject,
    operationId: idArgument.describe("Id of the operation, a UUID."),
  },
  result: result(),
  read: async ({ client }, { projectId, operationId }) =>
    (await client.send(operations.get(projectId, operationId))).operation,
}));
