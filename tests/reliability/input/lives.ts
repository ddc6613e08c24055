import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { z } from "zod";

import { messageOf } from "../../../api/core/errors";
import type { KindName } from "../../../provider/frozen-entry";
import { CheckError } from "../../support/engine";
import type { Values } from "../../support/provider-server";
import { samples } from "../../support/samples";
import { mailServer } from "../../support/samples/neon-auth";
import type { Stage } from "../../support/stage";
import { assertUpToDate } from "../../support/up-to-date";
import { objectOf, unusualText, prototypeNames } from "./unusual";

/** Inputs that refer to existing objects. */
const references = /(Id|^ownerName|^databaseName|^provisioner)$/;

const pieces = ["a b", "100%/é", "漢\n", "'\"", "..."];

/** The inputs of a kind that accept almost any text, with their schemas. */
function freeTexts(kind: KindName): (readonly [name: string, schema: z.ZodType])[] {
  const inputs = samples[kind].definition.inputs();
  if (!(inputs instanceof z.ZodObject)) return [];
  return Object.entries(inputs.shape as Readonly<Record<string, z.ZodType>>).filter(
    ([name, schema]) =>
      !references.test(name) && name !== "adopt" && pieces.every((text) => schema.safeParse(text).success),
  );
}

const map = fc
  .array(fc.tuple(fc.oneof(unusualText, fc.constantFrom(...prototypeNames)), unusualText), {
    minLength: 1,
    maxLength: 5,
  })
  .map((entries) => objectOf(entries.filter(([name]) => name !== "__proto__" && name !== "neon-pulumi")));

/** Odd inputs that are not a single text. */
const others: Readonly<Partial<Record<KindName, fc.Arbitrary<Values>>>> = {
  Branch: fc.record({ annotations: map }),
  Project: fc.record({
    branch: fc.record({ name: unusualText.filter(isName), annotations: map }, { noNullPrototype: true }),
  }),
  JwksUrl: fc.record({
    jwksUrl: fc.webUrl({ validSchemes: ["https"], withQueryParameters: true, withFragments: true }),
  }),
  // Its password is a text of its own.
  NeonAuth: fc.record({ emailProvider: fc.constant(mailServer) }),
  NeonAuthTrustedDomain: fc.record({
    domain: fc.webUrl({ validSchemes: ["http", "https"], withQueryParameters: true, withFragments: true }),
  }),
  ProjectPermission: fc.record({
    email: fc.emailAddress().filter((email) => z.email().max(256).safeParse(email).success),
  }),
};

function isName(text: string): boolean {
  return text.length >= 1 && text.length <= 256;
}

/** Odd inputs of a kind, which replace those of its sample. */
function unusualInputs(kind: KindName): fc.Arbitrary<Values> {
  const texts = Object.fromEntries(
    freeTexts(kind).map(([input, schema]) => [
      input,
      unusualText.filter((text) => schema.safeParse(text).success && text !== ""),
    ]),
  );
  return fc
    .tuple(fc.record(texts, { noNullPrototype: true }), others[kind] ?? fc.constant({}))
    .map(([one, other]) => ({ ...one, ...other }));
}

/**
 * Creates, adopts, updates and deletes an object with unusual inputs, which the seed determines. A rule for several inputs at
 * once may refuse them.
 */
export async function unusualLife(stage: Stage, kind: KindName, seed: number): Promise<void> {
  const inputs = fc.tuple(unusualInputs(kind), unusualInputs(kind));
  for (const [first, second] of fc.sample(inputs, { seed, numRuns: 1 })) {
    await life(stage, kind, first, second).catch((error: unknown) => {
      if (error instanceof CheckError) return;
      throw new Error(`${kind} ${JSON.stringify([first, second])}: ${messageOf(error)}`, { cause: error });
    });
  }
}

async function life(stage: Stage, kind: KindName, first: Values, second: Values): Promise<void> {
  const sample = samples[kind];
  const fixture = await sample.declare(stage);
  const resource = stage.resource(kind);
  const declared = { ...fixture, ...first };
  assert.equal(await resource.up(declared), "create");
  assertKept(first, resource.outputs);
  await assertUpToDate(stage, resource, declared);
  assertKept(first, resource.outputs);

  const other = await stage.nextRun(stage.resource(kind));
  // An adopting program cannot declare inputs that are not readable.
  const { branch: _, ...readable } = declared;
  assert.equal(await other.up({ ...readable, adopt: sample.adopt(resource.outputs) }), "create");
  assert.equal(other.id, resource.id, "what is adopted");

  const changed = { ...fixture, ...second };
  await resource.up(changed);
  assertKept(second, resource.outputs);
  await assertUpToDate(stage, resource, changed);

  const { outputs } = resource;
  await resource.destroy();
  assert.ok(!(await sample.exists(stage, outputs)), "it is still there");
}

/** The outputs contain the declared values unchanged, if they contain them at all. */
function assertKept(declared: Values, outputs: Values): void {
  for (const [name, value] of Object.entries(declared)) {
    if (outputs[name] === undefined) continue;
    const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(outputs[name])), JSON.parse(JSON.stringify(value)));
    assert.ok(isSame, `${name} is ${JSON.stringify(outputs[name])}`);
  }
}
