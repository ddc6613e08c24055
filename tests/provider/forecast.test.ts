import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { Pending } from "../../provider/call/pending-work";
import { changesAt, differences } from "../../provider/kind/differences";
import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { forecast } from "../../provider/lifecycle/forecast";
import { importable } from "../../provider/lifecycle/import";
import { unknownValue, type Values } from "../../provider/values";
import { type Sample, titleOf } from "../support/sample";
import { everySample, samples } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();

/** What the platform returns of an object of the sample, as the state holds it. */
async function created({ kind, declare }: Sample) {
  const declared = await declare(stage());
  const resource = stage().resource(kind);
  await resource.up(declared);
  const { __neon: _, __provider: __, ...outputs } = resource.outputs;
  return { id: resource.id, declared, outputs, inputs: { ...declared, ...nameOf(kind, outputs) } };
}

function nameOf(kind: KindName, outputs: Values): Values {
  const { defaultName } = kinds[kind];
  return defaultName === undefined ? {} : { [defaultName]: outputs[defaultName] };
}

describe("an import", () => {
  it("of a branch has neither its compute nor its expiry: leaving them out would delete them", async () => {
    const { outputs } = await created(samples.Branch);
    const imported = importable(kinds.Branch, { ...outputs, expiresAt: "2030-01-01T00:00:00Z", ttl: "7d" });
    assert.ok(outputs["compute"] !== undefined && "name" in imported);
    assert.ok(!("compute" in imported) && !("expiresAt" in imported) && !("ttl" in imported));
  });
});

describe("the forecast of an update", () => {
  for (const sample of everySample) {
    it(`of ${titleOf(sample)} agrees with what the update brings, in all that it calls known`, async () => {
      const { kind } = sample;
      const declared = await sample.declare(stage());
      const resource = stage().resource(kind);
      await resource.up(declared);
      let args = declared;
      for (const { input, to } of sample.inPlace(declared, resource.outputs)) {
        const { __neon: hidden, __provider: _, ...outputs } = resource.outputs;
        const top = input.split(".", 1)[0] ?? input;
        args = { ...args, [top]: to };
        const inputs = Object.fromEntries(
          Object.entries({ ...nameOf(kind, outputs), ...args }).filter(([, value]) => value !== undefined),
        );
        const before = (hidden as { declared: string[] }).declared;
        const changed = differences(kinds[kind], outputs, before, inputs);
        const expected = forecast(kinds[kind], resource.id, { outputs, hidden: {} }, inputs, changed);
        await resource.up(inputs);
        const actual = resource.outputs;
        for (const name of Object.keys(outputs).filter((one) => !changesAt(changed).has(one))) {
          if (expected[name] !== unknownValue) assert.deepEqual(actual[name], expected[name], `${input}: ${name}`);
        }
      }
    });
  }

  it("knows the outputs that a change does not move", async () => {
    const { id, outputs, inputs } = await created(samples.Branch);
    const state = { outputs, hidden: {} };
    const renamed = forecast(kinds.Branch, id, state, { ...inputs, name: "other" }, ["name"]);
    assert.deepEqual(renamed, { ...outputs, name: "other" });
    const { compute: _, ...without } = inputs as Values & { compute: unknown };
    const idle = forecast(kinds.Branch, id, state, without, ["compute"]);
    assert.deepEqual([idle["host"], idle["branchId"]], [unknownValue, outputs["branchId"]]);
  });

  const unfinished = (step: Pending["step"]): Pending => ({
    ...{ stage: "waiting", operations: [], applies: [], reason: "" },
    step,
  });
  const unknownIn = (values: Values): readonly string[] =>
    Object.keys(values).filter((name) => values[name] === unknownValue);

  it("knows only the address of an object whose creation is unfinished", async () => {
    const { id, outputs, inputs } = await created(samples.Role);
    const expected = forecast(kinds.Role, id, { outputs, hidden: { pending: unfinished("create") } }, inputs, []);
    const known = Object.keys(expected).filter((name) => expected[name] !== unknownValue);
    assert.deepEqual(known.sort(), ["branchId", "name", "projectId"]);
  });

  it("knows the outputs that no change moves of an object whose update is unfinished", async () => {
    for (const [kind, moved] of [
      ["Role", ["password"]],
      ["Project", ["hipaaEnabledAt"]],
    ] as const) {
      const { id, outputs, inputs } = await created(samples[kind]);
      const expected = forecast(kinds[kind], id, { outputs, hidden: { pending: unfinished("update") } }, inputs, []);
      assert.deepEqual(unknownIn(expected), moved);
    }
  });
});
