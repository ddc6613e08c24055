import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { before, describe, it } from "mocha";
import { z } from "zod";

import { provider } from "../../provider/v1";
import { providerText } from "../../sdk/provider-text";
import { urnOf } from "../support/door";
import { samples } from "../support/samples";
import { quickSeed } from "../support/seeded-random";
import { anyText, anyValue, objectOf, programmingError } from "../support/unusual-values";

/** Inputs with any values, and one that the kind does not have. */
function anyInputs(schema: z.ZodType): fc.Arbitrary<Record<string, unknown>> {
  assert.ok(schema instanceof z.ZodObject);
  const members = fc.record(Object.fromEntries(Object.keys(schema.shape).map((name) => [name, anyValue])), {
    requiredKeys: [],
  });
  return (
    fc
      // The error of an unknown member has its name.
      .tuple(
        members,
        anyText.filter((name) => !programmingError.test(name)),
        anyValue,
      )
      .map(([some, name, value]) => objectOf([...Object.entries(some), [name, value]]))
  );
}

describe("check with any inputs", () => {
  // The account cannot be reached: nothing may be sent for inputs that are refused.
  before(() => {
    const config: Readonly<Record<string, string>> = {
      "neon:apiKey": "napi_some_key",
      "neon:apiUrl": "http://127.0.0.1:9/api/v2",
    };
    const get = (key: string): string => config[key] ?? "";
    void provider("Project").configure?.({ config: { get, require: get } });
  });

  for (const { kind, definition } of Object.values(samples)) {
    it(`judges those of ${kind} by its schema, and changes none`, async () => {
      const property = fc.asyncProperty(anyInputs(definition.inputs()), async (inputs) => {
        const given = { ...inputs, __provider: providerText(kind), __neon: { urn: urnOf(kind, "any") } };
        const copy = structuredClone(given);
        const { failures = [] } = (await provider(kind).check?.({}, given)) ?? {};
        assert.ok(isDeepStrictEqual(given, copy), "what was given was changed");
        for (const { property: name, reason } of failures) {
          // The error of an unknown member begins with its path.
          const said = reason.replace(/^.*(?=: there is no such property)/s, "");
          assert.ok(reason.length > 0 && !programmingError.test(said), `${name}: ${reason}`);
        }
      });
      await fc.assert(property, { seed: quickSeed(), numRuns: 20 });
    });
  }
});
