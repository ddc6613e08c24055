import { z } from "zod";

import { path, request } from "../core/request";
import { instant, timestamp } from "./wire";

/** The query that selects lines of the log of a branch. */
export const logQuery = z.object({
  since: z
    .string()
    .regex(/^[1-9]\d{0,8}(ms|s|m|h|d)$/, 'must be a duration such as "30m"')
    .optional()
    .describe("Length of the time to read, up to `endTime`, such as `30m`. At most `7d`. Conflicts with `startTime`."),
  start_time: instant.optional().describe("Start of the time to read. Conflicts with `since`."),
  end_time: instant.optional().describe("End of the time to read, exclusive. Default: now."),
  limit: z.int().min(1).max(1000).optional().describe("Number of lines to read, at most 1000. Default: 100."),
  source: z.enum(["function", "storage", "pg_endpoint"]).optional(),
  service_name: z.string().optional(),
  scope_name: z.string().optional(),
  severity_text: z.string().optional().describe("Reads lines of exactly this severity only, such as `error`."),
  body_contains: z
    .string()
    .optional()
    .describe("Reads lines that contain this text only. Upper and lower case differ."),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be 32 lower-case hex digits")
    .optional()
    .describe("Reads lines of the request with this trace id only."),
});
export type LogQuery = z.infer<typeof logQuery>;

/** A line of the log of a branch. */
export const logRecord = z.looseObject({
  timestamp: timestamp.describe("Time of the line (ISO 8601, UTC)."),
  message: z.string().describe("Text of the line."),
  scope_name: z
    .string()
    .optional()
    .describe(
      "Origin of the line. It ends with `app` for what the code writes, with `request` for the begin and end of a request.",
    ),
  severity_text: z.string().optional().describe("Severity, such as `info` or `error`."),
  trace_id: z.string().optional().meta({ description: "Id of the request.", absent: "outside of a request" }),
});
export type LogRecord = z.infer<typeof logRecord>;

const logPage = z.looseObject({ logs: z.array(logRecord), is_truncated: z.boolean() });

/** Requests for the log of a branch. */
export const logs = {
  /** Reads one page, the newest lines first. Neon uses POST so that the filters are in the body. */
  query: (projectId: string, branchId: string, body: LogQuery) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/logs/query`, logPage, {
      body,
      changesNothing: true,
    }),
};
