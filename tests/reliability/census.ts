import type { Values } from "../support/dynamic-server";
import type { Stage } from "../support/stage";

/** How many objects there are of each sort. */
export type Census = Readonly<Record<string, number>>;

/** Lists of the account, and the members of their answers that hold the objects; none for a list as such. */
const accountLists = [
  ["projects", "/projects?limit=400", "projects"],
  ["keys", "/api_keys", undefined],
  ["organization keys", "/organizations/:org/api_keys", undefined],
  ["VPC endpoints", "/organizations/:org/vpc/vpc_endpoints", "endpoints"],
] as const;
const projectLists = [
  ["branches", "/branches?limit=1000", "branches"],
  ["computes", "/endpoints", "endpoints"],
  ["snapshots", "/snapshots", "snapshots"],
  ["key URLs", "/jwks", "jwks"],
  ["permissions", "/permissions", "project_permissions"],
  ["VPC restrictions", "/vpc_endpoints", "endpoints"],
] as const;
const branchLists = ["roles", "databases"] as const;

/** Counts everything that the account has, and all that is in one project. */
export async function census(stage: Stage, project: string | undefined): Promise<Census> {
  const counts: Record<string, number> = {};
  const count = async (sort: string, path: string, member: string | undefined): Promise<readonly Values[]> => {
    const { status, body } = await stage.platform.call("GET", path);
    if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${body.message}`);
    const answer: unknown = body;
    const all = (member === undefined ? answer : (answer as Values)[member]) as readonly Values[];
    // A permission that was taken back stays in its list.
    const present = all.filter((one) => one["revoked_at"] === undefined);
    counts[sort] = (counts[sort] ?? 0) + present.length;
    return present;
  };
  const organization = await stage.platform.firstOrganization();
  for (const [sort, path, member] of accountLists) await count(sort, path.replace(":org", organization), member);
  if (project === undefined) return counts;
  for (const [sort, path, member] of projectLists) {
    const all = await count(sort, `/projects/${project}${path}`, member);
    if (sort !== "branches") continue;
    for (const { id } of all) {
      for (const list of branchLists) await count(list, `/projects/${project}/branches/${String(id)}/${list}`, list);
    }
  }
  return counts;
}

/** What has come (positive) and gone (negative) between two counts. */
export function growth(before: Census, after: Census): Census {
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((sort) => [sort, (after[sort] ?? 0) - (before[sort] ?? 0)] as const)
      .filter(([, change]) => change !== 0),
  );
}
