import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { z } from "zod";

import type { KindName } from "../../../provider/v1";
import type { DynamicServer, Values } from "../../support/dynamic-server";
import { CheckError } from "../../support/engine";
import { samples } from "../../support/samples";
import type { Stage } from "../../support/stage";
import { objectOf, oddText, prototypeNames } from "./odd";

/** What came of some lives. */
export interface Lived {
  readonly lives: number;
  /** How many ended at `check`, because of a rule for several inputs at once. */
  readonly refused: number;
  readonly failures: readonly string[];
}

/** Texts that name something else, which has to be there. */
const references = /(Id|^ownerName|^provisioner)$/;

const pieces = ["a b", "100%/é", "漢\n", "'\"", "..."];

/** The inputs of a kind that take any text, more or less. */
function freeTexts(kind: KindName): string[] {
  const { inputs } = samples[kind].definition;
  if (!(inputs instanceof z.ZodObject)) return [];
  return Object.entries(inputs.shape).flatMap(([name, schema]) =>
    !references.test(name) && name !== "adopt" && pieces.every((text) => (schema as z.ZodType).safeParse(text).success)
      ? [name]
      : [],
  );
}

function takenBy(kind: KindName, input: string, text: unknown): boolean {
  const { inputs } = samples[kind].definition;
  return inputs instanceof z.ZodObject && (inputs.shape[input] as z.ZodType).safeParse(text).success;
}

const map = fc
  .array(fc.tuple(fc.oneof(oddText, fc.constantFrom(...prototypeNames)), oddText), { minLength: 1, maxLength: 5 })
  .map((entries) => objectOf(entries.filter(([name]) => name !== "__proto__" && name !== "neon-pulumi")));

/** Odd inputs that are no single text. */
const others: Readonly<Partial<Record<KindName, fc.Arbitrary<Values>>>> = {
  Branch: fc.record({ annotations: map }),
  Project: fc.record({
    branch: fc.record({ name: oddText.filter(isName), annotations: map }, { noNullPrototype: true }),
  }),
  JwksUrl: fc.record({
    jwksUrl: fc.webUrl({ validSchemes: ["https"], withQueryParameters: true, withFragments: true }),
  }),
  ProjectPermission: fc.record({
    email: fc.emailAddress().filter((email) => z.email().max(256).safeParse(email).success),
  }),
};

function isName(text: string): boolean {
  return text.length >= 1 && text.length <= 256;
}

/** Odd inputs of a kind: what a program declares over its sample. */
function oddInputs(kind: KindName): fc.Arbitrary<Values> {
  const texts = Object.fromEntries(
    freeTexts(kind).map((input) => [input, oddText.filter((text) => takenBy(kind, input, text) && text !== "")]),
  );
  return fc
    .tuple(fc.record(texts, { noNullPrototype: true }), others[kind] ?? fc.constant({}))
    .map(([one, other]) => ({ ...one, ...other }));
}

/** Leads a kind through so many lives, each with other odd inputs that a seed determines. */
export async function livesOf(
  stage: Stage,
  later: DynamicServer,
  kind: KindName,
  { seed, count, deadline = Infinity }: { readonly seed: number; readonly count: number; readonly deadline?: number },
): Promise<Lived> {
  const all = fc.sample(fc.tuple(oddInputs(kind), oddInputs(kind)), { seed, numRuns: count });
  const failures: string[] = [];
  let lives = 0;
  let refused = 0;
  for (const [first, second] of all) {
    if (performance.now() > deadline) break;
    lives += 1;
    try {
      await life(stage, later, kind, first, second);
    } catch (error) {
      if (error instanceof CheckError) refused += 1;
      else failures.push(`${kind} ${JSON.stringify([first, second])}: ${error instanceof Error ? error.message : ""}`);
    }
  }
  return { lives, refused, failures };
}

/** Makes an object of these inputs, finds it again, changes it to others, and removes it. */
async function life(stage: Stage, later: DynamicServer, kind: KindName, first: Values, second: Values): Promise<void> {
  const sample = samples[kind];
  const ground = await sample.declare(stage);
  const resource = stage.resource(kind);
  const declared = { ...ground, ...first };
  assert.equal(await resource.up(declared), "create");
  assertKept(first, resource.outputs);
  assert.equal(await resource.up(declared), "same", "the same program again");
  assert.equal(await resource.refresh(), "same", "a refresh");
  assertKept(first, resource.outputs);
  assert.equal(await resource.up(declared), "same", "the same program after a refresh");

  const other = stage.resource(kind);
  other.server = later;
  // What nobody can read back is not for others to declare.
  const { branch: _, ...readable } = declared;
  assert.equal(await other.up({ ...readable, adopt: sample.adopt(resource.outputs) }), "create");
  assert.equal(other.id, resource.id, "what is adopted");

  const changed = { ...ground, ...second };
  await resource.up(changed);
  assertKept(second, resource.outputs);
  assert.equal(await resource.refresh(), "same", "a refresh after the change");
  assert.equal(await resource.up(changed), "same", "the changed program again");

  const { outputs } = resource;
  await resource.destroy();
  assert.ok(!(await sample.exists(stage, outputs)), "it is still there");
}

/** What was declared stands in the outputs as it was declared, where it stands there at all. */
function assertKept(declared: Values, outputs: Values): void {
  for (const [name, value] of Object.entries(declared)) {
    if (outputs[name] === undefined) continue;
    const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(outputs[name])), JSON.parse(JSON.stringify(value)));
    assert.ok(isSame, `${name} is ${JSON.stringify(outputs[name])}`);
  }
}
