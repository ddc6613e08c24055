import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Did, Message } from "./refactoring/engine";

/** A line of the CLI's event log, as far as it is read here. */
interface Event {
  readonly resourcePreEvent?: StepEvent;
  readonly resOutputsEvent?: StepEvent;
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string };
}

interface StepEvent {
  readonly metadata: { readonly op: string; readonly urn: string };
}

/** What the CLI reports about a run. */
export interface Reported {
  /** The steps of each resource that were started, and those that have succeeded, by URN. */
  readonly started: ReadonlyMap<string, readonly string[]>;
  readonly ended: ReadonlyMap<string, readonly string[]>;
  readonly messages: readonly Message[];
}

/** Runs a command with flags that make the CLI write its events to a folder, and reads them. */
export async function reportedBy<Result>(
  folder: string,
  run: (flags: readonly string[]) => Promise<Result>,
): Promise<Result & Reported> {
  const log = join(folder, "events.json");
  rmSync(log, { force: true });
  const result = await run(["--event-log", log]);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  const events = lines.map((line) => JSON.parse(line) as Event);
  return {
    ...result,
    started: opsIn(events.map(({ resourcePreEvent }) => resourcePreEvent)),
    ended: opsIn(events.map(({ resOutputsEvent }) => resOutputsEvent)),
    messages: events.flatMap(messageOf),
  };
}

function opsIn(events: readonly (StepEvent | undefined)[]): ReadonlyMap<string, readonly string[]> {
  const ops = new Map<string, string[]>();
  for (const event of events) {
    if (event === undefined) continue;
    const { urn, op } = event.metadata;
    ops.set(urn, [...(ops.get(urn) ?? []), op]);
  }
  return ops;
}

function messageOf({ diagnosticEvent }: Event): Message[] {
  const { urn = "", severity, message = "" } = diagnosticEvent ?? {};
  if (severity !== "warning" && severity !== "error") return [];
  return [{ is: severity, urn, text: message.replaceAll(/<\{%[^%]*%\}>/g, "").trim() }];
}

/** The engine's names of its steps, by what they do with the resource. A replacement has several steps. */
const steps: readonly (readonly [did: Did, ops: readonly string[]])[] = [
  ["replace", ["replace", "create-replacement"]],
  ["update", ["update"]],
  ["create", ["create", "import"]],
  ["read", ["read", "read-replacement"]],
  ["same", ["same"]],
  ["replace", ["delete-replaced"]],
  ["delete", ["delete", "discard", "discard-replaced", "remove-pending-replace"]],
];

/** What a run does with a resource, according to the steps that it has started. */
export function stepOf(started: readonly string[]): Did | undefined {
  return steps.find(([, ops]) => ops.some((op) => started.includes(op)))?.[0];
}

/** What a refresh finds, according to the steps that have ended. */
export function findingOf([first = ""]: readonly string[]): "same" | "update" | "gone" | undefined {
  return ({ same: "same", refresh: "same", update: "update", delete: "gone" } as const)[first];
}
