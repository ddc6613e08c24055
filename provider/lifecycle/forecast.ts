import type { Pending } from "../call/pending-work";
import { ruleFor, withDeclaredAt } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { atPath, unknownValue, type Values } from "../values";
import type { State } from "./state";

/**
 * The outputs that an update will have, for a preview: those in the state with the declared values. Unknown is only what the
 * change can move. Of an object whose earlier change is unfinished, that is what any change can move, and of one whose creation
 * is, all but the address.
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

/** The outputs that a change can move besides the inputs themselves. Undefined: all that do not identify the object. */
function movedBy(
  { rules }: AnyKind,
  unfinished: Pending["step"] | undefined,
  changed: readonly string[],
): readonly string[] | undefined {
  if (unfinished === "create") return undefined;
  const paths = unfinished === undefined ? changed : Object.keys(rules);
  return paths.flatMap((path) => ruleFor(rules, path).affects ?? []);
}
