import { jwksUrlCreate } from "../../api/schemas/jwks-url";
import { inProject } from "../http/authorization";
import { route } from "../http/route";
import { addJwks, deleteJwks, jwksOf, jwksOfProject } from "../model/jwks-url";
import { operationAnswer } from "../model/operation";

const jwks = "/projects/:project_id/jwks";

export const jwksRoutes = [
  route({
    method: "GET",
    path: jwks,
    scope: inProject,
    handle: ({ plane, project }) => ({ jwks: jwksOfProject(plane, project().id) }),
  }),
  route({
    method: "POST",
    path: jwks,
    scope: inProject,
    status: 201,
    body: jwksUrlCreate,
    handle: ({ plane, project, body }) => {
      const added = addJwks(plane, project(), body);
      return {
        jwks: added.jwks,
        operations: added.operations.map((operation) => operationAnswer(plane, operation)),
      };
    },
  }),
  route({
    method: "DELETE",
    path: `${jwks}/:jwks_id`,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      const present = jwksOf(plane, project().id, parameter("jwks_id"));
      deleteJwks(plane, present);
      return present;
    },
  }),
];
