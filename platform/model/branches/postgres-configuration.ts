import { HttpError } from "../../http-error";
import { findReadWriteEndpoint, isActive, operationOn, suspendCompute, unarchiveBranch } from "../computes/endpoint";
import { requireRemainingQuota } from "../computes/quota";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import { requireUnlockedProject } from "../operations/project-lock";
import type { OperationRow } from "../operations/operation";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { requireReady } from "./branch-state";

/**
 * Applies the roles and databases of a branch to its Postgres. An idle compute is started for this, and suspended again.
 *
 * @param managed The kind of objects that the request changes. If omitted, a branch without a
 *   read-write compute needs no operation.
 * @throws HttpError 423 while operations of the project are in progress, even if this needs no operation. 412 if the branch has
 *   no read-write compute to manage roles or databases with.
 */
export function applyConfiguration(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  managed?: "roles" | "databases",
): OperationRow[] {
  requireUnlockedProject(controlPlane, project.id);
  if (branch.current_state === "init") requireReady(branch);
  const endpoint = findReadWriteEndpoint(controlPlane, branch.id);
  if (!endpoint) {
    if (managed === undefined) return [];
    throw new HttpError(412, `create a read-write endpoint to manage ${managed} on this branch`);
  }
  const apply = operationOn(endpoint, "apply_config");
  if (isActive(endpoint)) return startOperations(controlPlane, project.id, [apply]);
  requireRemainingQuota(controlPlane, project);
  const planned = [...unarchiveBranch(controlPlane, endpoint), apply, suspendCompute(endpoint)];
  return startOperations(controlPlane, project.id, planned);
}

/** The operation that applies a change to Postgres. */
export function findApplyConfig(operations: readonly OperationRow[]): OperationRow | undefined {
  return operations.find(({ action }) => action === "apply_config");
}
