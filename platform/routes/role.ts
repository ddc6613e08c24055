import { z } from "zod";

import { roleCreate } from "../../api/schemas/role";
import { projectMember } from "../http/authorization";
import { noContent } from "../http/response";
import { route } from "../http/route";
import { getBranch } from "../model/branches/branch";
import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  requirePassword,
  resetPassword,
  type RoleChange,
  roleResponse,
  roleResponseWithPassword,
} from "../model/branches/role";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";

const rolesPath = "/projects/:project_id/branches/:branch_id/roles";
const rolePath = `${rolesPath}/:role_name`;

export const roleRoutes = [
  route({
    method: "GET",
    path: rolesPath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { roles: listRoles(controlPlane, branch.id).map(roleResponse) };
    },
  }),
  route({
    method: "POST",
    path: rolesPath,
    authorization: projectMember,
    status: 201,
    body: z.object({ role: roleCreate }),
    handle: ({ controlPlane, project, parameter, body }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return passwordResponse(controlPlane, createRole(controlPlane, project, branch, body.role));
    },
  }),
  route({
    method: "GET",
    path: rolePath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { role: roleResponse(getRole(controlPlane, branch.id, parameter("role_name"))) };
    },
  }),
  route({
    method: "DELETE",
    path: rolePath,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      const where = { branch_id: branch.id, name: parameter("role_name"), deleted_at: null };
      const role = controlPlane.tables.roles.get(where);
      if (!role) return noContent;
      const { operations } = deleteRole(controlPlane, project, branch, role);
      return { role: roleResponse(role), operations: operationResponses(controlPlane, operations) };
    },
  }),
  route({
    method: "GET",
    path: `${rolePath}/reveal_password`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      return { password: requirePassword(getRole(controlPlane, branch.id, parameter("role_name"))) };
    },
  }),
  route({
    method: "POST",
    path: `${rolePath}/reset_password`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const branch = getBranch(controlPlane, project.id, parameter("branch_id"));
      const role = getRole(controlPlane, branch.id, parameter("role_name"));
      return passwordResponse(controlPlane, resetPassword(controlPlane, project, branch, role));
    },
  }),
];

/** The response to a change that sets a password. */
function passwordResponse(controlPlane: ControlPlane, { role, operations }: RoleChange): object {
  return { role: roleResponseWithPassword(role), operations: operationResponses(controlPlane, operations) };
}
