import { hashOf } from "../ownership/ids";
import type { Values } from "../values";
import type { AnyKind } from "./kind";

/** The names of the inputs that no other object may share with an object of these inputs. */
export function uniqueInputs(
  { uniqueBy, uniqueWhere = {} }: Pick<AnyKind, "uniqueBy" | "uniqueWhere">,
  inputs: Values,
): readonly string[] {
  return Object.entries(uniqueWhere).every(([name, value]) => inputs[name] === value) ? uniqueBy : [];
}

/** For kinds whose names need not be unique: the inputs by which a creation can be confused with another object. */
const distinguishing = ["projectId", "branchId", "name"];

/**
 * A hash of the place and name of an object. An object can be the result of two creations only if their hashes are
 * equal.
 */
export function naturalKeyOf(kind: Pick<AnyKind, "name" | "uniqueBy" | "uniqueWhere">, values: Values): string {
  const unique = uniqueInputs(kind, values);
  // `orgId` is omitted, because it can be declared, configured or only reported.
  const names = (unique.length > 0 ? unique : distinguishing).filter((name) => name !== "orgId");
  return hashOf(kind.name, ...names.map((name) => `${name}=${JSON.stringify(values[name] ?? null)}`));
}
