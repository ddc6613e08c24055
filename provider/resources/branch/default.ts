import { explained, hasStatus, invalid } from "../../../api/core/errors";
import { branches } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import { branchTitle } from "./obstacles";
import { type BranchAddress, childrenOf, readBranch } from "./read";

export async function setAsDefault(
  context: Context,
  projectId: string,
  branchId: string,
  applies: readonly string[] = ["default"],
): Promise<void> {
  await context.change({
    what: "set branch as default",
    request: branches.setAsDefault(projectId, branchId),
    applies,
    done: async () => (await readBranch(context, projectId, branchId))?.branch.default === true,
  });
}

/** The outputs of a deleted branch that decide which branch becomes the default one. */
interface Outgoing extends BranchAddress {
  readonly defaultSuccessorId?: string | undefined;
}

/**
 * Before the default branch is deleted, makes its declared successor the default branch. Changes nothing if the
 * platform will refuse the delete anyway.
 */
export async function handOverDefault(
  context: Context,
  { projectId, branchId, defaultSuccessorId }: Outgoing,
): Promise<void> {
  if (defaultSuccessorId === undefined) return;
  const branch = (await readBranch(context, projectId, branchId))?.branch;
  if (branch?.default !== true || branch.protected === true) return;
  if ((await childrenOf(context, projectId, branchId)).length > 0) return;
  const failed = `The ${branchTitle(branch)} was not deleted: it is the project's default branch, and \`defaultSuccessorId\` names`;
  const fix = "Declare another branch.";
  if (defaultSuccessorId === branchId) {
    throw invalid(`${failed} the branch itself`, { fix });
  }
  await setAsDefault(context, projectId, defaultSuccessorId, []).catch((error: unknown) => {
    if (!hasStatus(error, 404, 422)) throw error;
    throw explained(`${failed} ${defaultSuccessorId}, which cannot become the default`, error, fix);
  });
}
