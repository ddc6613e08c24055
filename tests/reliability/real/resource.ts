import assert from "node:assert/strict";

import type { KindName } from "../../../provider/frozen-entry";
import { typeToken } from "../../../sdk/door";
import { CallError, type Values } from "../../support/provider-server";
import type { Managed, Seen, Step, Stored } from "../../support/managed";
import type { Stack, StoredResource } from "../../support/stack";
import { findingOf, reportedBy, stepOf, type Reported } from "../cli-events";

type Command = Parameters<Stack["attempt"]>[0];

/** The only resource of a program that the real CLI runs: each command is a process of its own. */
export class RealResource implements Managed {
  did: Managed["did"];
  readonly #stack: Stack;
  readonly #kind: KindName;
  readonly #name: string;
  #messages: Reported["messages"] = [];

  constructor(stack: Stack, kind: KindName, name: string) {
    this.#stack = stack;
    this.#kind = kind;
    this.#name = name;
  }

  get urn(): string {
    return this.#stack.urn(typeToken(this.#kind), this.#name);
  }

  said(is: "warning"): readonly string[] {
    return this.#messages.filter((one) => one.is === is && one.urn === this.urn).map(({ text }) => text);
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
    const done = await this.#run("up", ({ started }) => stepOf(started.get(this.urn) ?? []) as Step | undefined);
    assert.ok(done, "pulumi up has done nothing with the resource");
    return done;
  }

  async refresh(): Promise<Seen> {
    const seen = await this.#run("refresh", ({ ended }) => {
      const found = findingOf(ended.get(this.urn) ?? []);
      return found === "update" ? "changed" : found;
    });
    assert.ok(seen, "pulumi refresh has not read the resource");
    return seen;
  }

  async destroy(): Promise<void> {
    await this.#run("destroy", () => "delete" as const);
  }

  get #stored(): readonly StoredResource[] {
    return this.#stack.everyResource().filter(({ urn }) => urn === this.urn);
  }

  async #run<Done extends Managed["did"]>(
    command: Command,
    doneBy: (reported: Reported) => Done | undefined,
  ): Promise<Done | undefined> {
    // Not in the folder that Pulumi keeps: the events of its Node SDK show the outputs in plain text.
    const attempt = (flags: readonly string[]) => this.#stack.attempt(command, ...flags);
    const { code, text, ...reported } = await reportedBy(this.#stack.folder, attempt);
    this.#messages = [...this.#messages, ...reported.messages];
    const done = doneBy(reported);
    this.did = done;
    if (code === 0) return done;
    const errors = reported.messages.filter(({ is, urn }) => is === "error" && urn === this.urn);
    if (errors.length === 0) throw new Error(`pulumi ${command} failed:\n${text}`);
    throw new CallError(errors.map((error) => error.text).join("\n"), undefined);
  }
}
