import { z } from "zod";

import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import { invalidCursor, wholeNumber } from "../http/validation";
import { getOperation, operationResponse, operationResponses } from "../model/operations/operation";

const defaultLimit = 100;

export const operationRoutes = [
  route({
    method: "GET",
    path: "/projects/:project_id/operations",
    authorization: projectMember,
    query: z.object({ cursor: z.string().optional(), limit: wholeNumber(1, 1000).optional() }),
    handle: ({ controlPlane, project, query: { cursor, limit = defaultLimit } }) => {
      const operations = controlPlane.tables.operations.list(
        { project_id: project.id },
        "AND created_at < ? ORDER BY created_at DESC LIMIT ?",
        cursor === undefined ? afterAll : parseCursor(cursor),
        limit,
      );
      const last = operations.at(-1);
      return {
        operations: operationResponses(controlPlane, operations),
        ...(last && { pagination: { cursor: last.created_at } }),
      };
    },
  }),
  route({
    method: "GET",
    path: "/projects/:project_id/operations/:operation_id",
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => ({
      operation: operationResponse(controlPlane, getOperation(controlPlane, project.id, parameter("operation_id"))),
    }),
  }),
];

/** Sorts after every timestamp. */
const afterAll = "~";

/** Parses a cursor, which is a timestamp. One in whole seconds sorts before all fractions of that second. */
function parseCursor(cursor: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(cursor)) {
    throw invalidCursor("operations");
  }
  const [seconds = "", fraction = ""] = cursor.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}Z`;
}
