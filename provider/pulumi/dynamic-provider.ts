import { isDeepStrictEqual } from "node:util";

import type { dynamic } from "@pulumi/pulumi";

import { milliseconds } from "../../api/core/duration";
import type { Call } from "../call/call";
import { top } from "../kind/field-rules";
import { plain } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff, type Difference } from "../lifecycle/diff";
import { PartialFailure } from "../lifecycle/partial-failure";
import { read } from "../lifecycle/read";
import type { State, Stored } from "../lifecycle/state";
import { update } from "../lifecycle/update";
import { titleOf } from "../ownership/claim";
import { keySource, type KeySource } from "../settings/key-source";
import type { Values } from "../values";
import { CheckedInputs, timeoutProblems } from "./checked-inputs";
import type { Engine, ProcessDependencies } from "./dependencies";
import { keptOutputs, resolved } from "./kept-outputs";
import { providerProcess, type ProviderProcess } from "./process";
import {
  defaultNameIn,
  encodedProperties,
  type HiddenInputs,
  inputsMember,
  isNone,
  outputsMember,
  type Properties,
  propertiesOf,
  stateOf,
} from "./properties";
import { messageForUser, problemWithoutValue, withProviders } from "./user-messages";

/** Serves the lifecycle through Pulumi's dynamic-provider protocol. */
export class DynamicDoor {
  readonly #engine: Engine;
  readonly #process: ProviderProcess;
  readonly #checked = new CheckedInputs();

  constructor(dependencies: ProcessDependencies) {
    this.#engine = dependencies.engine();
    this.#process = providerProcess(dependencies, this.#engine, {
      log: dependencies.print,
      organization: () => this.#checked.organization,
    });
  }

  /** The provider of a kind. */
  provider(kind: AnyKind): dynamic.ResourceProvider {
    const { services, configure } = this.#process;
    const served = { kind, services };
    return {
      // The protocol calls this once and may call other methods before it has ended. It must therefore neither wait nor
      // fail.
      configure: ({ config }) => {
        configure((name) => config.get(`neon:${name}`));
        this.#engine.follow();
        return Promise.resolve();
      },
      check: (olds: unknown, news: unknown) =>
        this.#serving(news, async ({ values }, hidden) => {
          const before = propertiesOf(olds);
          this.#checked.keep(hidden, before.hidden);
          const call = { ...this.#call(hidden), defaultName: defaultNameIn(kind, before) };
          const declared = resolved(services.registry, values, before.values, hidden.unknownInputs);
          const checked = await check(served, call, isNone(before) ? undefined : before.values, declared);
          const problems = [...timeoutProblems(hidden), ...checked.problems];
          return {
            inputs: encodedInputs(this.#checked.hide(kind, hidden, checked.inputs), {
              ...hidden,
              defaultName: checked.defaultName,
            }),
            failures: problems.map((problem) => problemWithoutValue(withProviders(problem, hidden.unusedProviders))),
          };
        }),
      diff: (id, olds: unknown, news: unknown) =>
        this.#serving(news, async ({ values }, hidden) => {
          const before = propertiesOf(olds);
          const state = stateOf(kind, id, before);
          this.#checked.keepCompared(hidden);
          const difference = await diff(served, this.#call(hidden, state), state, values);
          const { urn = "" } = hidden;
          const hides = this.#checked.of(urn)?.secretOutputs ?? [];
          services.registry.keep(urn, keptOutputs(kind, id, state, values, difference, hides));
          const { timeouts = {} } = before.hidden ?? {};
          const { timeouts: declared = {} } = this.#checked.forState({ urn, timeouts });
          // `destroy` uses the timeouts in the state. The engine cannot compare them, because no input holds them.
          // `destroy` also needs the provider's text, which a state of the plugin does not hold.
          const isStale = before.providerText === undefined || !isDeepStrictEqual(plain(declared), plain(timeouts));
          return answerOf(difference, isStale);
        }),
      create: (news: unknown) =>
        this.#serving(news, async ({ values }, given) => {
          const hidden = this.#checked.forState(given);
          const inputs = this.#checked.reveal(kind, hidden, values);
          const { id, ...stored } = await create(served, this.#call(hidden, undefined, "create"), inputs);
          return { id, outs: encodedOutputs(stored, hidden) };
        }),
      update: (id, olds: unknown, news: unknown) =>
        this.#serving(news, async ({ values }, given) => {
          const hidden = this.#checked.forState(given);
          const state = stateOf(kind, id, propertiesOf(olds));
          const inputs = this.#checked.reveal(kind, hidden, values);
          const stored = await update(served, this.#call(hidden, state, "update"), id, state, inputs);
          return { outs: encodedOutputs(stored, hidden) };
        }),
      read: (id, known: unknown) =>
        this.#serving(known, async (before, hidden) => {
          const state = stateOf(kind, id, before);
          const found = await read(served, this.#call(hidden, state), state);
          if (found === undefined) return { id: "", props: {} };
          const { inputs, ...stored } = found;
          const props = encodedOutputs(stored, hidden);
          return { id, props, ...(inputs === undefined ? {} : { inputs: encodedInputs(inputs, hidden) }) };
        }),
      delete: (id, known: unknown) =>
        this.#serving(known, async (before, hidden) => {
          const state = stateOf(kind, id, before);
          await remove(served, this.#call(hidden, state, "delete"), id, state);
        }),
    };
  }

  /** Serves a call about these properties. */
  async #serving<Result>(
    given: unknown,
    call: (given: Properties, hidden: HiddenInputs) => Promise<Result> | Result,
  ): Promise<Result> {
    const properties = propertiesOf(given);
    const { hidden = {}, providerText } = properties;
    try {
      return await this.#process.rows.afterLines(() => call(properties, hidden));
    } catch (error) {
      const { provider } = hidden;
      const key = provider === undefined ? this.#process.keySource() : keySource(undefined, provider);
      const failure = asPrintedOnce(error, key, hidden.urn);
      if (!(error instanceof PartialFailure)) throw failure;
      // Without the provider's text, the stored resource could never be used again, not even to remove it.
      const stored = encodedOutputs(error.stored, this.#checked.forState(hidden), providerText);
      Object.assign(failure, { id: error.resourceId, reasons: [failure.message] });
      // This is an accessor because the properties hold secrets, which printing the error must not show.
      throw Object.defineProperty(failure, "properties", { get: () => stored });
    }
  }

  #call(
    { urn = "", defaultName, timeouts, provider }: HiddenInputs,
    state?: State,
    verb?: "create" | "update" | "delete",
  ): Call {
    const timeout = verb && timeouts?.[verb];
    return {
      urn,
      timeout: typeof timeout === "string" ? milliseconds(timeout) : undefined,
      declaredBefore: state?.hidden.declared ?? [],
      defaultName,
      isRetained: this.#checked.of(urn)?.isRetained === true,
      lost: this.#checked.of(urn)?.lost,
      secretMembers: this.#checked.of(urn)?.secretMembers,
      replaced: this.#checked.replaced(urn),
      ...(provider === undefined ? {} : { keySource: keySource(undefined, provider) }),
    };
  }
}

function encodedInputs(values: Values, hidden: HiddenInputs): Values {
  return encodedProperties({ values, hidden: inputsMember(hidden) });
}

function encodedOutputs({ outputs, hidden }: Stored, inputs: HiddenInputs, providerText?: unknown): Values {
  return encodedProperties({ values: outputs, hidden: outputsMember(hidden, inputs), providerText });
}

/** Converts a difference for the engine. */
function answerOf(
  { changed, recorded, replaces, unfinished, deletesFirst }: Difference,
  isStale: boolean,
): dynamic.DiffResult {
  // If `changes` is omitted, the engine compares the inputs itself, which shows each property.
  const isLeftToEngine = unfinished === undefined && changed.length + recorded.length > 0;
  return {
    ...(isLeftToEngine ? {} : { changes: unfinished !== undefined || isStale }),
    replaces: unfinished === "replace" ? ["id"] : [...new Set(replaces.map(top))],
    deleteBeforeReplace: deletesFirst,
  };
}

/**
 * An error for the engine, which shows the message in the resource's row. For some calls, the SDK also prints the error
 * and its stack, which the engine shows at the stack. There, only a pointer to that row appears.
 */
function asPrintedOnce(error: unknown, key: KeySource, urn = ""): Error {
  const failure = new Error(messageForUser(error, key));
  failure.toString = () => (urn === "" ? "A resource" : titleOf(urn));
  failure.stack = "its error stands in its own row";
  return failure;
}
