import * as pulumi from "@pulumi/pulumi";

import type { Absence } from "../provider/kind/absence";
import { unitTestMocks } from "./mocks";
import { runError } from "./run-error";

/**
 * Names of the outputs of a resource that can be absent, such as `connectionUri`.
 *
 * @example
 * ```ts
 * const output: neon.OptionalOutput<neon.Branch> = "connectionUri";
 * const uri = staging.requireOutput(output);
 * ```
 */
export type OptionalOutput<Instance> = {
  [Name in keyof Instance]: Instance[Name] extends pulumi.OutputInstance<infer Value>
    ? undefined extends Value
      ? Name
      : never
    : never;
}[keyof Instance] &
  string;

/**
 * Type of an output that has a value: `Output<string>` for `Output<string | undefined>`.
 *
 * @example
 * ```ts
 * const host: neon.RequiredOutput<neon.Branch["host"]> = staging.requireOutput("host");
 * ```
 */
export type RequiredOutput<One> =
  One extends pulumi.OutputInstance<infer Value> ? pulumi.Output<Exclude<Value, undefined>> : never;

/** Outputs with the reasons why they can be absent. */
export type Absences = Readonly<Record<string, Absence>>;

/**
 * An output that fails if it has no value.
 *
 * @param described the resource as an error message names it, such as `Branch "pr-42"`
 */
export function requiredOutput(
  resource: pulumi.CustomResource,
  output: string,
  described: string,
  absences: Absences,
): pulumi.Output<unknown> {
  const outputs = resource as unknown as Readonly<Record<string, pulumi.Output<unknown>>>;
  const { needs = [], unless } = absences[output] ?? {};
  const names = [...needs, output, ...(unless === undefined ? [] : [unless.output])];
  return pulumi.all(names.map((name) => outputs[name])).apply((values: readonly unknown[]) => {
    const value = values[needs.length];
    if (value !== undefined) return value;
    const absent = absences[names[values.indexOf(undefined)] ?? ""];
    const reason = unless !== undefined && values.at(-1) === unless.value ? unless.reason : absent?.reason;
    const advice = unitTestMocks() === undefined ? reason : "In a unit test, the mock `newResource` must return it.";
    return onceCreated(resource, () => {
      throw runError([`${described} has no ${output}.`, advice].filter(Boolean).join(" "));
    });
  });
}

/**
 * Runs a function only if the resource exists. A run with `--target` creates only some resources. The ids of the others
 * are unknown, and so is the result for them.
 */
export function onceCreated<Value>(resource: pulumi.CustomResource, act: () => Value): pulumi.Output<Value> {
  return resource.id.apply(act);
}
