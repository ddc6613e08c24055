import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { z } from "zod";

import type { KindName } from "../../../provider/frozen-entry";
import { provider } from "../../../provider/v1";
import { providerText } from "../../../sdk/provider-text";
import type { Values } from "../../support/provider-server";
import { urnOf } from "../../support/door";
import { samples } from "../../support/samples";
import { anyValue, objectOf } from "./unusual";
import type { Property } from "./property";
import { changes, fitting, nearly } from "./schemas";

/** The texts of programming errors. */
export const ownMistake =
  /Cannot (read|set|convert)|is not (a function|iterable|defined|an object)|undefined \(|Invalid time value|Maximum call stack|URI malformed|\[object Object\]|_zod/;

/** How much processor time `check` may take, in milliseconds. */
const patience = 2_000;

/** More turns of the event loop than work takes that does not wait. */
const mostTurns = 100;

const names = Object.keys(samples) as KindName[];

/** The properties of `check` of all kinds. */
export function judging(): Property[] {
  return names.flatMap((kind) => [
    {
      group: kind,
      name: `any inputs are judged, and none are changed`,
      weight: 3,
      property: fc.asyncProperty(nearly(inputsOf(kind)), fc.option(nearly(inputsOf(kind))), hidden, (news, olds, own) =>
        judged(kind, news, olds, own),
      ),
    },
    {
      group: kind,
      name: `what fits is accepted, and nothing of it is lost`,
      weight: 2,
      property: fc.asyncProperty(fitting(inputsOf(kind)), (news) => judged(kind, news, undefined, undefined)),
    },
  ]);
}

/** The hidden input: as the constructor sets it, or anything. */
const hidden = fc.oneof(
  fc.constant(undefined),
  anyValue,
  fc.record({ urn: anyValue, name: anyValue, timeouts: anyValue }, { requiredKeys: [], noNullPrototype: true }),
);

function inputsOf(kind: KindName): z.ZodType {
  return samples[kind].definition.inputs();
}

async function judged(kind: KindName, news: unknown, olds: unknown, own: unknown): Promise<void> {
  const prototype = Object.getOwnPropertyNames(Object.prototype).join();
  const given = inputs(kind, news, own);
  const copy = structuredClone(given);
  const began = process.cpuUsage();
  const before = olds === null || olds === undefined ? {} : inputs(kind, olds, undefined);
  const answer = await atOnce(provider(kind).check?.(before, given));
  const { user, system } = process.cpuUsage(began);
  const took = (user + system) / 1000;
  assert.ok(took < patience, `it took ${took} ms`);
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), prototype, "Object.prototype was changed");
  assert.ok(isDeepStrictEqual(given, copy), "what was given was changed");
  assert.ok(answer !== undefined);
  const { inputs: kept, failures = [] } = answer as {
    inputs: Values;
    failures?: { property: string; reason: string }[];
  };
  for (const { property, reason } of failures) {
    assert.equal(typeof property, "string");
    assert.ok(reason.length > 0 && !ownMistake.test(reason), `${property}: ${reason}`);
  }
  const visible = (values: Values): Values =>
    objectOf(Object.entries(values).filter(([name]) => !name.startsWith("__") || name === "__proto__"));
  const { name: filledIn, ...others } = visible(kept);
  const { name: declared, ...wanted } = visible(given);
  assert.ok(isDeepStrictEqual(others, wanted), "the inputs were changed");
  assert.ok(declared === undefined || isDeepStrictEqual(filledIn, declared), "the name was changed");
  if (failures.length > 0) return;
  const sent = inputsOf(kind).parse(visible(kept));
  assert.deepEqual(changes(inputsOf(kind), visible(kept), sent), []);
  assert.deepEqual(JSON.parse(JSON.stringify(sent)), plain(visible(kept)), "it does not survive being sent");
}

/** The result of work that must not wait, neither for a timer nor for I/O. */
async function atOnce<Result>(work: Promise<Result> | undefined): Promise<Result | undefined> {
  const state = { isOver: false };
  const over = (): void => void (state.isOver = true);
  void work?.then(over, over);
  for (let turns = 0; !state.isOver && turns < mostTurns; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(state.isOver, "it waits for something");
  return work;
}

/** Without the sign of zeros and without members that are undefined, which JSON has not. */
function plain(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return objectOf(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, plain(inner)]])),
  );
}

function inputs(kind: KindName, values: unknown, own: unknown): Values {
  const members = typeof values === "object" && values !== null && !Array.isArray(values) ? values : { name: values };
  return objectOf([
    ...Object.entries(members),
    ["__provider", providerText(kind)],
    ["__neon", own ?? { urn: urnOf(kind, "odd") }],
  ]);
}

/** Configures the kinds in this process with an unreachable account: `check` sends no requests. */
export function useNowhere(): void {
  const config: Readonly<Record<string, string>> = {
    "neon:apiKey": "napi_some_key",
    "neon:apiUrl": "http://127.0.0.1:9/api/v2",
    "neon:orgId": "org-quiet-river-302709",
  };
  const get = (key: string): string => config[key] ?? "";
  void provider("Project").configure?.({ config: { get, require: get } });
}
