import type { Command } from "commander";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { systemClock } from "../clock";
import { recordedRuns } from "../http/recorded-runs";
import { readRunJournal, runJournalName } from "../http/run-journal";
import { openTables } from "../model/tables";
import { readRunningFile } from "../storage/running-file";
import { Store } from "../storage/store";
import { findRun } from "../pulumi-run/build";
import type { Run } from "../pulumi-run/run";
import { durationText } from "../pulumi-run/scale";
import { ratio, timelineSvg } from "../pulumi-run/svg";
import { assertDataFolder } from "./data-folder";
import { ask, findPlatform, type Target, withTarget } from "./running-platform";

interface TimelineOptions extends Target {
  readonly run?: string;
  readonly out?: string;
}

/** The necessary members of an answer. This release of the platform has sent it, so the rest is known. */
const answer = z.looseObject({ id: z.string(), lanes: z.array(z.unknown()) });

/** `neon-platform timeline` */
export function addTimelineCommand(program: Command): void {
  withTarget(program.command("timeline"))
    .description("show where the time of a run of Pulumi went; with --data, the platform may be stopped")
    .option(
      "--run <id>",
      "id of the run, as in the address of the console (default: the latest that created or changed something)",
    )
    .option("--out <file>", "write a picture (.svg)")
    .action(async (options: TimelineOptions) => {
      const run = await readRun(options);
      if (options.out !== undefined) writeFileSync(options.out, timelineSvg(run));
      process.stdout.write(`${printedRun(run)}\n`);
    });
}

/** Reads a run from a running platform, or from the data folder of a stopped one. */
async function readRun(options: TimelineOptions): Promise<Run> {
  const { data, run } = options;
  if (data === undefined || (await isRunning(options))) {
    const { consoleUrl } = await findPlatform(options);
    const query = run === undefined ? "" : `?run=${encodeURIComponent(run)}`;
    return answer.parse(await ask(consoleUrl, `/local/timeline${query}`)) as unknown as Run;
  }
  assertDataFolder(data);
  const store = new Store(data);
  try {
    const requests = readRunJournal(join(data, runJournalName));
    const found = findRun(recordedRuns({ tables: openTables(store), clock: systemClock }, requests), run);
    if (!found)
      throw new Error(`no run of Pulumi${run === undefined ? "" : ` with the id ${run}`} is recorded in ${data}`);
    return found;
  } finally {
    store.close();
  }
}

async function isRunning(target: Target): Promise<boolean> {
  if (target.data === undefined || readRunningFile(target.data) === undefined) return false;
  return await findPlatform(target).then(
    () => true,
    () => false,
  );
}

/** A run in a terminal: its totals, and a line for each object, with the time that its operations took. */
function printedRun({ id, title, totals, lanes }: Run): string {
  const rows = lanes
    .map(({ kind, name, spans }) => {
      const sum = (wanted: string): number =>
        spans.filter((span) => span.kind === wanted).reduce((total, { from, to }) => total + to - from, 0);
      return { label: `${kind} ${name}`, operations: sum("operation"), waits: sum("wait") };
    })
    .filter(({ operations, waits }) => operations + waits > 0);
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  return [
    `Run ${id}: ${title}`,
    `${durationText(totals.wallMs)} in all; ${totals.operations} operations took ${durationText(totals.operationMs)} ` +
      `(${ratio(totals.operationMs, totals.wallMs)} of the time); ${totals.requests} requests`,
    ...rows.map(
      ({ label, operations, waits }) =>
        `  ${label.padEnd(width)}  ${durationText(operations).padStart(8)}` +
        (waits > 0 ? `  after waiting ${durationText(waits)}` : ""),
    ),
  ].join("\n");
}
