import type { dynamic } from "@pulumi/pulumi";

import { asSentence, hasStatus, messageOf, NeonError } from "../../api/errors";
import { mapDeep, unknownValue, type Values } from "../kind/values";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { PartialFailure } from "../lifecycle/partial-failure";
import { read } from "../lifecycle/read";
import type { KindRuntime } from "../lifecycle/runtime";
import { update } from "../lifecycle/update";

/** How the engine writes a value that is not known yet. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** The key under which inputs and outputs carry the provider's own text. */
const providerKey = "__provider";

type Around = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** What is done around the calls of the engine. */
export interface Surroundings {
  /** Those that may change something. */
  readonly changes: Around;
  /** All of them. */
  readonly calls: Around;
}

/** The lifecycle of a kind, as Pulumi's dynamic-provider protocol calls it. */
export function dynamicProvider(
  runtime: () => KindRuntime,
  configure: (read: (key: string) => string | undefined) => void,
  around: Surroundings = { changes: (call) => call(), calls: (call) => call() },
): dynamic.ResourceProvider {
  const reading: Around = (call) => around.calls(() => quiet(call));
  const changing: Around = (call) => around.calls(() => around.changes(call));
  return {
    // The protocol calls this once and may call other methods before it has ended: it must not wait, and must not fail.
    configure: ({ config }) => {
      configure((key) => config.get(key));
      return Promise.resolve();
    },
    check: (olds: unknown, news: unknown) =>
      reading(async () => {
        const before = own(olds);
        const { inputs, problems } = await check(
          runtime(),
          Object.keys(before).length === 0 ? undefined : before,
          own(news),
        );
        return {
          inputs: mapDeep(inputs, (part) => (part === unknownValue ? unknownText : part)),
          failures: problems.map(({ property, reason }) => ({ property, reason })),
        };
      }),
    diff: (id, olds: unknown, news: unknown) =>
      reading(async () => {
        const { changes, replaces, deleteBeforeReplace } = await diff(runtime(), id, own(olds), own(news));
        return { ...(changes === undefined ? {} : { changes }), replaces: [...replaces], deleteBeforeReplace };
      }),
    create: (inputs: unknown) =>
      changing(() =>
        storing(inputs, async () => {
          const { id, outputs } = await create(runtime(), own(inputs));
          return { id, outs: outputs };
        }),
      ),
    update: (id, olds: unknown, news: unknown) =>
      changing(() => storing(news, async () => ({ outs: await update(runtime(), id, own(olds), own(news)) }))),
    read: (id, stored: unknown) =>
      reading(async () => {
        const found = await read(runtime(), id, own(stored));
        if (found === undefined) return { id: "", props: {} };
        return { id, props: found.outputs, ...(found.inputs === undefined ? {} : { inputs: found.inputs }) };
      }),
    delete: (id, stored: unknown) => changing(() => quiet(() => remove(runtime(), id, own(stored)))),
  };
}

/** Values of the protocol as the lifecycle reads them. */
function own(values: unknown): Values {
  const { [providerKey]: _, ...rest } = mapDeep(values, (part) =>
    part === unknownText ? unknownValue : part,
  ) as Record<string, unknown>;
  return rest;
}

/** Runs a method whose errors the SDK prints with their stack, which says nothing to a user. */
async function quiet<Result>(method: () => Promise<Result>): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    throw withoutStack(error);
  }
}

/** Runs create or update, after whose failure the protocol stores the object if there is one. */
async function storing<Result>(given: unknown, method: () => Promise<Result>): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw withoutStack(error);
    // Without the provider's text nothing could ever be done with the stored resource, not even its removal.
    const properties = { ...error.outputs, [providerKey]: (given as Values)[providerKey] };
    const failure = Object.assign(withoutStack(error), { id: error.resourceId, reasons: [told(error)] });
    // An accessor, because the properties hold secrets: printing the error does not print them.
    throw Object.defineProperty(failure, "properties", { get: () => properties });
  }
}

/** The engine keeps the provider's settings in the state, and calls that do not run the program use those. */
const settingsInState =
  "then run `pulumi up --refresh=false`: `refresh` and `destroy` use the settings of the last `up`.";

/** The error's message, with what Pulumi's users have to know about settings that turn out wrong. */
function told(error: unknown): string {
  const message = messageOf(error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (hasStatus(cause, 401, 403)) {
      return `${asSentence(message)} Set the key with \`pulumi config set --secret neon:apiKey\`, ${settingsInState}`;
    }
    if (NeonError.isInstance(cause) && cause.kind === "never-responded") {
      return `${asSentence(message)} Set it with \`pulumi config set neon:apiUrl\`, ${settingsInState}`;
    }
  }
  return message;
}

function withoutStack(error: unknown): Error {
  const plain = new Error(told(error));
  // The SDK prints the name, too.
  plain.name = "";
  plain.stack = "";
  return plain;
}
