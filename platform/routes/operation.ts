import { z } from "zod";

import { badRequest } from "../http-error";
import { inProject } from "../http/authorization";
import { wholeNumber } from "../http/query";
import { route } from "../http/route";
import { operationAnswer, operationOf } from "../model/operation";

const defaultLimit = 100;

export const operationRoutes = [
  route({
    method: "GET",
    path: "/projects/:project_id/operations",
    scope: inProject,
    query: z.object({ cursor: z.string().optional(), limit: wholeNumber(1, 1000).optional() }),
    handle: ({ plane, project, query: { cursor, limit = defaultLimit } }) => {
      const { id } = project();
      const found = plane.tables.operations.list(
        { project_id: id },
        "AND created_at < ? ORDER BY created_at DESC LIMIT ?",
        cursor === undefined ? afterAll : checkedCursor(cursor),
        limit,
      );
      const last = found.at(-1);
      return {
        operations: found.map((row) => operationAnswer(plane, row)),
        ...(last && { pagination: { cursor: last.created_at } }),
      };
    },
  }),
  route({
    method: "GET",
    path: "/projects/:project_id/operations/:operation_id",
    scope: inProject,
    handle: ({ plane, project, parameter }) => ({
      operation: operationAnswer(plane, operationOf(plane, project().id, parameter("operation_id"))),
    }),
  }),
];

/** Sorts after every timestamp. */
const afterAll = "~";

/** A cursor is a timestamp; one to the second is before all fractions of that second. */
function checkedCursor(cursor: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(cursor)) {
    throw badRequest("query parameter cursor: is not one that a list of operations has returned");
  }
  const [seconds = "", fraction = ""] = cursor.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}Z`;
}
