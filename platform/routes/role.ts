import { z } from "zod";

import { roleCreate } from "../../api/schemas/role";
import { inProject } from "../http/authorization";
import { noContent, route } from "../http/route";
import { branchOf } from "../model/branch";
import type { ControlPlane } from "../model/control-plane";
import { operationAnswer } from "../model/operation";
import {
  addRole,
  deleteRole,
  requirePassword,
  resetPassword,
  roleAnswer,
  type RoleChange,
  roleOf,
  rolesOf,
  roleWithPassword,
} from "../model/role";

const roles = "/projects/:project_id/branches/:branch_id/roles";
const role = `${roles}/:role_name`;

export const roleRoutes = [
  route({
    method: "GET",
    path: roles,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { roles: rolesOf(plane, branch.id).map(roleAnswer) };
    },
  }),
  route({
    method: "POST",
    path: roles,
    scope: inProject,
    status: 201,
    body: z.object({ role: roleCreate }),
    handle: ({ plane, project: find, parameter, body }) => {
      const project = find();
      const added = addRole(plane, project, branchOf(plane, project.id, parameter("branch_id")), body.role);
      return { ...change(plane, added), role: roleWithPassword(added.role) };
    },
  }),
  route({
    method: "GET",
    path: role,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { role: roleAnswer(roleOf(plane, branch.id, parameter("role_name"))) };
    },
  }),
  route({
    method: "DELETE",
    path: role,
    scope: inProject,
    handle: ({ plane, project: find, parameter }) => {
      const project = find();
      const branch = branchOf(plane, project.id, parameter("branch_id"));
      const where = { branch_id: branch.id, name: parameter("role_name"), deleted_at: null };
      const present = plane.tables.roles.get(where);
      return present ? change(plane, deleteRole(plane, project, branch, present)) : noContent;
    },
  }),
  route({
    method: "GET",
    path: `${role}/reveal_password`,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { password: requirePassword(roleOf(plane, branch.id, parameter("role_name"))) };
    },
  }),
  route({
    method: "POST",
    path: `${role}/reset_password`,
    scope: inProject,
    handle: ({ plane, project: find, parameter }) => {
      const project = find();
      const branch = branchOf(plane, project.id, parameter("branch_id"));
      const reset = resetPassword(plane, project, branch, roleOf(plane, branch.id, parameter("role_name")));
      return { ...change(plane, reset), role: roleWithPassword(reset.role) };
    },
  }),
];

function change(plane: ControlPlane, { role: changed, operations }: RoleChange): object {
  return {
    role: roleAnswer(changed),
    operations: operations.map((operation) => operationAnswer(plane, operation)),
  };
}
