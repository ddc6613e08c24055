import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Step } from "../support/engine";
import { type CliResult, type Stack, unattended } from "../support/stack";

/** The step of a command for a resource, or the finding of a refresh. */
export type Did = Step | "delete" | "read" | "gone";

export interface Message {
  readonly is: "warning" | "error";
  /** The URN of the resource that the message is about; empty for the stack. */
  readonly urn: string;
  readonly text: string;
}

/** A command of the CLI, with what its events report. */
export interface Ran extends CliResult {
  readonly ended: "well" | "badly";
  /** The steps by the logical name of this package's resources. */
  readonly did: Readonly<Record<string, Did>>;
  readonly messages: readonly Message[];
}

/** A line of the CLI's event log, as far as it is read here. */
interface Event {
  readonly resourcePreEvent?: StepEvent;
  readonly resOutputsEvent?: StepEvent;
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string };
}

interface StepEvent {
  readonly metadata: { readonly op: string; readonly urn: string };
}

/** Runs a command, and reads its events. */
export async function reported(stack: Stack, args: readonly string[]): Promise<Ran> {
  const log = join(stack.folder, "events.json");
  rmSync(log, { force: true });
  // Without it, the CLI does not accept `--event-log`.
  stack.environment["PULUMI_DEBUG_COMMANDS"] = "true";
  const result = await stack.run([...args, "--event-log", log]);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  const events = lines.map((line) => JSON.parse(line) as Event);
  const did =
    args[0] === "refresh"
      ? didBy(opsIn(events.map(({ resOutputsEvent }) => resOutputsEvent)), findingOf)
      : didBy(opsIn(events.map(({ resourcePreEvent }) => resourcePreEvent)), stepOf);
  return { ...result, ended: result.code === 0 ? "well" : "badly", did, messages: events.flatMap(messageOf) };
}

/** Previews and makes a change, and asserts that both take these steps for resources, and none for others. */
export async function changes(
  stack: Stack,
  expected: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<void> {
  for (const command of [["preview"], ["up", ...unattended]]) {
    const { code, text, did } = await reported(stack, [...command, ...flags]);
    assert.equal(code, 0, text);
    const changed = Object.entries(did).filter(([, step]) => step !== "same" && step !== "read");
    assert.deepEqual(Object.fromEntries(changed), expected, `pulumi ${command[0] ?? ""}`);
  }
}

/** Whether a URN is that of a resource of this package, through any door. */
export function isOurs(urn: string): boolean {
  return /[/:$]neon:(?:index:)?\w+::/.test(urn);
}

export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
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

function didBy(
  ops: ReadonlyMap<string, readonly string[]>,
  didOf: (ops: readonly string[]) => Did | undefined,
): Record<string, Did> {
  const did: Record<string, Did> = {};
  for (const [urn, own] of ops) {
    const found = isOurs(urn) ? didOf(own) : undefined;
    const name = nameIn(urn);
    // A resource that moves to another parent is two resources of one name.
    if (found !== undefined && (did[name] === undefined || found === "delete")) did[name] = found;
  }
  return did;
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

function stepOf(started: readonly string[]): Did | undefined {
  return steps.find(([, ops]) => ops.some((op) => started.includes(op)))?.[0];
}

function findingOf([first = ""]: readonly string[]): Did | undefined {
  return ({ same: "same", refresh: "same", update: "update", delete: "gone" } as const)[first];
}

function messageOf({ diagnosticEvent }: Event): Message[] {
  const { urn = "", severity, message = "" } = diagnosticEvent ?? {};
  if (severity !== "warning" && severity !== "error") return [];
  return [{ is: severity, urn, text: message.replaceAll(/<\{%[^%]*%\}>/g, "").trim() }];
}
