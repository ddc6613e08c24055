import { conflict } from "../../http-error";
import { limits, requireBelow } from "../accounts/limits";
import type { ControlPlane } from "../control-plane";

/** @throws HttpError 409. The name of a branch is in use until its deletion has ended: if that fails, the branch is back. */
export function requireUniqueName({ tables }: ControlPlane, projectId: string, name: string): void {
  const [other] = tables.branches.list(
    { project_id: projectId, name },
    "AND (deleted_at IS NULL OR deletion_id IS NOT NULL) LIMIT 1",
  );
  if (other) throw conflict(`branch with the name "${name}" already exists`);
}

/** @throws HttpError 422 if a project has as many branches, or as many root or protected ones, as are allowed. */
export function checkBranchLimits(
  controlPlane: ControlPlane,
  projectId: string,
  added: { readonly isRoot: boolean; readonly isProtected?: boolean },
): void {
  const { branches } = controlPlane.tables;
  const existing = { project_id: projectId, deleted_at: null };
  requireBelow(limits.branches, branches.count(existing), "branches per project", "BRANCHES_LIMIT_EXCEEDED");
  if (added.isRoot) {
    const roots = branches.count({ ...existing, parent_id: null });
    requireBelow(limits.rootBranches, roots, "root branches per project", "ROOT_BRANCHES_LIMIT_EXCEEDED");
  }
  if (added.isProtected === true) checkProtectedBranchLimit(controlPlane, projectId);
}

/** @throws HttpError 422 */
export function checkProtectedBranchLimit({ tables }: ControlPlane, projectId: string): void {
  const count = tables.branches.count({ project_id: projectId, protected: 1, deleted_at: null });
  requireBelow(limits.protectedBranches, count, "protected branches per project", "BRANCHES_PROTECTED_LIMIT_EXCEEDED");
}
