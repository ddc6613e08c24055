import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { KindName } from "../../../provider/v1";
import { typeToken } from "../../../sdk/resource";
import { CallError, type Values } from "../../support/dynamic-server";
import type { Managed, Seen, Step, Stored } from "../../support/managed";
import type { Stack, StoredResource } from "../../support/stack";

type Command = Parameters<Stack["attempt"]>[0];

/** One line of what the CLI writes down of a run, as far as it matters here. */
interface Event {
  readonly resourcePreEvent?: StepEvent;
  readonly resOutputsEvent?: StepEvent;
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string };
}

interface StepEvent {
  readonly metadata: { readonly op: string; readonly urn: string };
}

/** The only resource of a program, led through its life by the real CLI: each command is a process of its own. */
export class RealResource implements Managed {
  did: Managed["did"];
  readonly #stack: Stack;
  readonly #kind: KindName;
  readonly #name: string;

  constructor(stack: Stack, kind: KindName, name: string) {
    this.#stack = stack;
    this.#kind = kind;
    this.#name = name;
  }

  get urn(): string {
    return this.#stack.urn(typeToken(this.#kind), this.#name);
  }

  get journal(): string {
    return this.#stack.journal;
  }

  get state(): Stored | undefined {
    const found = this.#stored.find((one) => one.delete !== true);
    return (
      found && { id: found.id ?? "", inputs: found.inputs, outputs: found.outputs, failed: found.initErrors ?? [] }
    );
  }

  get outputs(): Values {
    const { state } = this;
    assert.ok(state, `${this.#name} is not in the state`);
    return state.outputs;
  }

  get replaced(): readonly StoredResource[] {
    return this.#stored.filter((one) => one.delete === true);
  }

  get isPendingReplacement(): boolean {
    return this.#stored.some((one) => one.pendingReplacement === true);
  }

  async up(program: Values): Promise<Step> {
    this.#stack.write(`new neon.${this.#kind}(${JSON.stringify(this.#name)}, ${JSON.stringify(program)});\n`);
    const done = await this.#run("up", stepOf);
    assert.ok(done, "pulumi up has done nothing with the resource");
    return done;
  }

  async refresh(): Promise<Seen> {
    const seen = await this.#run("refresh", (_, ended) => seenAs.get(ended[0] ?? ""));
    assert.ok(seen, "pulumi refresh has not looked at the resource");
    return seen;
  }

  async destroy(): Promise<void> {
    await this.#run("destroy", () => "delete" as const);
  }

  get #stored(): readonly StoredResource[] {
    return this.#stack.everyResource().filter(({ urn }) => urn === this.urn);
  }

  /** Runs a command; what has been done is told by the steps that were begun, and those that have ended well. */
  async #run<Done extends Managed["did"]>(
    command: Command,
    doneBy: (begun: readonly string[], ended: readonly string[]) => Done | undefined,
  ): Promise<Done | undefined> {
    // Not among what Pulumi keeps: the events of its Node SDK show the outputs as they are.
    const log = join(this.#stack.folder, "events.json");
    rmSync(log, { force: true });
    const { code, text } = await this.#stack.attempt(command, "--event-log", log);
    const events = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    const told = events.map((line) => JSON.parse(line) as Event);
    const opsOf = (steps: readonly (StepEvent | undefined)[]): string[] =>
      steps.flatMap((step) => (step?.metadata.urn === this.urn ? [step.metadata.op] : []));
    const done = doneBy(
      opsOf(told.map(({ resourcePreEvent }) => resourcePreEvent)),
      opsOf(told.map(({ resOutputsEvent }) => resOutputsEvent)),
    );
    this.did = done;
    if (code === 0) return done;
    const errors = told.flatMap(({ diagnosticEvent: said }) =>
      said?.urn === this.urn && said.severity === "error" ? [said.message.replaceAll(/<\{%[^%]*%\}>/g, "")] : [],
    );
    if (errors.length === 0) throw new Error(`pulumi ${command} ended badly:\n${text}`);
    throw new CallError(errors.join("\n").trim(), undefined);
  }
}

/** What the engine calls its steps, by what the resource has gone through; one replacement has several. */
const steps: readonly (readonly [is: Step, ops: readonly string[]])[] = [
  ["replace", ["replace", "create-replacement"]],
  ["update", ["update"]],
  ["create", ["create"]],
  ["same", ["same"]],
  ["replace", ["delete-replaced"]],
];

function stepOf(begun: readonly string[]): Step | undefined {
  return steps.find(([, ops]) => ops.some((op) => begun.includes(op)))?.[0];
}

/** What a refresh says once it has read the resource. */
const seenAs: ReadonlyMap<string, Seen> = new Map([
  ["same", "same"],
  ["update", "changed"],
  ["delete", "gone"],
]);
