import { explained, hasStatus } from "../../../api/core/errors";
import { branches } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import type { BranchAddress } from "./read";

/**
 * The parent of a branch. Only root branches have snapshots, and a restore can give a root branch a parent. Also
 * undefined if the branch cannot be read, because the parent only explains another error.
 */
export async function parentOf(context: Context, { projectId, branchId }: BranchAddress): Promise<string | undefined> {
  const answer = await context.read(branches.get(projectId, branchId)).catch(() => undefined);
  return answer?.branch.parent_id;
}

/** Explains the 422 for a snapshot or a schedule if its branch has a parent. Returns any other error as it is. */
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
