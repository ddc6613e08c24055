import type { Stage } from "../support/stage";
import { objectsOf } from "../support/account";
import { kindAt } from "./created-objects";

/** The paths of all objects. */
export type Census = ReadonlySet<string>;

/** How many objects of each kind were added (positive) or removed (negative). */
export type Growth = Readonly<Record<string, number>>;

/** The objects of the account, and all objects in one project. */
export async function census({ platform }: Stage, project: string | undefined): Promise<Census> {
  const extent = { projects: project === undefined ? [] : [project], passwords: false };
  return new Set((await objectsOf(platform, [platform], extent)).keys());
}

export function growth(before: Census, after: Census): Growth {
  const counts: Record<string, number> = {};
  for (const path of movedBetween(before, after)) {
    const kind = kindAt(path);
    counts[kind] = (counts[kind] ?? 0) + (after.has(path) ? 1 : -1);
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** The objects that were added or removed. */
export function movedBetween(before: Census, after: Census): readonly string[] {
  return [...new Set([...before, ...after])].filter((path) => before.has(path) !== after.has(path));
}
