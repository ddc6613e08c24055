import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import type { KindName } from "../../provider/kinds";
import { providerText } from "../../sdk/provider-text";
import { CallError, type DynamicServer, unknownText, type Values } from "./dynamic-server";
import { journalIn } from "./journal";
import type { Managed, Seen, Step, Stored } from "./managed";

/** What the engine makes of a provider's `diff`. */
export interface Plan {
  readonly step: Step;
  /** The provider's own answer; `undefined` leaves it to the engine to compare the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The inputs were refused, so that nothing was done. */
export class CheckError extends Error {
  constructor(readonly failures: readonly { readonly property: string; readonly reason: string }[]) {
    super(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  }
}

/** What the constructor of a resource class adds to a program's arguments. */
export interface ResourceOptions {
  readonly timeouts?: Readonly<Partial<Record<"create" | "update" | "delete", string>>>;
  /** Default: one made of the kind and the name. */
  readonly urn?: string;
  /** Whether an object that was replaced is deleted only by `deleteReplaced`: what depends on it is updated before. */
  readonly deletesLater?: true;
  /** The organization of the stack. Default: not known, as with a backend without organizations. */
  readonly organization?: string;
  /** The run was started with `--replace`, or the resource is tainted: the engine does not ask for a diff. */
  readonly replace?: boolean;
  readonly ignoreChanges?: readonly string[] | undefined;
  readonly replaceOnChanges?: readonly string[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
}

/** The URN of a resource of this name. */
export function urnOf(kind: KindName, name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/neon:${kind}::${name}`;
}

/**
 * The lifecycle of one resource in the engine: the order of calls, and what is stored after each, are those of
 * the real one.
 */
export class EngineResource implements Managed {
  state: Stored | undefined;
  /** Objects that were replaced and are still to be deleted. */
  replaced: Stored[] = [];
  /** Whether the object in the state has been deleted already, and its replacement is still to be made. */
  isPendingReplacement = false;
  /** What the last `up` planned. */
  plan: Plan | undefined;
  did: Managed["did"];
  server: DynamicServer;
  readonly kind: KindName;
  readonly name: string;

  readonly urn: string;

  constructor(server: DynamicServer, kind: KindName, name: string, urn: string = urnOf(kind, name)) {
    this.server = server;
    this.kind = kind;
    this.name = name;
    this.urn = urn;
  }

  get journal(): string {
    return journalIn(this.server.home);
  }

  get id(): string {
    return this.present.id;
  }

  get outputs(): Values {
    return this.present.outputs;
  }

  /** The outputs that belong to the kind, without those of the engine and of the lifecycle. */
  get ownOutputs(): Values {
    return Object.fromEntries(Object.entries(this.outputs).filter(([name]) => !name.startsWith("__")));
  }

  get present(): Stored {
    assert.ok(this.state, `${this.name} is not in the state`);
    return this.state;
  }

  /** What the provider has said so far at the resource. */
  said(is: "progress" | "warning"): string[] {
    return this.server.lines.filter((line) => line.urn === this.urn && line.is === is).map(({ text }) => text);
  }

  /** The first warning that the provider has given. */
  get warning(): string {
    const [text] = this.said("warning");
    assert.ok(text !== undefined, `there was no warning at ${this.name}`);
    return text;
  }

  /** Judges the program's arguments as a preview does; they may hold unknown values. */
  async preview(args: Values, options: ResourceOptions = {}): Promise<Plan & { readonly inputs: Values }> {
    const old = this.state;
    if (old !== undefined && options.replace === true) {
      const inputs = await this.#check({}, args, options);
      const deleteBeforeReplace = options.deleteBeforeReplace ?? false;
      return { step: "replace", changes: true, replaces: ["id"], deleteBeforeReplace, inputs };
    }
    const kept = old === undefined ? args : ignored(args, old.inputs, options.ignoreChanges);
    const inputs = await this.#check(old?.inputs ?? {}, kept, options);
    return { ...(await this.#planned(inputs, options)), inputs };
  }

  /** Brings the resource to what the program says. A failure is stored as the engine stores it, then thrown. */
  async up(args: Values, options: ResourceOptions = {}): Promise<Step> {
    this.did = undefined;
    const { inputs, ...plan } = await this.preview(args, options);
    this.plan = plan;
    this.did = plan.step;
    switch (plan.step) {
      case "create":
        await this.#create(inputs);
        break;
      case "same":
        // The inputs take the new value, the outputs keep the old one.
        this.state = { ...this.present, inputs };
        break;
      case "update":
        await this.#update(inputs);
        break;
      case "replace": {
        // What `check` filled in for the old object is not carried over to the new one.
        const fresh = options.replace === true ? inputs : await this.#check({}, args, options);
        await this.#replace(fresh, plan.deleteBeforeReplace || this.isPendingReplacement);
        break;
      }
      default:
        return plan.step satisfies never;
    }
    const { retainOnDelete: _, ...state } = this.present;
    this.state = options.retainOnDelete === true ? { ...state, retainOnDelete: true } : state;
    if (options.deletesLater !== true) await this.deleteReplaced();
    return plan.step;
  }

  /** Reads the resource into the state, and answers what the CLI would show. */
  async refresh(): Promise<Seen> {
    this.did = undefined;
    this.did = await this.#refreshed();
    return this.did;
  }

  /** Deletes what was replaced, which the engine does when everything else is done. */
  async deleteReplaced(): Promise<void> {
    for (const old of [...this.replaced]) {
      await this.#delete(old);
      this.replaced.shift();
    }
  }

  async destroy(): Promise<void> {
    this.did = "delete";
    await this.deleteReplaced();
    if (!this.isPendingReplacement) await this.#delete(this.present);
    this.isPendingReplacement = false;
    this.state = undefined;
  }

  async #delete({ id, outputs, retainOnDelete }: Stored): Promise<void> {
    if (retainOnDelete !== true) await this.server.delete(this.kind, id, outputs);
  }

  async #refreshed(): Promise<Seen> {
    const old = this.present;
    const read = await this.server.read(this.kind, old.id, old.outputs);
    if (read.id === "") {
      this.state = undefined;
      return "gone";
    }
    this.state = { ...old, id: read.id, inputs: read.inputs, outputs: read.outputs, failed: [] };
    // The engine asks what an `up` of the same program would find to do now.
    const { changes } = await this.server.diff(this.kind, read.id, read.outputs, old.inputs);
    return (changes ?? !isDeepStrictEqual(read.inputs, old.inputs)) ? "changed" : "same";
  }

  async #check(olds: Values, args: Values, options: ResourceOptions): Promise<Values> {
    const { timeouts, organization, retainOnDelete, urn = this.urn } = options;
    const hidden = {
      urn,
      ...(organization === undefined ? {} : { organization }),
      ...(timeouts === undefined ? {} : { timeouts }),
      ...(retainOnDelete === true ? { isRetained: true } : {}),
    };
    const { inputs, failures } = await this.server.check(this.kind, olds, { ...args, __neon: hidden });
    if (failures.length === 0) return inputs;
    // Outside a preview the engine refuses a value that it does not know, before it looks at the failures.
    const unknown = Object.keys(inputs).find((name) => inputs[name] === unknownText && args[name] !== unknownText);
    assert.equal(unknown, undefined, "unexpected unknown property value");
    throw new CheckError(failures);
  }

  async #planned(inputs: Values, { replaceOnChanges = [], deleteBeforeReplace }: ResourceOptions): Promise<Plan> {
    const old = this.state;
    if (old === undefined) return { step: "create", changes: undefined, replaces: [], deleteBeforeReplace: false };
    const answer = await this.server.diff(this.kind, old.id, old.outputs, inputs);
    const differs = answer.changes ?? !isDeepStrictEqual(inputs, old.inputs);
    // Which inputs have changed the engine finds out only where the provider leaves that to it.
    const changed = answer.changes === undefined ? changedInputs(old.inputs, inputs) : [];
    const diff = {
      ...answer,
      replaces: [
        ...answer.replaces,
        ...changed.filter((name) => replaceOnChanges.some((one) => one === name || one === "*")),
      ],
      deleteBeforeReplace: deleteBeforeReplace ?? answer.deleteBeforeReplace,
    };
    if ((differs && diff.replaces.length > 0) || this.isPendingReplacement) return { step: "replace", ...diff };
    // A resource whose last step failed is updated whatever the difference, to go on with that step.
    return { step: differs || old.failed.length > 0 ? "update" : "same", ...diff };
  }

  async #create(inputs: Values): Promise<void> {
    try {
      const { id, outputs } = await this.server.create(this.kind, inputs);
      this.state = { id, inputs, outputs, failed: [] };
    } catch (error) {
      if (isPartial(error)) this.state = { ...this.#stored(error), inputs };
      throw error;
    }
  }

  async #replace(inputs: Values, deleteFirst: boolean): Promise<void> {
    const old = this.present;
    if (deleteFirst && !this.isPendingReplacement) {
      await this.#delete(old);
      this.isPendingReplacement = true;
    }
    try {
      await this.#create(inputs);
    } finally {
      // A replacement that was not made leaves the state as it was.
      if (this.present !== old) {
        if (!deleteFirst) this.replaced.push(old);
        this.isPendingReplacement = false;
      }
    }
  }

  async #update(inputs: Values): Promise<void> {
    const { id, outputs: olds, inputs: oldInputs } = this.present;
    try {
      const outputs = await this.server.update(this.kind, id, olds, inputs);
      this.state = { id, inputs, outputs, failed: [] };
    } catch (error) {
      if (isPartial(error)) {
        const stored = this.#stored(error);
        assert.equal(stored.id, id, "an update cannot change the id");
        this.state = { ...stored, inputs: oldInputs };
      }
      throw error;
    }
  }

  /** What a partial failure leaves in the state; one that the engine could not go on from is a fault of its own. */
  #stored({ partial: { id, properties, reasons } }: PartialError): Omit<Stored, "inputs"> {
    assert.notEqual(id, "", "a partial failure needs the id");
    assert.equal(properties["__provider"], providerText(this.kind), "without its text nothing can be done with it");
    assert.ok(reasons.length > 0 && reasons.every((reason) => reason !== ""), "without reasons the message is lost");
    return { id, outputs: properties, failed: reasons };
  }
}

/** What a program says, with what is ignored in it as the state has it. */
function ignored(args: Values, old: Values, names: readonly string[] = []): Values {
  const kept = Object.entries(args).filter(([name]) => !names.includes(name));
  return Object.fromEntries([...kept, ...Object.entries(old).filter(([name]) => names.includes(name))]);
}

function changedInputs(old: Values, inputs: Values): string[] {
  const names = new Set([...Object.keys(old), ...Object.keys(inputs)]);
  return [...names].filter((name) => !isDeepStrictEqual(old[name], inputs[name]));
}

type PartialError = CallError & { readonly partial: NonNullable<CallError["partial"]> };

function isPartial(error: unknown): error is PartialError {
  return error instanceof CallError && error.partial !== undefined;
}
