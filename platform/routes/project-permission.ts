import { z } from "zod";

import { permissionGrant } from "../../api/schemas/project-permission";
import { inProject } from "../http/authorization";
import { route } from "../http/route";
import { grantPermission, permissionAnswer, permissionsOf, revokePermission } from "../model/project-permission";

const permissions = "/projects/:project_id/permissions";

export const permissionRoutes = [
  route({
    method: "GET",
    path: permissions,
    scope: inProject,
    handle: ({ plane, project }) => ({ project_permissions: permissionsOf(plane, project()).map(permissionAnswer) }),
  }),
  route({
    method: "POST",
    path: permissions,
    scope: inProject,
    body: z.object({ email: permissionGrant.shape.email.pipe(z.email("must be an e-mail address")) }),
    handle: ({ plane, project, body }) => permissionAnswer(grantPermission(plane, project(), body.email)),
  }),
  route({
    method: "DELETE",
    path: `${permissions}/:permission_id`,
    scope: inProject,
    handle: ({ plane, project, parameter }) =>
      permissionAnswer(revokePermission(plane, project(), parameter("permission_id"))),
  }),
];
