import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { requireKeySet } from "../model/branches/key-set";
import { createJwks, deleteJwks, jwksResponse, listJwks } from "../model/branches/jwks-url";
import type { ControlPlane } from "../model/control-plane";
import { operationResponses } from "../model/operations/operation";
import * as published from "../published/requests";

/** An invalid body is rejected afterwards. */
async function checkKeySet(controlPlane: ControlPlane, body: unknown): Promise<void> {
  const { data } = published.addProjectJWKS.body.safeParse(body);
  if (data) await requireKeySet(controlPlane, data);
}

export const jwksPaths: ApiPaths = {
  "/projects/:project_id/jwks": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      jwks: listJwks(controlPlane, project.id).map(jwksResponse),
    })),
    POST: allow(
      { ...projectMember, status: 201, ...published.addProjectJWKS, check: checkKeySet },
      ({ controlPlane, project, body }) => {
        const { jwks, operations } = createJwks(controlPlane, project, body);
        return { jwks: jwksResponse(jwks), operations: operationResponses(controlPlane, operations) };
      },
    ),
  },
  "/projects/:project_id/jwks/:jwks_id": {
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) =>
      jwksResponse(deleteJwks(controlPlane, project.id, parameter("jwks_id"))),
    ),
  },
};
