import fc from "fast-check";

import { messageOf } from "../../../api/core/errors";

/** Something that holds for any input. */
export interface Property {
  readonly name: string;
  /** What it is about, with others. */
  readonly group: string;
  /** How many inputs it takes, relative to the others. */
  readonly weight: number;
  readonly property: fc.IRawProperty<unknown>;
}

/**
 * Tests a property with so many inputs for its weight, which the seed determines.
 *
 * @returns with how many inputs it was tested
 * @throws Error with the smallest counterexample, and what repeats it
 */
export async function assertHolds({ group, name, weight, property }: Property, seed: number, runs: number) {
  // The search for a smaller counterexample must not take longer than the test may.
  const limits = { endOnFailure: false, interruptAfterTimeLimit: 60_000 };
  const details = await fc.check(property, { seed, numRuns: runs * weight, ...limits });
  if (!details.failed) return details.numRuns;
  const report = await fc.asyncDefaultReportMessage(details);
  throw new Error(`${group}: ${name}\n${report}\n${messageOf(details.errorInstance)}`);
}

/** The properties by their groups. */
export function groupsOf(properties: readonly Property[]): Map<string, Property[]> {
  const groups = new Map<string, Property[]>();
  for (const property of properties) groups.set(property.group, [...(groups.get(property.group) ?? []), property]);
  return groups;
}
