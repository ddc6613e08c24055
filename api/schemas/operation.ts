import { z } from "zod";

import { pagedRequest, path, request } from "../core/request";
import { createdAt, cursorPagination, idOfProject, timestamp, wholeNumber } from "./wire";

/** An operation: an asynchronous action that a mutation has started. */
export const operation = z.looseObject({
  id: z.string().describe("Id of the operation, a UUID."),
  project_id: idOfProject,
  branch_id: z.string().optional().describe("Id of the branch that the operation acts on, if any."),
  endpoint_id: z.string().optional().describe("Id of the compute that the operation acts on, if any."),
  action: z.string().describe("Action, such as `create_branch`. Neon adds new actions over time."),
  status: z
    .string()
    .describe(
      "`scheduling`, `running`, `finished`, `failed` (Neon can retry it), `error`, `cancelling`, `cancelled` or `skipped`.",
    ),
  error: z.string().optional().describe("Reason of the failure, if Neon returns one."),
  failures_count: wholeNumber.describe("Number of failed attempts."),
  retry_at: timestamp.optional(),
  created_at: createdAt,
  updated_at: timestamp.describe("Time of the last status change (ISO 8601, UTC)."),
  total_duration_ms: wholeNumber.optional().describe("Duration so far, in milliseconds."),
});
export type Operation = z.infer<typeof operation>;

/** The operations that a mutation has started. Missing or empty if there is nothing to wait for. */
export const operationsMember = z.array(operation).default([]);

const operationResponse = z.looseObject({ operation });
const operationPage = z.looseObject({ operations: z.array(operation), pagination: cursorPagination.optional() });

/** Requests for operations. */
export const operations = {
  get: (projectId: string, operationId: string) =>
    request("GET", path`/projects/${projectId}/operations/${operationId}`, operationResponse),
  /** Lists the operations of a project, newest first. */
  list: (projectId: string) =>
    pagedRequest("cursor", path`/projects/${projectId}/operations`, operationPage, {
      items: (page) => page.operations,
      maxPageSize: 1000,
    }),
};
