import { explained, hasStatus } from "../../../api/core/errors";
import { branches } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import type { BranchAddress } from "./read";

/**
 * The parent of a branch, without which it has snapshots: a restore gives a root branch one. Undefined also if the branch cannot be
 * read: the parent only explains something else.
 */
export async function parentOf(context: Context, { projectId, branchId }: BranchAddress): Promise<string | undefined> {
  const answer = await context.read(branches.get(projectId, branchId)).catch(() => undefined);
  return answer?.branch.parent_id;
}

/** The 422 for a snapshot or a schedule, explained if its branch has a parent; any other error as it is. */
export async function explainedByParent(
  context: Context,
  address: BranchAddress,
  error: unknown,
  { failed, resource }: { readonly failed: string; readonly resource: string },
): Promise<unknown> {
  if (!hasStatus(error, 422)) return error;
  const parent = await parentOf(context, address);
  if (parent === undefined) return error;
  return explained(
    `${failed}: the branch has a parent, ${parent}`,
    error,
    `Only root branches take snapshots. Remove the \`${resource}\` from the program, or declare a root branch.`,
  );
}
