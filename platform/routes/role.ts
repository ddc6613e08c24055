import { branchOf } from "../model/branch";
import { roleAnswer, roleOf, rolesOf } from "../model/role";
import { route } from "../route";

const roles = "/projects/:project_id/branches/:branch_id/roles";

export const roleRoutes = [
  route({
    method: "GET",
    path: roles,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { roles: rolesOf(plane, branch.id).map(roleAnswer) };
    },
  }),
  route({
    method: "GET",
    path: `${roles}/:role_name`,
    handle: ({ plane, project, parameter }) => {
      const branch = branchOf(plane, project().id, parameter("branch_id"));
      return { role: roleAnswer(roleOf(plane, branch.id, parameter("role_name"))) };
    },
  }),
];
