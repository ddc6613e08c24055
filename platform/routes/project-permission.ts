import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import {
  grantPermission,
  listPermissions,
  permissionResponse,
  revokePermission,
} from "../model/projects/project-permission";
import * as published from "../published/requests";

export const permissionPaths: ApiPaths = {
  "/projects/:project_id/permissions": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      project_permissions: listPermissions(controlPlane, project).map(permissionResponse),
    })),
    POST: allow({ ...projectMember, ...published.grantPermissionToProject }, ({ controlPlane, project, body }) =>
      permissionResponse(grantPermission(controlPlane, project, body.email)),
    ),
  },
  "/projects/:project_id/permissions/:permission_id": {
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) =>
      permissionResponse(revokePermission(controlPlane, project, parameter("permission_id"))),
    ),
  },
};
