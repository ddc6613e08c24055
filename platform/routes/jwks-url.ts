import { jwksUrlCreate } from "../../api/schemas/jwks-url";
import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { createJwks, deleteJwks, listJwks } from "../model/branches/jwks-url";
import { operationResponses } from "../model/operations/operation";

export const jwksPaths: ApiPaths = {
  "/projects/:project_id/jwks": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({ jwks: listJwks(controlPlane, project.id) })),
    POST: allow({ ...projectMember, status: 201, body: jwksUrlCreate }, ({ controlPlane, project, body }) => {
      const { jwks, operations } = createJwks(controlPlane, project, body);
      return { jwks, operations: operationResponses(controlPlane, operations) };
    }),
  },
  "/projects/:project_id/jwks/:jwks_id": {
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) =>
      deleteJwks(controlPlane, project.id, parameter("jwks_id")),
    ),
  },
};
