import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { insertRole } from "./role";

/** The roles that tokens can use by default. */
export const tokenRoles = ["authenticator", "authenticated", "anonymous"] as const;
/** The role of requests with a valid token. */
export const authenticatedRole: (typeof tokenRoles)[number] = "authenticated";

/** Adds the missing roles for tokens to a branch. */
export function createMissingRoles(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  names: readonly string[],
): void {
  for (const name of names) {
    if (controlPlane.tables.roles.get({ branch_id: branch.id, name })) continue;
    // Clients log in as these roles with tokens, not with passwords.
    const role = insertRole(controlPlane, branch, { name, no_login: true }, project.store_passwords);
    controlPlane.tables.roles.put({ ...role, restricted: true });
  }
}
