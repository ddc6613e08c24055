import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  requirePassword,
  resetPassword,
  roleResponse,
  roleResponseWithPassword,
} from "../model/branches/role";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses, type Started } from "../model/operations/operation";
import type { RoleRow } from "../model/branches/role-row";
import * as published from "../published/requests";

export const rolePaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/roles": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      roles: listRoles(controlPlane, branch.id).map(roleResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchRole },
      ({ controlPlane, project, branch, body }) =>
        passwordResponse(controlPlane, createRole(controlPlane, project, branch, body.role)),
    ),
  },
  "/projects/:project_id/branches/:branch_id/roles/:role_name": {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      role: roleResponse(getRole(controlPlane, branch.id, parameter("role_name"))),
    })),
    DELETE: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const where = { branch_id: branch.id, name: parameter("role_name"), deleted_at: null };
      const role = controlPlane.tables.roles.get(where);
      if (!role) return noContent;
      const operations = deleteRole(controlPlane, project, branch, role);
      return { role: roleResponse(role), operations: operationResponses(controlPlane, operations) };
    }),
  },
  "/projects/:project_id/branches/:branch_id/roles/:role_name/reveal_password": {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      password: requirePassword(getRole(controlPlane, branch.id, parameter("role_name"))),
    })),
  },
  "/projects/:project_id/branches/:branch_id/roles/:role_name/reset_password": {
    POST: allow(branchMember, ({ controlPlane, project, branch, parameter }) => {
      const role = getRole(controlPlane, branch.id, parameter("role_name"));
      return passwordResponse(controlPlane, resetPassword(controlPlane, project, branch, role));
    }),
  },
};

/** The response to a change that sets a password. */
function passwordResponse(controlPlane: ControlPlane, { role, operations }: Started<{ role: RoleRow }>): object {
  return { role: roleResponseWithPassword(role), operations: operationResponses(controlPlane, operations) };
}
