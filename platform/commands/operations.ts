import type { Command } from "commander";
import { z } from "zod";

import { durationText } from "../pulumi-run/scale";
import { ask, findPlatform, type Target, withTarget } from "./running-platform";

interface OperationsOptions extends Target {
  readonly follow?: true;
}

const operation = z.object({
  id: z.string(),
  project: z.string(),
  branch: z.string().optional(),
  action: z.string(),
  label: z.string(),
  error: z.string().optional(),
  createdAt: z.number(),
  startedAt: z.number().optional(),
  milliseconds: z.number(),
  isEnded: z.boolean(),
});
type Operation = z.infer<typeof operation>;

const list = z.object({ operations: z.array(operation) });
const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("operations"), rows: z.array(operation) }),
]);

const actionWidth = 24;
const labelWidth = 12;
const durationWidth = 8;

/** `neon-platform operations` */
export function addOperationsCommand(program: Command): void {
  withTarget(program.command("operations"))
    .description("list the latest operations of a running platform")
    .option("-f, --follow", "keep printing changes of operations")
    .action(async (options: OperationsOptions) => {
      const { consoleUrl } = await findPlatform(options);
      await (options.follow ? follow(consoleUrl) : printLatest(consoleUrl));
    });
}

async function printLatest(consoleUrl: string): Promise<void> {
  const { operations } = list.parse(await ask(consoleUrl, "/console/operations"));
  for (const each of operations.toReversed()) print(each);
}

/** Prints the latest operations, and then those that the stream of the console sends, until the platform ends. */
async function follow(consoleUrl: string): Promise<void> {
  const response = await fetch(new URL("/console/events", consoleUrl));
  if (!response.ok || !response.body) throw new Error(`the platform answers HTTP ${response.status}`);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const parsed = line.startsWith("data: ") ? message.safeParse(JSON.parse(line.slice(6))) : undefined;
      // The stream sends every change after this message, so nothing is missed.
      if (parsed?.data?.type === "hello") await printLatest(consoleUrl);
      if (parsed?.data?.type === "operations") for (const each of parsed.data.rows) print(each);
    }
  }
  throw new Error("the platform has ended");
}

function print({ action, label, project, branch, createdAt, milliseconds, isEnded, error }: Operation): void {
  const time = new Date(createdAt).toISOString().slice(11, 23);
  const duration = isEnded ? durationText(milliseconds) : "";
  const columns = [
    time,
    action.padEnd(actionWidth),
    label.padEnd(labelWidth),
    duration.padStart(durationWidth),
    `${project}${branch === undefined ? "" : ` / ${branch}`}`,
  ];
  process.stdout.write(`${columns.join("  ")}${error === undefined ? "" : `\n  ${error}`}\n`);
}
