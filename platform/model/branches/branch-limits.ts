import { conflict } from "../../http-error";
import { requireBelow } from "../accounts/limits";
import { limitsOf } from "../accounts/owner";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";

/**
 * @throws HttpError 409 if the name is in use. A branch keeps its name until its deletion ends, because a failed deletion
 *   restores the branch.
 */
export function requireUniqueBranchName({ tables }: ControlPlane, projectId: string, name: string): void {
  const [other] = tables.branches.list(
    { project_id: projectId, name },
    "AND (deleted_at IS NULL OR deletion_id IS NOT NULL) LIMIT 1",
  );
  if (other) throw conflict(`branch already exists; branch_name:"${name}"`, "BRANCH_ALREADY_EXISTS");
}

/** @throws HttpError 422 if a project has reached its limit of branches, root branches or protected branches */
export function checkBranchLimits(
  controlPlane: ControlPlane,
  project: ProjectRow,
  added: { readonly isRoot: boolean; readonly isProtected?: boolean },
): void {
  const { branches } = controlPlane.tables;
  const limits = limitsOf(controlPlane, project);
  const existing = { project_id: project.id, deleted_at: null };
  requireBelow(limits.branches, branches.count(existing), "branches", "BRANCHES_LIMIT_EXCEEDED");
  if (added.isRoot) {
    const roots = branches.count({ ...existing, parent_id: null });
    requireBelow(limits.rootBranches, roots, "root branches", "ROOT_BRANCHES_LIMIT_EXCEEDED");
  }
  if (added.isProtected === true) checkProtectedBranchLimit(controlPlane, project);
}

/** @throws HttpError 422 */
export function checkProtectedBranchLimit(controlPlane: ControlPlane, project: ProjectRow): void {
  const limits = limitsOf(controlPlane, project);
  const count = controlPlane.tables.branches.count({ project_id: project.id, protected: 1, deleted_at: null });
  requireBelow(limits.protectedBranches, count, "protected branches", "BRANCHES_PROTECTED_LIMIT_EXCEEDED");
}
