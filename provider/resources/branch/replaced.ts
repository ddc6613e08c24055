import { invalid, type NeonError } from "../../../api/core/errors";
import { type Branch, branches } from "../../../api/schemas/branch";
import { type Collection, every } from "../../call/collection";
import type { Context } from "../../call/context";
import { branchTitle } from "./obstacles";
import { type BranchAddress, readBranch } from "./read";

// Restoring a snapshot over a branch creates a new branch. When the restore is finalized, the new branch gets the name
// and the computes of the old one. The old branch keeps its id, its data, and the resource that manages it.

/** The branch that has taken the place of this one, if a snapshot was restored over it. */
export async function replacementOf(
  context: Context,
  { projectId, branchId }: BranchAddress,
): Promise<Branch | undefined> {
  const next = await context.readOne(replacementsIn(projectId), branchId);
  // The replacement may itself have been replaced.
  return next && ((await replacementOf(context, { projectId, branchId: next.id })) ?? next);
}

/** The branches of a project that have replaced another one, keyed by the id of the replaced branch. */
function replacementsIn(projectId: string): Collection<Branch> {
  async function* pages(reader: Parameters<Collection<Branch>["pages"]>[0]) {
    for await (const { items, ...page } of reader.pages(branches.list(projectId, { sortOrder: "asc" }))) {
      yield { ...page, items: items.map(({ branch }) => branch).filter(hasReplaced) };
    }
  }
  return {
    name: `replacements/${projectId}`,
    projectId,
    pages,
    keyOf: ({ restored_as: replaced = "" }) => replaced,
    get: async (reader, branchId) => (await every(pages(reader))).find((one) => one.restored_as === branchId),
    optional: true,
  };
}

function hasReplaced({ restored_as: replaced, restore_status: status }: Branch): boolean {
  return replaced !== undefined && status !== "restored";
}

/** The text about a replaced branch and what to do, for a refresh, a preview and an error. */
function replacedText(replaced: Branch, by: Branch): string {
  return [
    `A snapshot was restored over the ${branchTitle(replaced)}: the ${branchTitle(by)} has its name and its computes now.`,
    `To manage that branch, remove this one from the state (\`pulumi state delete --target-dependents\`) and declare \`adopt: "${by.id}"\`.`,
    `To keep managing this one, declare \`name: "${replaced.name}"\` and no \`compute\`.`,
    "See neon-pulumi/docs/restore.md#after-a-snapshot-was-restored-over-a-branch.",
  ].join(" ");
}

/**
 * During a refresh, warns if the branch was replaced, because that explains its missing compute. Returns the message
 * that refuses the next changes.
 */
export async function noticeReplacement(context: Context, address: BranchAddress): Promise<string | undefined> {
  const obstacle = context.isRefresh ? (await replacedError(context, address, ""))?.message : undefined;
  if (obstacle !== undefined) context.warn(obstacle);
  return obstacle;
}

/**
 * The error of a change to a replaced branch; undefined if the branch was not replaced.
 *
 * @param effect a sentence that says what the change did
 */
export async function replacedError(
  context: Context,
  address: BranchAddress,
  effect = " Nothing was changed.",
): Promise<NeonError | undefined> {
  const by = await replacementOf(context, address);
  const branch = by && (await readBranch(context, address.projectId, address.branchId))?.branch;
  return by && branch && invalid(`${replacedText(branch, by)}${effect}`);
}
