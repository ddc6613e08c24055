import { unprocessable } from "../http-error";
import type { ControlPlane } from "./control-plane";
import { endpointsOfBranch, suspendPlan, wakeBranch } from "./endpoint";
import { begin, type Plan, requireFree } from "./operation";
import { requireQuota } from "./quota";
import type { BranchRow, OperationRow, ProjectRow } from "./rows";

/**
 * Begins to put a branch's roles and databases, as they are to be, into its Postgres: by its compute, which is woken for
 * that if it rests. Without a compute there is nothing to tell: it finds them when it starts.
 *
 * @throws Refusal 423 if any operation of the project has not ended, with a compute or without.
 */
export function reconfigure(plane: ControlPlane, project: ProjectRow, branch: BranchRow): OperationRow[] {
  requireFree(plane, project.id);
  if (branch.current_state === "init") throw unprocessable(`branch ${branch.id} is not ready yet`);
  const endpoint = endpointsOfBranch(plane, branch.id).find(({ type }) => type === "read_write");
  if (!endpoint) return [];
  const apply: Plan = { action: "apply_config", branchId: branch.id, endpointId: endpoint.id };
  if (endpoint.current_state === "active") return begin(plane, project.id, [apply]);
  requireQuota(plane, project);
  return begin(plane, project.id, [...wakeBranch(plane, endpoint), apply, suspendPlan(endpoint)]);
}

/** Of the operations that carry out a change, the one that puts it into Postgres. */
export function applying(operations: readonly OperationRow[]): OperationRow | undefined {
  return operations.find(({ action }) => action === "apply_config");
}
