import type { ControlPlane } from "../control-plane";
import type { PlannedOperation } from "../operations/operation";

const intervalMs = 3_600_000;

/** The time of the next check of a project's availability; `null` without the `background` option. */
export function nextCheckAt({ background, clock }: ControlPlane): number | null {
  return background ? clock.now() + intervalMs : null;
}

/** Schedules the first check of projects that were created without the `background` option. */
export function scheduleFirstChecks(controlPlane: ControlPlane): void {
  const { projects } = controlPlane.tables;
  for (const project of projects.list({ deleted_at: null, check_at: null })) {
    projects.put({ ...project, check_at: nextCheckAt(controlPlane) });
  }
}

/** The checks of a project: one for each branch with a read-write compute. */
export function availabilityChecks({ tables }: ControlPlane, projectId: string): PlannedOperation[] {
  return tables.endpoints
    .list({ project_id: projectId, type: "read_write", deleted_at: null }, "ORDER BY created_at")
    .map(({ id, branch_id }) => ({ action: "check_availability", branchId: branch_id, endpointId: id }));
}
