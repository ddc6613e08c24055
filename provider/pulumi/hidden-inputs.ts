import { z } from "zod";

import { durationForm, milliseconds } from "../../api/duration";
import type { Problem } from "../call/services";
import type { AnyKind } from "../kind/kind";
import { unreadableState } from "../lifecycle/errors";
import { parseState, type State, type Stored } from "../lifecycle/state";
import type { Values } from "../values";
import { joined, type Split } from "./hidden";

/** How long each verb may wait, as declared in `customTimeouts`. */
export interface Timeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/**
 * What the protocol of dynamic providers does not tell a provider: the constructor of a resource adds it to the inputs. `check`
 * keeps the last three for the run and removes them, because a change of them must not show up as a difference.
 */
export interface HiddenInputs {
  readonly urn: string;
  /** The default name that the resource was given when it was created. `check` adds it. */
  readonly defaultName?: string | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Whether the resource option `retainOnDelete` is set. */
  readonly isRetained?: boolean;
  /** The stack's Pulumi organization. */
  readonly organization?: string;
}

const hiddenShape = z.looseObject({
  urn: z.string().default(""),
  defaultName: z.string().optional(),
  timeouts: z.record(z.string(), z.unknown()).optional(),
  isRetained: z.boolean().optional(),
  organization: z.string().optional(),
});

/** The hidden inputs of this run's program that reach `check` only. */
export class CheckedInputs {
  readonly #timeouts = new Map<string, Timeouts | undefined>();
  readonly #retained = new Set<string>();
  #organization: string | undefined;

  keep({ urn, timeouts, isRetained, organization }: HiddenInputs): void {
    this.#timeouts.set(urn, timeouts);
    if (isRetained === true) this.#retained.add(urn);
    this.#organization = organization ?? this.#organization;
  }

  /** The stack's Pulumi organization, as soon as a resource has named it. */
  get organization(): string | undefined {
    return this.#organization;
  }

  isRetained(urn: string): boolean {
    return this.#retained.has(urn);
  }

  /** The resource's `customTimeouts`: those of this run's program, or else those in the state. */
  timeoutsOf(urn: string, stored: Timeouts | undefined): Timeouts | undefined {
    return this.#timeouts.has(urn) ? this.#timeouts.get(urn) : stored;
  }

  /** The hidden inputs that the state is to hold, with the timeouts that the program declares in this run. */
  forState(given: Split): HiddenInputs {
    const { urn, defaultName, timeouts } = hiddenInputsOf(given);
    return { urn, defaultName, timeouts: this.timeoutsOf(urn, timeouts) };
  }
}

/** The hidden members of inputs. A program can pass anything under any name. */
export function hiddenInputsOf({ hidden }: Split): HiddenInputs {
  const parsed = hiddenShape.safeParse(hidden ?? {});
  return parsed.success ? (parsed.data as HiddenInputs) : { urn: "" };
}

/** What of them the state's inputs hold. */
export function savedHidden({ urn, defaultName }: HiddenInputs): HiddenInputs {
  return { urn, defaultName };
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
export function outputsOf({ outputs, hidden }: Stored, { urn, defaultName, timeouts }: HiddenInputs): Values {
  return joined(outputs, { urn, defaultName, timeouts, ...hidden });
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
