import { createHash } from "node:crypto";
import { z } from "zod";

import { HttpError } from "../../http-error";
import { instant, wholeNumber } from "../../published/values";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";
import type { LogRecord } from "./branch-logs";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxRangeMs = 7 * dayMs;
const keptMs = 3 * dayMs;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: hourMs, d: dayMs };
const severities = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
/** The fields whose values clients can list. */
const fields = ["source", "entity_id", "service_name", "scope_name", "severity_text", "trace_id"] as const;

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

const logQuery = z.object({
  ...range,
  limit: z.int().min(1).max(maxPageSize).default(100),
  cursor: z.string().exactOptional(),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  logql: z.string().exactOptional(),
  source: source.exactOptional(),
  service_name: z.string().exactOptional(),
  scope_name: z.string().exactOptional(),
  minimum_severity: z.enum(severities).exactOptional(),
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

/** Only the newer of the two published documents has these routes. */
export const logPaths: ApiPaths = {
  [`${logs}/query`]: {
    POST: allow(
      { ...branchLogs, operationId: "queryProjectBranchLogs", body: logQuery, isBodyOptional: true },
      ({ controlPlane, branch, body }) => queryLogs(controlPlane, branch, body),
    ),
  },
  [`${logs}/fields`]: {
    GET: allow(branchLogs, ({ controlPlane, branch }) => ({ fields: logFields(controlPlane, branch) })),
  },
  [`${logs}/fields/:field_name/values`]: {
    GET: allow({ ...branchLogs, query: valuesQuery }, ({ controlPlane, branch, parameter, query }) =>
      logFieldValues(controlPlane, branch, parameter("field_name"), query),
    ),
  },
};

type LogRange = { readonly [Name in keyof typeof range]?: string | undefined };
type LogFilters = Partial<Record<(typeof fields)[number], string>> &
  Pick<z.infer<typeof logQuery>, "minimum_severity" | "body_contains">;
type Matches = (record: LogRecord) => boolean;

/** A page of the lines of a branch. */
function queryLogs(
  controlPlane: ControlPlane,
  branch: BranchRow,
  { since, start_time, end_time, limit, cursor, sort_order, logql, ...filters }: z.infer<typeof logQuery>,
) {
  if (logql !== undefined && Object.keys(filters).length > 0) {
    throw invalid("conflicting_filters", "logql excludes the other filters");
  }
  const matches = logql === undefined ? matching(filters) : matchingLogql(logql);
  const found = recordsIn(controlPlane, branch, { since, start_time, end_time }, hourMs).filter(matches);
  if (sort_order === "desc") found.reverse();
  // The times are left out: in a query that ends now, they differ from page to page.
  const same = createHash("sha256")
    .update(JSON.stringify([branch.id, sort_order, logql, filters]))
    .digest("base64url");
  const rest = found.slice(cursor === undefined ? 0 : positionAfter(found, cursor, same));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const isTruncated = rest.length > limit;
  return {
    logs: page.map(recordResponse),
    ...(isTruncated && last && { next_cursor: `${last.number}.${same}` }),
    is_truncated: isTruncated,
  } satisfies Answer<vendor.ProjectBranchLogsQueryResponse>;
}

/** The fields that the lines of a branch have. */
function logFields(controlPlane: ControlPlane, branch: BranchRow): string[] {
  const records = recordsIn(controlPlane, branch, {}, keptMs);
  return fields.filter((field) => records.some((record) => record[field] !== undefined));
}

/** The values of a field. @throws HttpError 400 if no line has it */
function logFieldValues(
  controlPlane: ControlPlane,
  branch: BranchRow,
  name: string,
  { source: from, limit, ...within }: z.infer<typeof valuesQuery>,
) {
  const field = fields.find((one) => one === name);
  if (field === undefined || !logFields(controlPlane, branch).includes(field)) {
    throw invalid("unknown_field", `there is no field "${name}"`);
  }
  const records = recordsIn(controlPlane, branch, within, 6 * hourMs).filter(
    matching(from === undefined ? {} : { source: from }),
  );
  const values = [...new Set(records.flatMap((record) => record[field] ?? []))].sort();
  return {
    values: values.slice(0, limit),
    is_truncated: values.length > limit,
  } satisfies Answer<vendor.ProjectBranchLogFieldValuesResponse>;
}

/** The lines of a branch in a range of time, oldest first. */
function recordsIn(
  { logs, clock }: ControlPlane,
  { id }: BranchRow,
  { since, start_time, end_time }: LogRange,
  usualMs: number,
): LogRecord[] {
  if (since !== undefined && start_time !== undefined) {
    throw invalid("conflicting_time_range", "since and start_time exclude each other");
  }
  const end = end_time === undefined ? clock.now() + 1 : Date.parse(end_time);
  const start =
    start_time === undefined ? end - (since === undefined ? usualMs : durationOf(since)) : Date.parse(start_time);
  if (end <= start) throw invalid("invalid_time_range", "end_time must be after start_time");
  if (end - start > maxRangeMs + 1) throw invalid("time_range_too_large", "the time range must be at most 7 days");
  const oldest = Math.max(start, clock.now() - keptMs);
  return logs.of(id).filter(({ at }) => at >= oldest && at < end);
}

function durationOf(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return Number(count) * (units[unit] ?? NaN);
}

function matching({ minimum_severity, body_contains, ...exact }: LogFilters): Matches {
  const least = minimum_severity === undefined ? 0 : severities.indexOf(minimum_severity);
  return (record) =>
    severities.indexOf(record.severity_text) >= least &&
    record.message.includes(body_contains ?? "") &&
    fields.every((field) => exact[field] === undefined || record[field] === exact[field]);
}

/** Parses the part of LogQL that the local platform knows: labels that are equal, and texts that a line contains or lacks. */
function matchingLogql(text: string): Matches {
  const [, labels = "", filters = ""] = /^\s*\{([^{}]*)\}((?:\s*(?:\|=|!=)\s*"[^"]*")*)\s*$/.exec(text) ?? [];
  const selected = labels.split(",").map((one) => /^\s*(\w+)\s*=\s*"([^"]*)"\s*$/.exec(one));
  if (labels === "" || selected.includes(null)) throw invalid("invalid_logql", "the expression cannot be parsed");
  const lines = [...filters.matchAll(/(\|=|!=)\s*"([^"]*)"/g)];
  return (record) =>
    selected.every((label) => String(record[label?.[1] as keyof LogRecord]) === label?.[2]) &&
    lines.every(([, operator, part = ""]) => record.message.includes(part) === (operator === "|="));
}

function positionAfter(found: readonly LogRecord[], cursor: string, same: string): number {
  const [number, of] = cursor.split(".");
  const position = of === same ? found.findIndex((record) => String(record.number) === number) : -1;
  if (position === -1) throw invalid("invalid_cursor", "the cursor is not one that this query has returned");
  return position + 1;
}

function recordResponse({ branch_id: _branch, at, number: _number, ...record }: LogRecord) {
  // OpenTelemetry has four numbers for each severity. This is the first one.
  const severity_number = severities.indexOf(record.severity_text) * 4 + 1;
  return {
    timestamp: new Date(at).toISOString(),
    ...record,
    severity_number,
    attributes: {},
  } satisfies Answer<vendor.ProjectBranchLogRecord>;
}

function invalid(reason: string, message: string): HttpError {
  return new HttpError(400, message, { body: { code: "", message, reason } });
}
