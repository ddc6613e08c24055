import { milliseconds } from "../../api/duration";
import { refusedChanges, shapeProblems, unsetProblems } from "../kind/field-rules";
import type { Kind, Problem } from "../kind/kind";
import type { Values } from "../kind/values";
import type { KindRuntime } from "./runtime";
import { type HiddenInputs, hiddenInputsOf, hiddenKey, type Timeouts, withoutHidden } from "./state";

/** Inputs as the engine is to store them, and what is wrong with them. */
export interface Checked {
  readonly inputs: Values;
  readonly problems: readonly Problem[];
}

/** Validates inputs and fills in the default name. Sends nothing. */
export function check<Inputs, Outputs extends object>(
  { kind, services }: KindRuntime<Inputs, Outputs>,
  before: Values | undefined,
  given: Values,
): Checked {
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
  { defaultName, adoptedName }: Pick<Kind<never, never>, "defaultName" | "adoptedName">,
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
