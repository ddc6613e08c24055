import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import type { DynamicKindName, KindName } from "../../provider/frozen-entry";
import type { HiddenInputs } from "../../provider/pulumi/properties";
import type { Path } from "../../provider/pulumi/wire";
import { providerText } from "../../sdk/provider-text";
import { withoutContents } from "./contents";
import { urnOf } from "./door";
import type { LogLine } from "./engine-log";
import {
  type About,
  CallError,
  type Diff,
  type ProviderServer,
  type Timeouts,
  unknownText,
  type Values,
} from "./provider-server";

/** The engine's plan for a resource, from the provider's `diff`. */
export interface Plan extends Diff {
  readonly step: Step;
}

const noDiff: Diff = { changes: undefined, replaces: [], deleteBeforeReplace: false, changed: [], detailed: {} };

/** `check` rejected the inputs, so nothing was done. */
export class CheckError extends Error {
  constructor(readonly failures: readonly { readonly property: string; readonly reason: string }[]) {
    super(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  }
}

/** Options of a resource, which its constructor adds to the arguments. */
export interface ResourceOptions {
  readonly timeouts?: Timeouts;
  /** Default: made from the kind and the name. */
  readonly urn?: string;
  /** Whether only `deleteReplaced` deletes a replaced object, so that dependents are updated first. */
  readonly deletesLater?: true;
  /** The organization of the stack. Default: unknown, as with a backend without organizations. */
  readonly organization?: string;
  /** Whether the run has `--replace`, or the resource is tainted: the engine then skips the diff. */
  readonly replace?: boolean;
  readonly ignoreChanges?: readonly string[] | undefined;
  readonly replaceOnChanges?: readonly string[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
  readonly protect?: boolean | undefined;
  /** Paths of the arguments that are secret. */
  readonly secrets?: readonly Path[];
  /** The unknown arguments that come from resources that are not replaced. */
  readonly unknownInputs?: HiddenInputs["unknownInputs"];
  /** The outputs that the program declares as secret. */
  readonly secretOutputs?: readonly string[];
  /** The paths of the members of unstored arguments that the program declares as secret. */
  readonly secretMembers?: readonly string[];
}

/** The step of an `up` for a resource. */
export type Step = "same" | "create" | "update" | "replace";

/** The result of a refresh. */
export type Seen = "gone" | "same" | "changed";

/** A resource as the state holds it. */
export interface Stored {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** The reasons why the last step failed halfway; empty if it succeeded. */
  readonly failed: readonly string[];
  /** The engine removes the resource from the state without deleting it. */
  readonly retainOnDelete?: true;
  /** The URN in the state. Default: that of the resource. */
  readonly urn?: string;
  readonly timeouts?: Timeouts | undefined;
  /** The paths of secrets in inputs and outputs. */
  readonly secrets?: readonly Path[];
}

/**
 * The lifecycle of one resource in the engine. The order of calls, and the state after each, are those of
 * the real one.
 */
export class EngineResource<Kind extends DynamicKindName = KindName> {
  state: Stored | undefined;
  /** Replaced objects that are not deleted yet. */
  replaced: Stored[] = [];
  /** Whether the object in the state is deleted, and its replacement is not created yet. */
  isPendingReplacement = false;
  /** The plan of the last `up`. */
  plan: Plan | undefined;
  /** The step of the last command, even if it failed; undefined if the command stopped before a step. */
  did: Step | Seen | "delete" | undefined;
  server: ProviderServer;
  readonly kind: Kind;
  readonly name: string;

  readonly urn: string;

  constructor(server: ProviderServer, kind: Kind, name: string, urn: string = urnOf(kind, name, server.door)) {
    this.server = server;
    this.kind = kind;
    this.name = name;
    this.urn = urn;
  }

  get id(): string {
    return this.present.id;
  }

  get outputs(): Values {
    return this.present.outputs;
  }

  /** The outputs of the kind, without those of the engine and of the lifecycle. */
  get ownOutputs(): Values {
    return Object.fromEntries(Object.entries(this.outputs).filter(([name]) => !name.startsWith("__")));
  }

  get present(): Stored {
    assert.ok(this.state, `${this.name} is not in the state`);
    return this.state;
  }

  /** The provider's messages about the resource so far. */
  said(is: LogLine["is"]): string[] {
    return this.server.lines.filter((line) => line.urn === this.urn && line.is === is).map(({ text }) => text);
  }

  /** The first warning of the provider. */
  get warning(): string {
    const [text] = this.said("warning");
    assert.ok(text !== undefined, `there was no warning at ${this.name}`);
    return text;
  }

  /** Plans a step as a preview does. The arguments may have unknown values. */
  async preview(args: Values, options: ResourceOptions = {}): Promise<Plan & Checked> {
    const old = this.state;
    if (old !== undefined && options.replace === true) {
      const checked = await this.#check({}, args, options);
      const deleteBeforeReplace = options.deleteBeforeReplace ?? false;
      return { ...noDiff, step: "replace", changes: true, replaces: ["id"], deleteBeforeReplace, ...checked };
    }
    const kept = old === undefined ? args : ignored(args, old.inputs, options.ignoreChanges);
    const checked = await this.#check(old?.inputs ?? {}, kept, options);
    return { ...(await this.#planned(checked, options)), ...checked };
  }

  /** Runs `up` for the resource. Stores a failure as the engine does, then throws it. */
  async up(args: Values, options: ResourceOptions = {}): Promise<Step> {
    this.did = undefined;
    const { inputs, secrets, ...plan } = await this.preview(args, options);
    const checked = { inputs, secrets };
    this.plan = plan;
    this.did = plan.step;
    switch (plan.step) {
      case "create":
        await this.#create(checked, options);
        break;
      case "same":
        // The inputs get the new value, the outputs keep the old one.
        this.state = { ...this.present, inputs };
        break;
      case "update":
        await this.#update(checked, options);
        break;
      case "replace": {
        // A new object does not get the defaults that `check` filled in for the old one.
        const fresh = options.replace === true ? checked : await this.#check({}, args, options);
        await this.#replace(fresh, plan.deleteBeforeReplace || this.isPendingReplacement, options);
        break;
      }
      default:
        return plan.step satisfies never;
    }
    const { retainOnDelete: _, ...state } = this.present;
    const { urn = this.urn, timeouts } = options;
    this.state = { ...state, urn, timeouts, ...(options.retainOnDelete === true ? { retainOnDelete: true } : {}) };
    if (options.deletesLater !== true) await this.deleteReplaced();
    return plan.step;
  }

  /** Reads the resource into the state, and returns the result that the CLI would show. */
  async refresh(): Promise<Seen> {
    this.did = undefined;
    this.did = await this.#refreshed();
    return this.did;
  }

  /** Deletes the replaced objects, as the engine does at the end of a run. */
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

  async #delete(stored: Stored): Promise<void> {
    const { id, outputs, retainOnDelete } = stored;
    if (retainOnDelete !== true)
      await this.server.delete(this.kind, id, outputs, { urn: this.urn, ...inState(stored) });
  }

  async #refreshed(): Promise<Seen> {
    const old = this.present;
    const about = { urn: this.urn, ...inState(old) };
    const read = await this.server.read(this.kind, old.id, old.outputs, about);
    if (read.id === "") {
      this.state = undefined;
      return "gone";
    }
    const { id, outputs, secrets } = read;
    const inputs = withRestored(read.inputs, old.inputs);
    this.state = { ...old, id, inputs, outputs, secrets, failed: [] };
    // The engine asks whether an `up` of the same program would change something now.
    const now = { ...about, oldInputs: inputs, secrets: [...about.secrets, ...secrets] };
    const { changes } = await this.server.diff(this.kind, id, outputs, old.inputs, now);
    return (changes ?? !isDeepStrictEqual(inputs, old.inputs)) ? "changed" : "same";
  }

  /** The engine's information about a resource of a program. */
  #about(options: ResourceOptions): About {
    const {
      urn = this.urn,
      timeouts,
      organization,
      retainOnDelete,
      protect,
      secrets = [],
      unknownInputs,
      secretOutputs,
      secretMembers,
    } = options;
    const { oldInputs, secrets: stored } = inState(this.state);
    const isRetained = retainOnDelete === true ? true : undefined;
    const isProtected = protect === true ? true : undefined;
    const all = [...secrets, ...stored];
    const told = { timeouts, organization, isRetained, isProtected, unknownInputs, secretOutputs, secretMembers };
    return { urn, ...told, oldInputs, secrets: all };
  }

  async #check(olds: Values, args: Values, options: ResourceOptions): Promise<Checked> {
    const { inputs, failures, secrets } = await this.server.check(this.kind, olds, args, this.#about(options));
    if (failures.length === 0) return { inputs, secrets };
    // Outside a preview, the engine rejects unknown values before it reads the failures.
    const unknown = Object.keys(inputs).find((name) => inputs[name] === unknownText && args[name] !== unknownText);
    assert.equal(unknown, undefined, "unexpected unknown property value");
    throw new CheckError(failures);
  }

  async #planned({ inputs, secrets }: Checked, options: ResourceOptions): Promise<Plan> {
    const { replaceOnChanges = [], deleteBeforeReplace } = options;
    const old = this.state;
    if (old === undefined) return { ...noDiff, step: "create" };
    const about = this.#about({ ...options, secrets });
    const answer = await this.server.diff(this.kind, old.id, old.outputs, inputs, about);
    const differs = answer.changes ?? !isDeepStrictEqual(inputs, old.inputs);
    // The engine compares the inputs only if the provider leaves that to it.
    const changed = answer.changes === undefined ? changedInputs(old.inputs, inputs) : answer.changed;
    const diff = {
      ...answer,
      replaces: [
        ...answer.replaces,
        ...changed.filter((name) => replaceOnChanges.some((one) => one === name || one === "*")),
      ],
      deleteBeforeReplace: deleteBeforeReplace ?? answer.deleteBeforeReplace,
    };
    if ((differs && diff.replaces.length > 0) || this.isPendingReplacement) return { step: "replace", ...diff };
    // A resource whose last step failed is updated even without a difference, to finish that step.
    return { step: differs || old.failed.length > 0 ? "update" : "same", ...diff };
  }

  async #create({ inputs, secrets }: Checked, options: ResourceOptions): Promise<void> {
    const { urn = this.urn, timeouts } = options;
    try {
      const made = await this.server.create(this.kind, inputs, { ...this.#about(options), oldInputs: {}, secrets });
      this.state = { ...made, inputs, failed: [], urn, timeouts };
    } catch (error) {
      if (isPartial(error)) this.state = { ...this.#stored(error), inputs, urn, timeouts };
      throw error;
    }
  }

  async #replace(checked: Checked, deleteFirst: boolean, options: ResourceOptions): Promise<void> {
    const old = this.present;
    if (deleteFirst && !this.isPendingReplacement) {
      await this.#delete(old);
      this.isPendingReplacement = true;
    }
    try {
      await this.#create(checked, options);
    } finally {
      // A replacement that was not made leaves the state as it was.
      if (this.present !== old) {
        if (!deleteFirst) this.replaced.push(old);
        this.isPendingReplacement = false;
      }
    }
  }

  async #update({ inputs, secrets }: Checked, options: ResourceOptions): Promise<void> {
    const { id, outputs: olds, inputs: oldInputs } = this.present;
    const { urn = this.urn, timeouts } = options;
    try {
      const about = this.#about({ ...options, secrets });
      const updated = await this.server.update(this.kind, id, olds, inputs, about);
      this.state = { id, inputs, ...updated, failed: [], urn, timeouts };
    } catch (error) {
      if (isPartial(error)) {
        const stored = this.#stored(error);
        assert.equal(stored.id, id, "an update cannot change the id");
        this.state = { ...stored, inputs: oldInputs, urn, timeouts };
      }
      throw error;
    }
  }

  /** The state after a partial failure. Fails if the engine could not continue from it. */
  #stored({ partial: { id, properties, secrets, reasons } }: PartialError): Omit<Stored, "inputs"> {
    assert.notEqual(id, "", "a partial failure needs the id");
    if (this.server.door === "dynamic") {
      assert.equal(properties["__provider"], providerText(this.kind), "without its text nothing can be done with it");
    }
    assert.ok(reasons.length > 0 && reasons.every((reason) => reason !== ""), "without reasons the message is lost");
    return { id, outputs: properties, secrets, failed: reasons };
  }
}

/** Inputs as `check` returned them. */
interface Checked {
  readonly inputs: Values;
  readonly secrets: readonly Path[];
}

/** The engine's information about a resource, from its state. */
function inState(stored: Stored | undefined) {
  const { inputs: oldInputs = {}, secrets = [], urn, timeouts } = stored ?? {};
  return { oldInputs, secrets, timeouts, ...(urn === undefined ? {} : { urn }) };
}

/** The arguments of a program, with ignored ones replaced by their values in the state. */
function ignored(args: Values, old: Values, names: readonly string[] = []): Values {
  const kept = Object.entries(args).filter(([name]) => !names.includes(name));
  return Object.fromEntries([...kept, ...Object.entries(old).filter(([name]) => names.includes(name))]);
}

/** The inputs that a read returned, with the files that the engine restores: a read returns only their hashes. */
function withRestored(inputs: Values, old: Values): Values {
  const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, withoutContents(other));
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, isSame(value, old[name]) ? old[name] : value]),
  );
}

function changedInputs(old: Values, inputs: Values): string[] {
  const names = new Set([...Object.keys(old), ...Object.keys(inputs)]);
  return [...names].filter((name) => !isDeepStrictEqual(old[name], inputs[name]));
}

type PartialError = CallError & { readonly partial: NonNullable<CallError["partial"]> };

function isPartial(error: unknown): error is PartialError {
  return error instanceof CallError && error.partial !== undefined;
}
