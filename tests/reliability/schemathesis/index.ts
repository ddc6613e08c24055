import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { messageOf } from "../../../api/core/errors";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { routes } from "../../../platform/routes/index";
import { table } from "../../support/markdown";
import { publishedDocument, publishedRoutes } from "../../support/openapi";
import { withPlatformProcess } from "../../support/platform-process";
import type { Campaign, Findings } from "../campaign";
import { run, schemathesis, version } from "./environment";
import { readReport } from "./report";

const examples = 20;
const leastSeconds = 30;
/** After its time, it still shrinks its counterexamples and writes its report. */
const graceMs = 120_000;
/** How many mebibytes the platform may grow, including the created objects. */
const mostGrowth = 400;

/** Cases that schemathesis derives from the published document, for all routes that are served. */
export const schemathesisCampaign: Campaign = {
  name: "schemathesis",
  title: "Requests generated from the published OpenAPI document",
  share: 1,
  carryOut: async ({ seed, deadline, say }) => {
    let program: string;
    try {
      program = await schemathesis(say);
    } catch (error) {
      const problem = messageOf(error);
      say(problem);
      return { counts: { cases: 0 }, failures: [problem] };
    }
    const seconds = Math.max(leastSeconds, Math.floor((deadline - performance.now()) / 1000));
    const folder = mkdtempSync(join(tmpdir(), "neon-platform-schemathesis-"));
    const work = withPlatformProcess(["--operation-time", "0"], async ({ platform, memory }) => {
      const before = memory();
      const document = join(folder, "served.json");
      const events = join(folder, "events.ndjson");
      writeFileSync(document, JSON.stringify(publishedDocument(routes)));
      const args = [
        ...["--no-color", "run", document, "--url", platform.apiUrl, "-H", `Authorization: Bearer ${platform.apiKey}`],
        ...["--seed", String(seed), "--max-examples", String(examples), "--max-time", String(seconds)],
        ...["--checks", "all", "--continue-on-failure", "--no-shrink", "--generation-database", "none"],
        ...["--request-timeout", "20", "--report", "ndjson", "--report-ndjson-path", events],
      ];
      const { code, output } = await run(program, args, { timeoutMs: seconds * 1000 + graceMs, cwd: folder });
      // 1: a check has failed.
      if (code !== 0 && code !== 1)
        throw new Error(`schemathesis has ended with ${String(code)}:\n${output.slice(-2_000)}`);
      const findings = await found(events, memory() - before);
      for (const failure of findings.failures) say(`${failure}\n(seed ${seed})`);
      return findings;
    });
    return work.finally(() => rmSync(folder, { recursive: true, force: true }));
  },
};

async function found(events: string, growth: number): Promise<Findings> {
  const { cases, checks, operations, fulfilled, readings, failures } = await readReport(events);
  const deliberate = [...readings].sort(([, one], [, other]) => other - one);
  return {
    counts: {
      operations: publishedRoutes().filter((route) => operations.has(route)).length,
      "operations that were also fulfilled": fulfilled.size,
      cases,
      checks,
      "objections explained by a reading": deliberate.reduce((sum, [, count]) => sum + count, 0),
    },
    failures: [...failures, ...(growth > mostGrowth ? [`the platform has grown by ${growth.toFixed(0)} MiB`] : [])],
    details: [
      `schemathesis ${version}; the platform's process has grown by ${growth.toFixed(0)} MiB. Where the platform`,
      "deliberately answers otherwise than a check expects:\n",
      table(["Reading", "Times"], deliberate),
    ].join("\n"),
  };
}
