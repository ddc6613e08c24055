import { fromWire } from "../api/camel-case";

/**
 * Converts objects of Neon's API to results: their documented members, in camelCase. Other members are dropped, because
 * some of them are counters that change on their own: a stack that exports a result would differ in every preview.
 *
 * @param members the names of all members of the result
 */
export function resultOf<Result extends object>(
  members: Readonly<Record<keyof Result, true>>,
): (wire: object) => Result {
  return (wire) => {
    const all = Object.entries(fromWire(wire));
    return Object.fromEntries(all.filter(([name]) => Object.hasOwn(members, name))) as Result;
  };
}
