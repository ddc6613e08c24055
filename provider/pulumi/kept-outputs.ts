import { secretsOf } from "../kind/outputs";
import type { AnyKind } from "../kind/kind";
import type { Difference } from "../lifecycle/diff";
import { forecast } from "../lifecycle/forecast";
import type { State } from "../lifecycle/state";
import { hashOf } from "../ownership/ids";
import { at, holdsUnknown, isObject, replacedAt, unknownValue, type Values } from "../values";

/** A value of inputs that a preview does not know, although the resources that it comes from are not replaced. */
export interface UnknownInput {
  readonly path: readonly string[];
  /** The URNs of these resources. */
  readonly urns: readonly string[];
}

/**
 * Hashes of the outputs of a resource that its change in place keeps, and that a preview does not show.
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
 * What the outputs hold of the resources that this run changes in place. The engine does not ask a dynamic provider for them: a
 * preview shows the arguments that are such an output as unknown, and each of those that cannot be changed in place as a replacement.
 */
export class KeptOutputs {
  /** Hashes, by URN. */
  readonly #values = new Map<string, ReadonlySet<string>>();

  keep(urn: string, values: readonly string[]): void {
    this.#values.set(urn, new Set(values));
  }

  /** Inputs in which unknown values that come from such outputs are those of the state. */
  resolved(inputs: Values, before: Values, unknown: readonly UnknownInput[] = []): Values {
    return unknown.reduce<Values>((result, { path, urns }) => {
      const value = at(before, path);
      return at(result, path) === unknownValue && this.#hold(urns, value) ? replacedAt(result, path, value) : result;
    }, inputs);
  }

  /** Whether an output of these resources has the value, or the values that it consists of. */
  #hold(urns: readonly string[], value: unknown): boolean {
    const known = urns.map((urn) => this.#values.get(urn));
    const isHeld = (part: unknown): boolean =>
      known.some((values) => values?.has(hashOfValue(part)) === true) ||
      (isObject(part) && Object.keys(part).length > 0 && Object.values(part).every(isHeld));
    return value !== undefined && known.every((values) => values !== undefined) && isHeld(value);
  }
}

function hashOfValue(value: unknown): string {
  return hashOf(JSON.stringify(value));
}
