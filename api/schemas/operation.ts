import { z } from "zod";

import { type PagedRequest, path, request } from "../core/request";
import { cursorPagination, timestamp } from "./wire";

/** An operation: an asynchronous action that a mutation has started. */
export const operation = z.looseObject({
  id: z.string(),
  project_id: z.string(),
  branch_id: z.string().optional(),
  endpoint_id: z.string().optional(),
  action: z.string(),
  status: z.string(),
  error: z.string().optional(),
  failures_count: z.number(),
  retry_at: timestamp.optional(),
  created_at: timestamp,
  updated_at: timestamp,
  total_duration_ms: z.number().optional(),
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
  /** Newest first. */
  list: (projectId: string): PagedRequest<Operation, z.infer<typeof operationPage>> => ({
    method: "GET",
    path: path`/projects/${projectId}/operations`,
    schema: operationPage,
    items: (page) => page.operations,
    cursor: (page) => page.pagination?.cursor,
    maxPageSize: 1000,
  }),
};
