import { branches } from "../../../api/schemas/branch";
import type { Context } from "../../kind/context";
import { present } from "./delete";

/** What stands on a branch, and when it was made. */
interface OnBranch {
  readonly projectId: string;
  readonly branchId: string;
  readonly createdAt: string;
}

/** A project is born in one request, whose times may be written to the second only. In milliseconds. */
const birthTime = 2_000;

/**
 * Whether a project was born with this, if it is the oldest of its kind on its branch: then it is as old as the project's
 * first branch. Nothing else can be that old, because the platform takes no other request until a project is made.
 */
export async function isCreatedWithProject(
  context: Context,
  { projectId, branchId, createdAt }: OnBranch,
  ofItsKind: () => Promise<readonly { readonly created_at: string }[]>,
): Promise<boolean> {
  const born = Date.parse(createdAt);
  const first = await present(firstBranch(context, projectId));
  if (first?.id !== branchId || Math.abs(born - Date.parse(first.created_at)) > birthTime) return false;
  const others = (await present(ofItsKind())) ?? [];
  return others.every(({ created_at: made }) => Date.parse(made) >= born);
}

async function firstBranch(
  context: Context,
  projectId: string,
): Promise<{ readonly id: string; readonly created_at: string } | undefined> {
  const oldest = context.list(branches.list(projectId, { sortOrder: "asc" }), { limit: 1 });
  for await (const { branch } of oldest) return branch;
  return undefined;
}
