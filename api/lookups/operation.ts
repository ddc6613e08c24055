import { z } from "zod";

import { camelObject } from "../camel-shape";
import { collect } from "../http/pagination";
import { operation, operations } from "../schemas/operation";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const result = camelObject(
  operation.omit({ retry_at: true }).extend({ failures_count: z.int(), total_duration_ms: z.int().optional() }),
);

/** The operations of a project, newest first. */
export const getOperations = lookup("getOperations", {
  args: { projectId: objectId, limit: z.int().min(0).optional() },
  result: z.array(result),
  list: "operations",
  read: ({ client }, { projectId, limit }) => collect(client.list(operations.list(projectId), { limit })),
});

/** An operation, by its id. */
export const getOperation = lookup("getOperation", {
  args: { projectId: objectId, operationId: objectId },
  result,
  read: async ({ client }, { projectId, operationId }) =>
    (await client.send(operations.get(projectId, operationId))).operation,
});
