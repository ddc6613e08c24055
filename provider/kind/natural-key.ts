import { hashOf } from "../ownership/ids";
import type { Values } from "../values";
import type { AnyKind } from "./kind";

/** The inputs that no two objects may share, for an object of these inputs. */
export function uniqueInputs(
  { uniqueBy, uniqueWhere = {} }: Pick<AnyKind, "uniqueBy" | "uniqueWhere">,
  inputs: Values,
): readonly string[] {
  return Object.entries(uniqueWhere).every(([name, value]) => inputs[name] === value) ? uniqueBy : [];
}

/** Where names need not be unique, these inputs tell which objects a creation can be confused with. */
const distinguishing = ["projectId", "branchId", "name"];

/**
 * A hash of what two creations have in common if an object can be the result of either: its place and its name.
 *
 * @param values inputs, or the outputs of an object
 */
export function naturalKeyOf(kind: Pick<AnyKind, "name" | "uniqueBy" | "uniqueWhere">, values: Values): string {
  const unique = uniqueInputs(kind, values);
  // The organization can be declared, configured or reported.
  const names = (unique.length > 0 ? unique : distinguishing).filter((name) => name !== "orgId");
  return hashOf(kind.name, ...names.map((name) => `${name}=${JSON.stringify(values[name] ?? null)}`));
}
