import { unprocessable } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";

/** Whether a branch can be used: not while it is created or restored, and not if that has failed. */
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
