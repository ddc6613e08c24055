import type { Stage } from "../support/stage";
import { objectsOf } from "../support/account";

/** How many objects of each sort there are. */
export type Census = Readonly<Record<string, number>>;

/** Counts the objects of the account, and all objects in one project. */
export async function census({ platform }: Stage, project: string | undefined): Promise<Census> {
  const extent = { projects: project === undefined ? [] : [project], passwords: false };
  const counts: Record<string, number> = {};
  for (const path of (await objectsOf(platform, [platform], extent)).keys()) {
    const sort = sortOf(path);
    counts[sort] = (counts[sort] ?? 0) + 1;
  }
  return counts;
}

/** The last collection in a path, and whether it is the organization's. */
export function sortOf(path: string): string {
  const last = path.split("/").at(/\/(backup_schedule|auth)$/.test(path) ? -1 : -2) ?? path;
  return path.startsWith("/organizations") ? `organization ${last}` : last;
}

/** What was added (positive) and removed (negative) between two counts. */
export function growth(before: Census, after: Census): Census {
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((sort) => [sort, (after[sort] ?? 0) - (before[sort] ?? 0)] as const)
      .filter(([, change]) => change !== 0),
  );
}
