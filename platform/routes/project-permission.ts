import { z } from "zod";

import { permissionGrant } from "../../api/schemas/project-permission";
import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import {
  grantPermission,
  listPermissions,
  permissionResponse,
  revokePermission,
} from "../model/projects/project-permission";

const permissionsPath = "/projects/:project_id/permissions";

export const permissionRoutes = [
  route({
    method: "GET",
    path: permissionsPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({
      project_permissions: listPermissions(controlPlane, project).map(permissionResponse),
    }),
  }),
  route({
    method: "POST",
    path: permissionsPath,
    authorization: projectMember,
    body: z.object({ email: permissionGrant.shape.email.pipe(z.email("must be an e-mail address")) }),
    handle: ({ controlPlane, project, body }) => permissionResponse(grantPermission(controlPlane, project, body.email)),
  }),
  route({
    method: "DELETE",
    path: `${permissionsPath}/:permission_id`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) =>
      permissionResponse(revokePermission(controlPlane, project, parameter("permission_id"))),
  }),
];
