import { locked } from "../../http-error";
import type { ControlPlane } from "../control-plane";

/**
 * Every change of a project locks it until the operations of the change have ended.
 *
 * @throws HttpError 423 while operations of the project are in progress.
 */
export function requireUnlockedProject(controlPlane: ControlPlane, projectId: string): void {
  if (isLocked(controlPlane, projectId)) {
    throw locked("project already has running conflicting operations, scheduling of new ones is prohibited");
  }
}

/** Whether operations of a project are in progress. */
export function isLocked({ tables }: ControlPlane, projectId: string): boolean {
  return tables.operations.get({ project_id: projectId, ended: 0 }) !== undefined;
}

/** The SQL condition that no operations of a project are in progress. Jobs wait until it holds. */
export const unlockedProject = (projectId: string): string =>
  `AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.project_id = ${projectId} AND o.ended = 0)`;
