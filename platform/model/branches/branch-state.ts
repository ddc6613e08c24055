import { unprocessable } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";

/** @throws HttpError 404 */
export function getBranch({ tables }: ControlPlane, projectId: string, branchId: string): BranchRow {
  return tables.branches.getOr404("branch", { id: branchId, project_id: projectId, deleted_at: null });
}

/** The branch with an id; without an id, the default branch. */
export function getBranchOrDefault(controlPlane: ControlPlane, projectId: string, id: string | undefined): BranchRow {
  if (id !== undefined) return getBranch(controlPlane, projectId, id);
  const where = { project_id: projectId, default: 1, deleted_at: null };
  return controlPlane.tables.branches.getOr404("default branch", where);
}

/** Whether a branch can be used. It cannot while it is created or restored, nor after either has failed. */
export function isReady({ current_state: state }: BranchRow): boolean {
  return !["init", "resetting"].includes(state);
}

/** Whether a restore of a branch is in progress. */
export function isBeingRestored({ current_state: state, pending_state: next }: BranchRow): boolean {
  return state === "resetting" && next !== undefined;
}

/** @throws HttpError 422 */
export function requireReady(branch: BranchRow): void {
  if (!isReady(branch)) throw unprocessable("branch not ready yet");
}

export function hasChildren({ tables }: ControlPlane, branch: BranchRow): boolean {
  return tables.branches.get({ parent_id: branch.id, deleted_at: null }) !== undefined;
}
