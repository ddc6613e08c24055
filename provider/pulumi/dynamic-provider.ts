import { isDeepStrictEqual } from "node:util";

import type { dynamic } from "@pulumi/pulumi";

import { milliseconds } from "../../api/core/duration";
import type { Call } from "../call/call";
import { top } from "../kind/differences";
import { plain } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff, type Difference } from "../lifecycle/diff";
import { PartialFailure } from "../lifecycle/partial-failure";
import { read } from "../lifecycle/read";
import type { State } from "../lifecycle/state";
import { update } from "../lifecycle/update";
import { keySource, type KeySource } from "../settings/key-source";
import type { Values } from "../values";
import { engineAddress } from "./engine";
import { joined, providerKey, split } from "./hidden";
import {
  CheckedInputs,
  defaultNameIn,
  type HiddenInputs,
  hiddenInputsOf,
  outputsOf,
  savedHidden,
  stateOf,
  timeoutProblems,
  type Timeouts,
} from "./hidden-inputs";
import { keptOutputs, resolved } from "./kept-outputs";
import { providerProcess, type ProviderProcess } from "./process";
import { messageForUser, problemWithoutValue, withProviders } from "./user-messages";

/** Pulumi's dynamic-provider protocol, as a door to the lifecycle. */
export class DynamicDoor {
  readonly #process: ProviderProcess;
  readonly #checked = new CheckedInputs();

  constructor(process: NodeJS.Process) {
    this.#process = providerProcess(process, {
      engine: engineAddress(process.argv.slice(2)),
      log: console.log,
      organization: () => this.#checked.organization,
    });
  }

  /** The provider of a kind. */
  provider(kind: AnyKind): dynamic.ResourceProvider {
    const { services, rows, configure, followEngine } = this.#process;
    const served = { kind, services };
    const keyOf = (given: unknown): KeySource => this.#keySource(hiddenInputsOf(split(given)));
    const serving = <Result>(given: unknown, call: () => Promise<Result> | Result): Promise<Result> =>
      rows.afterLines(() => withoutStacks(keyOf(given), call));
    return {
      // The protocol calls this once and may call other methods before it has ended: it must not wait, and must not fail.
      configure: ({ config }) => {
        configure((name) => config.get(`neon:${name}`));
        followEngine();
        return Promise.resolve();
      },
      check: (olds: unknown, news: unknown) =>
        serving(news, async () => {
          const [before, given] = [split(olds), split(news)];
          const hidden = hiddenInputsOf(given);
          this.#checked.keep(hidden, before);
          const isNew = Object.keys(before.values).length === 0 && before.hidden === undefined;
          const call = { ...this.#call(hidden), defaultName: defaultNameIn(kind, before) };
          const declared = resolved(services.registry, given.values, before.values, hidden.unknownInputs);
          const checked = await check(served, call, isNew ? undefined : before.values, declared);
          const problems = [...timeoutProblems(hidden), ...checked.problems];
          const kept =
            problems.length > 0 ? given.hidden : savedHidden({ ...hidden, defaultName: checked.defaultName });
          return {
            inputs: joined(checked.inputs, kept),
            failures: problems.map((problem) => problemWithoutValue(withProviders(problem, hidden.unusedProviders))),
          };
        }),
      diff: (id, olds: unknown, news: unknown) =>
        serving(news, () => {
          const [before, given] = [split(olds), split(news)];
          const hidden = hiddenInputsOf(given);
          const state = stateOf(kind, id, before);
          this.#checked.keepCompared(hidden);
          const difference = diff(served, this.#call(hidden, state), state, given.values);
          const hides = this.#checked.secretOutputs(hidden.urn);
          services.registry.keep(hidden.urn, keptOutputs(kind, id, state, given.values, difference, hides));
          const { timeouts } = hiddenInputsOf(before);
          const now = this.#checked.timeoutsOf(hidden.urn, timeouts);
          // `destroy` uses the timeouts in the state, and the engine cannot compare them: no input holds them. It needs the
          // text, too, which a state of the plugin does not hold.
          const isStale =
            before.providerText === undefined || !isDeepStrictEqual(plain(now ?? {}), plain(timeouts ?? {}));
          return answerOf(difference, isStale);
        }),
      create: (news: unknown) =>
        serving(news, async () => {
          const given = split(news);
          const hidden = this.#checked.forState(given);
          const { id, ...stored } = await storing(news, hidden, keyOf(news), () =>
            create(served, this.#call(hidden, undefined, "create"), given.values),
          );
          return { id, outs: outputsOf(stored, hidden) };
        }),
      update: (id, olds: unknown, news: unknown) =>
        serving(news, async () => {
          const given = split(news);
          const hidden = this.#checked.forState(given);
          const state = stateOf(kind, id, split(olds));
          const stored = await storing(news, hidden, keyOf(news), () =>
            update(served, this.#call(hidden, state, "update"), id, state, given.values),
          );
          return { outs: outputsOf(stored, hidden) };
        }),
      read: (id, known: unknown) =>
        serving(known, async () => {
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
        serving(known, async () => {
          const before = split(known);
          const state = stateOf(kind, id, before);
          await remove(served, this.#call(hiddenInputsOf(before), state, "delete"), id, state);
        }),
    };
  }

  /** Where the API key of a resource comes from. */
  #keySource({ provider }: HiddenInputs): KeySource {
    return provider === undefined ? this.#process.keySource() : keySource(undefined, provider);
  }

  #call({ urn, defaultName, timeouts, provider }: HiddenInputs, state?: State, verb?: keyof Timeouts): Call {
    const timeout = verb && timeouts?.[verb];
    return {
      urn,
      timeout: timeout === undefined ? undefined : milliseconds(timeout),
      declaredBefore: state?.hidden.declared ?? [],
      defaultName,
      isRetained: this.#checked.isRetained(urn),
      lost: this.#checked.lostInputsOf(urn),
      replaced: this.#checked.replaced(urn),
      ...(provider === undefined ? {} : { keySource: keySource(undefined, provider) }),
    };
  }
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
async function withoutStacks<Result>(key: KeySource, method: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    throw isForEngine(error) ? error : withoutStack(error, key);
  }
}

/** Runs create or update, after whose failure the protocol stores the object if there is one. */
async function storing<Result>(
  given: unknown,
  hidden: HiddenInputs,
  key: KeySource,
  method: () => Promise<Result>,
): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    // Without the provider's text nothing could ever be done with the stored resource, not even its removal.
    const properties = { ...outputsOf(error.stored, hidden), [providerKey]: (given as Values)[providerKey] };
    const failure = Object.assign(withoutStack(error, key), {
      id: error.resourceId,
      reasons: [messageForUser(error, key)],
    });
    // An accessor, because the properties hold secrets: printing the error does not print them.
    throw Object.defineProperty(failure, "properties", { get: () => properties });
  }
}

/** Whether an error is in the form of the protocol already. */
function isForEngine(error: unknown): boolean {
  return error instanceof Error && "reasons" in error;
}

function withoutStack(error: unknown, key: KeySource): Error {
  const bare = new Error(messageForUser(error, key));
  // The SDK prints the name, too.
  bare.name = "";
  bare.stack = "";
  return bare;
}
