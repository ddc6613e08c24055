import { secretsOf } from "../kind/outputs";
import type { AnyKind } from "../kind/kind";
import type { Difference } from "../lifecycle/diff";
import { forecast } from "../lifecycle/forecast";
import type { State } from "../lifecycle/state";
import { hashOf } from "../ownership/ids";
import type { ResourceRegistry } from "../ownership/registry";
import { at, holdsUnknown, isObject, replacedAt, unknownValue, type Values } from "../values";
import type { HiddenInputs } from "./properties";

/**
 * Hashes of the outputs that a change in place keeps and that a preview does not show.
 *
 * @param hides the outputs that the program declares as secret
 */
export function keptOutputs(
  kind: AnyKind,
  id: string,
  state: State,
  inputs: Values,
  { changed }: Difference,
  hides: readonly string[],
): readonly string[] {
  const left = new Set([...Object.keys(inputs), ...kind.addressNames, ...secretsOf(kind), ...hides]);
  return Object.entries(forecast(kind, id, state, inputs, changed)).flatMap(([name, value]) =>
    left.has(name) || holdsUnknown(value) ? [] : [hashOfValue(value)],
  );
}

/**
 * Fills in unknown inputs from the state if they are still outputs of the resources that they come from. The engine
 * does not ask a dynamic provider for the outputs of an update. A preview would therefore show such an input as unknown
 * and, if it cannot be changed in place, as a replacement.
 */
export function resolved(
  registry: ResourceRegistry,
  inputs: Values,
  before: Values,
  unknown: HiddenInputs["unknownInputs"] = [],
): Values {
  return unknown.reduce<Values>((result, { path, urns }) => {
    const value = at(before, path);
    const isPresent =
      at(result, path) === unknownValue &&
      isOutputOf(
        urns.map((urn) => registry.keptBy(urn)),
        value,
      );
    return isPresent ? replacedAt(result, path, value) : result;
  }, inputs);
}

/** Whether the outputs of these resources contain a value, or all its parts. */
function isOutputOf(outputs: readonly (ReadonlySet<string> | undefined)[], value: unknown): boolean {
  if (value === undefined || outputs.includes(undefined)) return false;
  if (outputs.some((hashes) => hashes?.has(hashOfValue(value)) === true)) return true;
  const parts = isObject(value) ? Object.values(value) : [];
  return parts.length > 0 && parts.every((part) => isOutputOf(outputs, part));
}

function hashOfValue(value: unknown): string {
  return hashOf(JSON.stringify(value));
}
