import { z } from "zod";

import { durationForm, milliseconds } from "../../api/core/duration";
import type { ReplacedObject } from "../call/call";
import type { Problem } from "../call/services";
import type { AnyKind } from "../kind/kind";
import { unreadableState } from "../lifecycle/errors";
import { parseState, type State, type Stored } from "../lifecycle/state";
import type { Values } from "../values";
import { joined, type Split } from "./hidden";
import type { UnknownInput } from "./kept-outputs";

/** How long each verb may wait, as declared in `customTimeouts`. */
export interface Timeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/**
 * What the protocol of dynamic providers does not tell a provider: the constructor of a resource adds it to the inputs. `check`
 * keeps the options and the organization for the run, and removes those that must not show up as a difference.
 */
export interface HiddenInputs {
  readonly urn: string;
  /** The default name that the resource was given when it was created. `check` adds it. */
  readonly defaultName?: string | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Whether the resource option `retainOnDelete` is set. The inputs in the state hold it as the engine does, until a refresh. */
  readonly isRetained?: boolean | undefined;
  /** Whether the resource option `protect` is set. */
  readonly isProtected?: boolean;
  /** The stack's Pulumi organization. */
  readonly organization?: string;
  /** The name of the `Provider` whose `apiKey` the resource uses, if the program declares both. */
  readonly provider?: string | undefined;
  /** The names of the `Provider`s that the program has, if the resource uses none of them and the stack has no key. */
  readonly unusedProviders?: readonly string[] | undefined;
  /** The arguments that are outputs of something that this run did not create. */
  readonly lost?: readonly string[] | undefined;
  /** The outputs that are secret because the program says so. */
  readonly secretOutputs?: readonly string[] | undefined;
  /** The values that the preview does not know although nothing that they come from is replaced. */
  readonly unknownInputs?: readonly UnknownInput[] | undefined;
}

const hiddenShape = z.looseObject({
  urn: z.string().default(""),
  defaultName: z.string().optional(),
  timeouts: z.record(z.string(), z.unknown()).optional(),
  isRetained: z.boolean().optional(),
  isProtected: z.boolean().optional(),
  organization: z.string().optional(),
  provider: z.string().optional(),
  unusedProviders: z.array(z.string()).optional(),
  lost: z.array(z.string()).optional(),
  secretOutputs: z.array(z.string()).optional(),
  unknownInputs: z.array(z.object({ path: z.array(z.string()), urns: z.array(z.string()) })).optional(),
});

/** The hidden inputs that reach `check` only: those of this run's program, and what the state held before. */
export class CheckedInputs {
  readonly #timeouts = new Map<string, Timeouts | undefined>();
  readonly #retained = new Map<string, boolean>();
  readonly #lost = new Map<string, readonly string[]>();
  readonly #replaced = new Map<string, ReplacedObject>();
  /** Whether the inputs held `retainOnDelete` before the refresh of this run, by URN. */
  readonly #refreshed = new Map<string, boolean>();
  readonly #secretOutputs = new Map<string, readonly string[]>();
  #organization: string | undefined;

  /** @param before the inputs in the state */
  keep(hidden: HiddenInputs, before: Split): void {
    const { urn, timeouts, isRetained = false, isProtected, organization, secretOutputs = [], lost = [] } = hidden;
    this.#timeouts.set(urn, timeouts);
    this.#lost.set(urn, lost);
    this.#retained.set(urn, isRetained);
    // A refresh loses the option: if the program sets it now, an earlier run may have done so, too.
    const isRecorded =
      hiddenInputsOf(before).isRetained ?? this.#refreshed.get(urn) ?? (isRetained ? undefined : false);
    this.#refreshed.delete(urn);
    this.#replaced.set(urn, { isRetained: isRecorded, isProtected });
    this.#secretOutputs.set(urn, secretOutputs);
    this.#organization = organization ?? this.#organization;
  }

  /** The stack's Pulumi organization, as soon as a resource has named it. */
  get organization(): string | undefined {
    return this.#organization;
  }

  /** Keeps the inputs with which a refresh compares the object: they are those of the state, before any `check` of the run. */
  keepCompared({ urn, isRetained = false }: HiddenInputs): void {
    if (!this.#retained.has(urn)) this.#refreshed.set(urn, isRetained);
  }

  /** The inputs that this run has lost. */
  lostInputsOf(urn: string): readonly string[] {
    return this.#lost.get(urn) ?? [];
  }

  isRetained(urn: string): boolean {
    return this.#retained.get(urn) === true;
  }

  replaced(urn: string): ReplacedObject {
    return this.#replaced.get(urn) ?? { isRetained: false };
  }

  /** The outputs of the resource that are secret because the program says so. */
  secretOutputs(urn: string): readonly string[] {
    return this.#secretOutputs.get(urn) ?? [];
  }

  /** The resource's `customTimeouts`: those of this run's program, or else those in the state. */
  timeoutsOf(urn: string, stored: Timeouts | undefined): Timeouts | undefined {
    return this.#timeouts.has(urn) ? this.#timeouts.get(urn) : stored;
  }

  /** The hidden inputs that the state is to hold, with the timeouts that the program declares in this run. */
  forState(given: Split): HiddenInputs {
    const { urn, defaultName, timeouts, provider } = hiddenInputsOf(given);
    return { urn, defaultName, timeouts: this.timeoutsOf(urn, timeouts), provider };
  }
}

/** The hidden members of inputs. A program can pass anything under any name. */
export function hiddenInputsOf({ hidden }: Split): HiddenInputs {
  const parsed = hiddenShape.safeParse(hidden ?? {});
  return parsed.success ? (parsed.data as HiddenInputs) : { urn: "" };
}

/** What of them the state's inputs hold. */
export function savedHidden({ urn, defaultName, isRetained, provider }: HiddenInputs): HiddenInputs {
  return { urn, defaultName, isRetained, provider };
}

/** The default name that a resource was given when it was created. The inputs of a state of the plugin hold nothing else. */
export function defaultNameIn({ defaultName = "" }: AnyKind, before: Split): string | undefined {
  const { [defaultName]: name } = before.values;
  return before.hidden === undefined && typeof name === "string" ? name : hiddenInputsOf(before).defaultName;
}

export function timeoutProblems({ timeouts = {} }: HiddenInputs): readonly Problem[] {
  return Object.entries(timeouts).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: durationForm }]
      : [],
  );
}

/** A resource as the protocol stores it: outputs hold hidden inputs, too. */
export function outputsOf({ outputs, hidden }: Stored, { urn, defaultName, timeouts, provider }: HiddenInputs): Values {
  return joined(outputs, { urn, defaultName, timeouts, provider, ...hidden });
}

/**
 * The state of a resource, from what the protocol has stored.
 *
 * @throws NeonError if somebody has edited it
 */
export function stateOf(kind: AnyKind, id: string, { values, hidden }: Split): State {
  const [issue] = hiddenShape.safeParse(hidden ?? {}).error?.issues ?? [];
  if (issue !== undefined) throw unreadableState(kind, id, issue.path);
  return parseState(kind, id, { outputs: values, hidden });
}
