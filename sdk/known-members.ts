import { fromWire } from "../api/camel-case";

/**
 * The documented members of a wire object, in camelCase. Others are left out: among them are counters that move by
 * themselves, and a program that exports a result whole would show a change at every preview.
 */
export function known<Result extends object>(wire: object, members: Readonly<Record<keyof Result, true>>): Result {
  const all = fromWire(wire) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in members)) as Result;
}
