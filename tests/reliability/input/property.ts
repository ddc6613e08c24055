import fc from "fast-check";

/** Something that holds for any input. */
export interface Property {
  readonly name: string;
  /** What it is about, with others. */
  readonly group: string;
  /** How many inputs it takes, in relation to the others. */
  readonly weight: number;
  readonly property: fc.IRawProperty<unknown>;
}

/** What came of a property: how many inputs it was tried with, and what it failed with. */
export interface Tried {
  readonly runs: number;
  readonly failure: string | undefined;
}

/** Tries a property with so many inputs that this seed determines. */
export async function tried({ property }: Property, seed: number, runs: number): Promise<Tried> {
  const details = await fc.check(property, { seed, numRuns: runs, ...limits });
  return {
    runs: details.numRuns,
    failure: details.failed ? await report(details) : undefined,
  };
}

/** The smallest input that was found, what repeats it, and what went wrong with it. */
async function report(details: fc.RunDetails<unknown>): Promise<string> {
  const { errorInstance: error } = details;
  return `${await fc.asyncDefaultReportMessage(details)}\n${error instanceof Error ? error.message : String(error)}`;
}

/** What a group of properties fails with, each tried with so many inputs of this seed for its weight; undefined if nothing. */
export async function failureOf(
  properties: readonly Property[],
  seed: number,
  runs: number,
): Promise<string | undefined> {
  const failures: string[] = [];
  for (const property of properties) {
    const { failure } = await tried(property, seed, runs * property.weight);
    if (failure !== undefined) failures.push(`${property.group}: ${property.name}\n${failure}`);
  }
  return failures.length === 0 ? undefined : failures.join("\n\n");
}

/** The properties by what they are about. */
export function groupsOf(properties: readonly Property[]): Map<string, Property[]> {
  const groups = new Map<string, Property[]>();
  for (const property of properties) groups.set(property.group, [...(groups.get(property.group) ?? []), property]);
  return groups;
}

/** Looking for a smaller counterexample must not take longer than the test may. */
const limits = { endOnFailure: false, interruptAfterTimeLimit: 60_000 } as const;
