import { milliseconds } from "../../api/duration";
import { refusedChanges, shapeProblems, unsetProblems } from "../kind/field-rules";
import type { AnyKind, Problem } from "../kind/kind";
import type { Values } from "../kind/values";
import type { KindRuntime } from "./runtime";
import { type HiddenInputs, hiddenInputsOf, hiddenKey, type Timeouts, withoutHidden } from "./state";

/** Validates inputs and fills in the default name. Sends nothing. Returns the inputs as the engine is to store them. */
export function check(
  { kind, services }: KindRuntime,
  before: Values | undefined,
  given: Values,
): { readonly inputs: Values; readonly problems: readonly Problem[] } {
  const declared = hiddenInputsOf(given);
  const { inputs, hidden } = withName(kind, withoutHidden(given), services.program.take(declared), before);
  services.registry.declare(hidden.urn);
  const account = services.account();
  const problems: readonly Problem[] = [
    ...("problems" in account ? account.problems : []),
    ...timeoutProblems(declared.timeouts),
    ...shapeProblems(kind.inputs, inputs),
    ...(before === undefined && "settings" in account ? unsetProblems(kind.rules, inputs, account.settings) : []),
    ...(before === undefined ? [] : refusedChanges(kind.rules, withoutHidden(before), inputs)),
  ];
  return { inputs: { ...inputs, [hiddenKey]: hidden }, problems };
}

/**
 * Inputs with the default name, which is the logical name. A resource that is renamed in the program with an alias keeps
 * the default name it was created with: renaming must not change the object.
 */
export function withName(
  { defaultName, adoptedName }: AnyKind,
  inputs: Values,
  hidden: HiddenInputs,
  before: Values | undefined,
): { readonly inputs: Values; readonly hidden: HiddenInputs } {
  if (defaultName === undefined) return { inputs, hidden };
  const declared = inputs[defaultName];
  // Kept even while the program declares a name: a change of the hidden inputs would show up in `--diff`.
  const chosen = before === undefined ? undefined : hiddenInputsOf(before).name;
  const name = chosen ?? (declared === undefined ? (adoptedName?.(inputs) ?? logicalName(hidden.urn)) : undefined);
  return {
    inputs: declared === undefined ? { ...inputs, [defaultName]: name } : inputs,
    hidden: name === undefined ? hidden : { ...hidden, name },
  };
}

/** The last part of a URN: the name that the program gives a resource. It can contain colons itself. */
function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

function timeoutProblems(timeouts: Timeouts | undefined): readonly Problem[] {
  return Object.entries(timeouts ?? {}).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: 'must be a duration such as "90s", "10m" or "1h30m"' }]
      : [],
  );
}
