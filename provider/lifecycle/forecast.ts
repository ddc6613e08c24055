import type { Pending } from "../call/pending-work";
import { ruleFor, withDeclaredAt } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { atPath, unknownValue, type Values } from "../values";
import type { State } from "./state";

/**
 * Predicts the outputs of an update, for a preview: the outputs in the state with the declared values. Outputs that the
 * change can affect are unknown. If an earlier update is unfinished, outputs that any change can affect are unknown. If
 * the creation is unfinished, everything but the address is.
 *
 * @param changed the paths of the inputs that the update changes
 */
export function forecast(
  kind: AnyKind,
  id: string,
  { outputs, hidden }: State,
  inputs: Values,
  changed: readonly string[],
): Values {
  const declared = changed.reduce<Values>(
    (result, path) => withDeclaredAt(kind.rules, result, path, atPath(inputs, path)),
    outputs,
  );
  const moved =
    movedBy(kind, hidden.pending?.step, changed) ?? Object.keys(outputs).filter((name) => !(name in kind.address(id)));
  return { ...declared, ...Object.fromEntries(moved.map((name) => [name, unknownValue])) };
}

/**
 * The outputs that a change can affect besides the inputs themselves. Undefined: all outputs that do not identify the
 * object.
 */
function movedBy(
  { rules }: AnyKind,
  unfinished: Pending["step"] | undefined,
  changed: readonly string[],
): readonly string[] | undefined {
  if (unfinished === "create") return undefined;
  const paths = unfinished === undefined ? changed : Object.keys(rules);
  return paths.flatMap((path) => ruleFor(rules, path).affects ?? []);
}
