import { z } from "zod";

import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { logFields, logFieldValues, queryLogs } from "../model/branches/log-query";
import { instant, wholeNumber } from "../published/values";

const logs = "/projects/:project_id/branches/:branch_id/logs";
const maxPageSize = 1000;

const range = {
  since: z
    .string()
    .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'must be a duration such as "30m"')
    .exactOptional(),
  start_time: instant.exactOptional(),
  end_time: instant.exactOptional(),
};
const source = z.enum(["function", "storage", "pg_endpoint"]);

const query = z.object({
  ...range,
  limit: z.int().min(1).max(maxPageSize).default(100),
  cursor: z.string().exactOptional(),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  logql: z.string().exactOptional(),
  source: source.exactOptional(),
  service_name: z.string().exactOptional(),
  scope_name: z.string().exactOptional(),
  minimum_severity: z.enum(["trace", "debug", "info", "warn", "error", "fatal"]).exactOptional(),
  severity_text: z.string().exactOptional(),
  body_contains: z.string().exactOptional(),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be 32 lower-case hex digits")
    .exactOptional(),
});

const valuesQuery = z.object({
  ...range,
  source: source.exactOptional(),
  limit: wholeNumber(1, maxPageSize).default(100),
});

const branchLogs = { ...branchMember, notFound: { reason: "branch_not_found" } } as const;

/** Only the newer of the two published documents has these. */
export const logPaths: ApiPaths = {
  [`${logs}/query`]: {
    POST: allow(
      { ...branchLogs, operationId: "queryProjectBranchLogs", body: query, isBodyOptional: true },
      ({ controlPlane, branch, body: { since, start_time, end_time, limit, cursor, sort_order, logql, ...filters } }) =>
        queryLogs(controlPlane, branch, { since, start_time, end_time, limit, cursor, sort_order, logql, filters }),
    ),
  },
  [`${logs}/fields`]: {
    GET: allow(branchLogs, ({ controlPlane, branch }) => ({ fields: logFields(controlPlane, branch) })),
  },
  [`${logs}/fields/:field_name/values`]: {
    GET: allow({ ...branchLogs, query: valuesQuery }, ({ controlPlane, branch, parameter, query: asked }) =>
      logFieldValues(controlPlane, branch, parameter("field_name"), asked),
    ),
  },
};
