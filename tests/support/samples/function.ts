import { answering, deployed } from "../../../platform/tests/support/function";
import type { Values } from "../provider-server";
import type { Stage } from "../stage";
import { branchPath } from "./object";

/** Deploys a function to a branch. */
export async function deployAt(stage: Stage, branch: Values, slug: string): Promise<void> {
  await deployed(stage.platform, `${branchPath(branch)}/functions/${slug}`, { files: answering(slug) });
}

/** Deploys what triggers and domains name on a branch. */
export async function prepareFunctions(stage: Stage, branch: Values): Promise<void> {
  for (const slug of ["api", "web"]) await deployAt(stage, branch, slug);
}

/** A branch with these functions. */
export async function branchWithFunctions(
  stage: Stage,
): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId, branchId } = await stage.project();
  await prepareFunctions(stage, { projectId, branchId });
  return { projectId, branchId };
}
