import { jwksUrlCreate } from "../../api/schemas/jwks-url";
import { projectMember } from "../http/authorization";
import { route } from "../http/route";
import { createJwks, deleteJwks, getJwks, listJwks } from "../model/branches/jwks-url";
import { operationResponses } from "../model/operations/operation";

const jwksPath = "/projects/:project_id/jwks";

export const jwksRoutes = [
  route({
    method: "GET",
    path: jwksPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({ jwks: listJwks(controlPlane, project.id) }),
  }),
  route({
    method: "POST",
    path: jwksPath,
    authorization: projectMember,
    status: 201,
    body: jwksUrlCreate,
    handle: ({ controlPlane, project, body }) => {
      const { jwks, operations } = createJwks(controlPlane, project, body);
      return { jwks, operations: operationResponses(controlPlane, operations) };
    },
  }),
  route({
    method: "DELETE",
    path: `${jwksPath}/:jwks_id`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      const jwks = getJwks(controlPlane, project.id, parameter("jwks_id"));
      deleteJwks(controlPlane, jwks);
      return jwks;
    },
  }),
];
