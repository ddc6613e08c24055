import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { atPath, unknownValue, type Values, withValue } from "../values";
import type { State } from "./state";

/**
 * The outputs that an update will have, for a preview: those in the state with the declared values. Unknown is only what the
 * change can move, and all but the address of an object that an earlier call has left unfinished.
 *
 * @param changed the paths of the inputs that the update changes
 */
export function forecast(
  { rules, address }: AnyKind,
  id: string,
  { outputs, hidden }: State,
  inputs: Values,
  changed: readonly string[],
): Values {
  const declared = changed.reduce<Values>(
    (result, path) => withValue(result, path.split("."), atPath(inputs, path)),
    outputs,
  );
  const moved =
    hidden.pending === undefined
      ? changed.flatMap((path) => ruleFor(rules, path).affects ?? [])
      : Object.keys(outputs).filter((name) => !(name in address(id)));
  return { ...declared, ...Object.fromEntries(moved.map((name) => [name, unknownValue])) };
}
