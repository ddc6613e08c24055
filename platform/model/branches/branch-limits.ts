import { conflict, unprocessable } from "../../http-error";
import { limits } from "../accounts/limits";
import type { ControlPlane } from "../control-plane";

/** @throws HttpError 409. The name of a branch is in use until its deletion has ended: if that fails, the branch is back. */
export function requireUniqueName({ tables }: ControlPlane, projectId: string, name: string): void {
  const [other] = tables.branches.list(
    { project_id: projectId, name },
    "AND (deleted_at IS NULL OR deletion_id IS NOT NULL) LIMIT 1",
  );
  if (other) throw conflict(`branch with the name "${name}" already exists`);
}

/** @throws HttpError 422 */
export function checkBranchLimit({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, deleted_at: null }) >= limits.branches) {
    throw unprocessable(`the limit of ${limits.branches} branches per project is reached`, "BRANCHES_LIMIT_EXCEEDED");
  }
}

/** @throws HttpError 422 */
export function checkRootBranchLimit({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, parent_id: null, deleted_at: null }) >= limits.rootBranches) {
    throw unprocessable(
      `the limit of ${limits.rootBranches} root branches per project is reached`,
      "ROOT_BRANCHES_LIMIT_EXCEEDED",
    );
  }
}

/** @throws HttpError 422 */
export function checkProtectedBranchLimit({ tables }: ControlPlane, projectId: string): void {
  if (tables.branches.count({ project_id: projectId, protected: 1, deleted_at: null }) >= limits.protectedBranches) {
    throw unprocessable(
      `the limit of ${limits.protectedBranches} protected branches per project is reached`,
      "BRANCHES_PROTECTED_LIMIT_EXCEEDED",
    );
  }
}
