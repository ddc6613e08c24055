import type { ControlPlane } from "./control-plane";
import type { Plan } from "./operation";

const everyMs = 3_600_000;

/** When a project's availability is checked next, if the control plane does that. */
export function nextCheck({ background, clock }: ControlPlane): number | null {
  return background ? clock.now() + everyMs : null;
}

/** Plans the first check of projects that were made while the control plane did none. */
export function planChecks(plane: ControlPlane): void {
  const { projects } = plane.tables;
  for (const project of projects.list({ deleted_at: null, check_at: null })) {
    projects.put({ ...project, check_at: nextCheck(plane) });
  }
}

/** The checks of a project: one for every branch with a compute; branches without one are not checked. */
export function checksOf({ tables }: ControlPlane, projectId: string): Plan[] {
  return tables.endpoints
    .list({ project_id: projectId, type: "read_write", deleted_at: null }, "ORDER BY created_at")
    .map(({ id, branch_id }) => ({ action: "check_availability", branchId: branch_id, endpointId: id }));
}
