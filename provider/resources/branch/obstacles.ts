import { explained, hasStatus } from "../../../api/core/errors";
import type { Branch } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import { type BranchAddress, childrenOf, readBranch } from "./read";

/** A property of a branch that makes the platform refuse a request, and what to do about it. */
export interface Obstacle {
  readonly is: "protected" | "default" | "parent";
  readonly fix: string;
}

/** Explains a branch's 422 by the first of these obstacles that applies. Returns any other error as it is. */
export async function explainedByObstacle(
  context: Context,
  { projectId, branchId }: BranchAddress,
  error: unknown,
  failed: string,
  obstacles: readonly Obstacle[],
): Promise<unknown> {
  if (!hasStatus(error, 422)) return error;
  const branch = (await readBranch(context, projectId, branchId).catch(() => undefined))?.branch;
  if (branch === undefined) return error;
  for (const { is, fix } of obstacles) {
    const reason = await reasons[is](context, branch);
    if (reason !== undefined) return explained(`The ${branchTitle(branch)} ${failed}: ${reason}`, error, fix);
  }
  return error;
}

const reasons: Readonly<Record<Obstacle["is"], (context: Context, branch: Branch) => Promise<string | undefined>>> = {
  protected: (_, branch) => Promise.resolve(branch.protected === true ? "it is protected" : undefined),
  default: (_, branch) => Promise.resolve(branch.default === true ? "it is the project's default branch" : undefined),
  parent: async (context, { project_id: projectId, id }) => {
    const children = await childrenOf(context, projectId, id);
    return children.length > 0 ? `it is the parent of ${listNamed(children)}` : undefined;
  },
};

/** The name and id of a branch, for messages. */
export function branchTitle({ name, id }: Pick<Branch, "name" | "id">): string {
  return `branch ${name} (${id})`;
}

const mostListed = 10;

/** The names and ids of branches, for messages. */
export function listTitles(branches: readonly Branch[]): string {
  return `${branches.length === 1 ? "branch" : "branches"} ${listNamed(branches)}`;
}

function listNamed(branches: readonly Branch[]): string {
  const named = branches.slice(0, mostListed).map(({ name, id }) => `${name} (${id})`);
  const others = branches.length - named.length;
  return [...named, ...(others > 0 ? [`and ${others} more`] : [])].join(", ");
}
