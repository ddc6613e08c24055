import { z } from "zod";

import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { beforeFirst, invalidCursor } from "../http/validation";
import { getOperation, operationResponse, operationResponses } from "../model/operations/operation";
import * as published from "../published/requests";

const { query: pageQuery } = published.listProjectOperations;

const operationPageQuery = pageQuery.extend({
  /** A timestamp. One in whole seconds sorts before all fractions of that second. */
  cursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/, invalidCursor("operations"))
    .transform((cursor) => {
      const [seconds = "", fraction = ""] = cursor.slice(0, -1).split(".");
      return `${seconds}.${fraction.padEnd(6, "0")}Z`;
    })
    .default(beforeFirst),
  limit: pageQuery.shape.limit.default(100),
});

export const operationPaths: ApiPaths = {
  "/projects/:project_id/operations": {
    GET: allow(
      { ...projectMember, ignoresPostgres: true, query: operationPageQuery },
      ({ controlPlane, project, query }) => {
        const operations = controlPlane.tables.operations.list(
          { project_id: project.id },
          "AND created_at < ? ORDER BY created_at DESC LIMIT ?",
          query.cursor,
          query.limit,
        );
        const last = operations.at(-1);
        return {
          operations: operationResponses(controlPlane, operations),
          pagination: last && { cursor: last.created_at },
        };
      },
    ),
  },
  "/projects/:project_id/operations/:operation_id": {
    GET: allow({ ...projectMember, ignoresPostgres: true }, ({ controlPlane, project, parameter }) => ({
      operation: operationResponse(controlPlane, getOperation(controlPlane, project.id, parameter("operation_id"))),
    })),
  },
};
