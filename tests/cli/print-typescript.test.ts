import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

import fc from "fast-check";
import { describe, it } from "mocha";
import * as prettier from "prettier";

import { type Expression, Reference } from "../../cli/print/program";
import { printConstant, printDeclaration } from "../../cli/print/typescript";

const settings = JSON.parse(readFileSync(".prettierrc.json", "utf8")) as prettier.Options;

/** Texts as names, addresses and settings have them, and as they should not. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.stringMatching(/^[a-z0-9 ."'\\/é東京🚀-]{0,130}$/u),
);
const reference = fc
  .tuple(fc.stringMatching(/^q[a-z]{1,12}$/), fc.option(fc.stringMatching(/^[a-z]{2,10}$/), { nil: undefined }))
  .map(([variable, output]) => new Reference(variable, output));
const key = fc.oneof(fc.stringMatching(/^[a-z]{1,12}$/), fc.string({ minLength: 1, maxLength: 8 }));
const { value } = fc.letrec<{ value: Expression }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    reference,
    fc.array(text, { maxLength: 4 }),
    fc.array(fc.dictionary(key, tie("value"), { noNullPrototype: true, maxKeys: 3 }), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { noNullPrototype: true, maxKeys: 4 }),
  ),
}));
const declaration = fc.record({
  variable: fc.stringMatching(/^q[a-z]{0,47}$/),
  isReferenced: fc.boolean(),
  kind: fc.constantFrom("Role", "NeonAuthTrustedDomain"),
  name: fc.oneof(fc.stringMatching(/^[a-z-]{1,48}$/), fc.string({ unit: "grapheme", minLength: 1, maxLength: 48 })),
  args: fc.dictionary(key, value, { noNullPrototype: true, minKeys: 1, maxKeys: 8 }),
});

describe("cli: the printed program", () => {
  it("is what Prettier would make of it, whatever names and values it has", async () => {
    await fc.assert(
      fc.asyncProperty(declaration, async (drawn) => {
        const printed = `${printDeclaration(drawn)}\n`;
        assert.equal(await prettier.format(printed, { ...settings, parser: "typescript" }), printed);
      }),
      { numRuns: 500 },
    );
  });

  it("holds the values that it was printed from", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const value: Expression = { one, [other]: [1, true, { other }] };
        const json: unknown = runInNewContext(`${printConstant("value", value)} JSON.stringify(value);`);
        assert.equal(json, JSON.stringify(value));
      }),
    );
  });
});
