import { z } from "zod";

import { toWire } from "../core/camel-case";
import { together } from "../core/together";
import { functions } from "../schemas/function";
import { logQuery, logRecord, logs } from "../schemas/log";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const { since, start_time, end_time, severity_text, body_contains, trace_id, limit } = logQuery.shape;

/** The latest lines of the log of a function. */
export const getFunctionLog = lookup("getFunctionLog", () => ({
  args: {
    ...ofBranch,
    slug: z.string().min(1).describe("Slug of the function."),
    since: since.describe(`${since.description ?? ""} Default: \`1h\`.`),
    startTime: start_time,
    endTime: end_time,
    scope: z
      .enum(["app", "request"])
      .optional()
      .describe(
        "Reads only what the code writes (`app`), or only the begin and end of requests (`request`). Default: both.",
      ),
    severityText: severity_text,
    bodyContains: body_contains,
    traceId: trace_id,
    limit,
  },
  exclusive: [["since", "startTime"]],
  result: resultOf(
    z.looseObject({
      lines: z
        .array(logRecord.meta({ title: "FunctionLogLine", description: "A line of the log of a function." }))
        .describe("Lines, the newest first."),
      is_truncated: z.boolean().describe("Whether there are more lines than the result has."),
    }),
    "FunctionLogResult",
    "Lines of the log of a function.",
  ),
  reads: ["Function", "Trigger"],
  explanations: {
    404: "Check the branch and the slug. If the reason is `telemetry_not_enabled`, Neon keeps no logs of this branch.",
  },
  read: async ({ client }, { projectId, branchId, slug, scope, ...query }) => {
    // The log of a function that does not exist is empty, and not an error.
    const [, page] = await together([
      client.send(functions.get(projectId, branchId, slug)),
      client.send(
        logs.query(projectId, branchId, {
          ...toWire(query),
          source: "function",
          service_name: `neon-function/${slug}`,
          scope_name: scope && `neon.function.${scope}`,
        }),
      ),
    ]);
    return { lines: page.logs, is_truncated: page.is_truncated };
  },
}));
