import { isDeepStrictEqual } from "node:util";

import type { dynamic } from "@pulumi/pulumi";
import { z } from "zod";

import { milliseconds } from "../../api/duration";
import type { Call } from "../call/call";
import type { Problem } from "../call/services";
import { top } from "../kind/differences";
import { plain } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff, type Difference } from "../lifecycle/diff";
import { unreadableState } from "../lifecycle/errors";
import { PartialFailure } from "../lifecycle/partial-failure";
import { read } from "../lifecycle/read";
import { parseState, type State, type Stored } from "../lifecycle/state";
import { update } from "../lifecycle/update";
import type { Values } from "../values";
import { engineAddress } from "./engine";
import { joined, providerKey, type Split, split } from "./hidden";
import { providerProcess, type ProviderProcess } from "./process";
import { told, toldWithoutValue } from "./told";

/** How long each verb may wait, as declared in `customTimeouts`. */
export interface Timeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/**
 * What this protocol does not tell a provider: the constructor of a resource adds it to the inputs. `check` keeps the last
 * three for the run and removes them, because a change of them must not show up as a difference.
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

/** Pulumi's dynamic-provider protocol, as a door to the lifecycle. */
export class DynamicDoor {
  readonly #process: ProviderProcess;
  /** The timeouts that the program of this run declares, by URN. */
  readonly #timeouts = new Map<string, Timeouts | undefined>();
  /** The URNs of the resources whose option `retainOnDelete` is set. */
  readonly #retained = new Set<string>();
  /** The stack's Pulumi organization, as soon as a resource has named it. */
  #organization: string | undefined;

  constructor(process: NodeJS.Process) {
    this.#process = providerProcess(process, {
      engine: engineAddress(process.argv.slice(2)),
      log: console.log,
      organizationOf: () => this.#organization,
    });
  }

  /** The provider of a kind. */
  provider(kind: AnyKind): dynamic.ResourceProvider {
    const { services, rows, run, configure, followEngine } = this.#process;
    const served = { kind, services };
    const reading = <Result>(call: () => Promise<Result>): Promise<Result> =>
      rows.afterLines(() => withoutStacks(call));
    const changing = <Result>(call: () => Promise<Result>): Promise<Result> =>
      rows.afterLines(() => run.during(() => withoutStacks(call)));
    return {
      // The protocol calls this once and may call other methods before it has ended: it must not wait, and must not fail.
      configure: ({ config }) => {
        configure((name) => config.get(`neon:${name}`));
        followEngine();
        return Promise.resolve();
      },
      check: (olds: unknown, news: unknown) =>
        reading(async () => {
          const [before, given] = [split(olds), split(news)];
          const hidden = hiddenInputsOf(given);
          this.#learn(hidden);
          const isNew = Object.keys(before.values).length === 0 && before.hidden === undefined;
          const call = { ...this.#call(hidden), defaultName: defaultNameIn(kind, before) };
          const checked = await check(served, call, isNew ? undefined : before.values, given.values);
          const problems = [...timeoutProblems(hidden.timeouts), ...checked.problems];
          const kept =
            problems.length > 0 ? given.hidden : savedHidden({ ...hidden, defaultName: checked.defaultName });
          return {
            inputs: joined(checked.inputs, kept),
            failures: problems.map(toldWithoutValue),
          };
        }),
      diff: (id, olds: unknown, news: unknown) =>
        reading(async () => {
          const [before, given] = [split(olds), split(news)];
          const hidden = hiddenInputsOf(given);
          const state = stateOf(kind, id, before);
          const difference = await diff(served, this.#call(hidden, state), state, given.values);
          const { timeouts } = hiddenInputsOf(before);
          const now = this.#timeoutsOf(hidden.urn, timeouts);
          // `destroy` uses the timeouts in the state, and the engine cannot compare them: no input holds them. It needs the
          // text, too, which a state of the plugin does not hold.
          const isStale =
            before.providerText === undefined || !isDeepStrictEqual(plain(now ?? {}), plain(timeouts ?? {}));
          return answerOf(difference, isStale);
        }),
      create: (news: unknown) =>
        changing(async () => {
          const given = split(news);
          const hidden = this.#hiddenOf(given);
          const { id, ...stored } = await storing(news, hidden, () =>
            create(served, this.#call(hidden, undefined, "create"), given.values),
          );
          return { id, outs: outputsOf(stored, hidden) };
        }),
      update: (id, olds: unknown, news: unknown) =>
        changing(async () => {
          const given = split(news);
          const hidden = this.#hiddenOf(given);
          const state = stateOf(kind, id, split(olds));
          const stored = await storing(news, hidden, () =>
            update(served, this.#call(hidden, state, "update"), id, state, given.values),
          );
          return { outs: outputsOf(stored, hidden) };
        }),
      read: (id, known: unknown) =>
        reading(async () => {
          const before = split(known);
          const hidden = hiddenInputsOf(before);
          const state = stateOf(kind, id, before);
          const found = await read(served, this.#call(hidden, state), state);
          if (found === undefined) return { id: "", props: {} };
          const { inputs, ...stored } = found;
          const props = outputsOf(stored, hidden);
          return { id, props, ...(inputs === undefined ? {} : { inputs: joined(inputs, savedHidden(hidden)) }) };
        }),
      delete: (id, known: unknown) =>
        changing(async () => {
          const before = split(known);
          const state = stateOf(kind, id, before);
          await remove(served, this.#call(hiddenInputsOf(before), state, "delete"), id, state);
        }),
    };
  }

  /** Keeps for this run what reaches `check` only. */
  #learn({ urn, timeouts, isRetained, organization }: HiddenInputs): void {
    this.#timeouts.set(urn, timeouts);
    if (isRetained === true) this.#retained.add(urn);
    this.#organization = organization ?? this.#organization;
  }

  /** The resource's `customTimeouts`: those of this run's program, or else those in the state. */
  #timeoutsOf(urn: string, stored: Timeouts | undefined): Timeouts | undefined {
    return this.#timeouts.has(urn) ? this.#timeouts.get(urn) : stored;
  }

  /** The hidden inputs that the state is to hold, with the timeouts that the program declares in this run. */
  #hiddenOf(given: Split): HiddenInputs {
    const { urn, defaultName, timeouts } = hiddenInputsOf(given);
    return { urn, defaultName, timeouts: this.#timeoutsOf(urn, timeouts) };
  }

  #call({ urn, defaultName, timeouts }: HiddenInputs, state?: State, verb?: keyof Timeouts): Call {
    const timeout = verb && timeouts?.[verb];
    return {
      urn,
      timeout: timeout === undefined ? undefined : milliseconds(timeout),
      declaredBefore: state?.hidden.declared ?? [],
      defaultName,
      isRetained: this.#retained.has(urn),
    };
  }
}

/** A resource as the protocol stores it. */
function outputsOf({ outputs, hidden }: Stored, { urn, defaultName, timeouts }: HiddenInputs): Values {
  return joined(outputs, { urn, defaultName, timeouts, ...hidden });
}

/** The hidden members of inputs. A program can pass anything under any name. */
function hiddenInputsOf({ hidden }: Split): HiddenInputs {
  const parsed = hiddenShape.safeParse(hidden ?? {});
  return parsed.success ? (parsed.data as HiddenInputs) : { urn: "" };
}

/** The default name that a resource was given when it was created. The inputs of a state of the plugin hold nothing else. */
function defaultNameIn({ defaultName = "" }: AnyKind, before: Split): string | undefined {
  const { [defaultName]: name } = before.values;
  return before.hidden === undefined && typeof name === "string" ? name : hiddenInputsOf(before).defaultName;
}

/** What of them the state's inputs hold. */
function savedHidden({ urn, defaultName }: HiddenInputs): HiddenInputs {
  return { urn, defaultName };
}

function stateOf(kind: AnyKind, id: string, { values, hidden }: Split): State {
  const [issue] = hiddenShape.safeParse(hidden ?? {}).error?.issues ?? [];
  if (issue !== undefined) throw unreadableState(kind, id, issue.path);
  return parseState(kind, id, { outputs: values, hidden });
}

function timeoutProblems(timeouts: Timeouts | undefined): readonly Problem[] {
  return Object.entries(timeouts ?? {}).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: 'must be a duration such as "90s", "10m" or "1h30m"' }]
      : [],
  );
}

/** A difference as the engine receives it. */
function answerOf(
  { changed, recorded, replaces, unfinished, deletesFirst }: Difference,
  isStale: boolean,
): dynamic.DiffResult {
  // Without an answer, the engine compares the inputs itself, which shows each property.
  const isLeftToEngine = unfinished === undefined && changed.length + recorded.length > 0;
  return {
    ...(isLeftToEngine ? {} : { changes: unfinished !== undefined || isStale }),
    replaces: unfinished === "replace" ? ["id"] : [...new Set(replaces.map(top))],
    deleteBeforeReplace: deletesFirst,
  };
}

/** Runs a method whose errors the SDK prints with their stack, which says nothing to a user. */
async function withoutStacks<Result>(method: () => Promise<Result>): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    throw isForEngine(error) ? error : withoutStack(error);
  }
}

/** Runs create or update, after whose failure the protocol stores the object if there is one. */
async function storing<Result>(given: unknown, hidden: HiddenInputs, method: () => Promise<Result>): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    // Without the provider's text nothing could ever be done with the stored resource, not even its removal.
    const properties = { ...outputsOf(error.stored, hidden), [providerKey]: (given as Values)[providerKey] };
    const failure = Object.assign(withoutStack(error), { id: error.resourceId, reasons: [told(error)] });
    // An accessor, because the properties hold secrets: printing the error does not print them.
    throw Object.defineProperty(failure, "properties", { get: () => properties });
  }
}

/** Whether an error is in the form of the protocol already. */
function isForEngine(error: unknown): boolean {
  return error instanceof Error && "reasons" in error;
}

function withoutStack(error: unknown): Error {
  const bare = new Error(told(error));
  // The SDK prints the name, too.
  bare.name = "";
  bare.stack = "";
  return bare;
}
