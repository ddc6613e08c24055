import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { accountKey, organizationAdmin, personalKey, projectOwner } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { organizationAsOwner, userAsOwner } from "../model/accounts/owner";
import { acceptTransfer, createTransferRequest, transferProjects } from "../model/projects/transfer";

/** One year. */
const maxTtlSeconds = 31_536_000;
const transferRequest = z.object({ ttl_seconds: z.int().min(1).max(maxTtlSeconds).optional() });
const projectsTransfer = z.object({
  destination_org_id: platformId,
  project_ids: z.array(platformId).min(1).max(400),
});

export const transferPaths: ApiPaths = {
  "/projects/:project_id/transfer_requests": {
    POST: allow(
      { ...projectOwner, status: 201, body: transferRequest, isBodyOptional: true },
      ({ controlPlane, project, body }) => createTransferRequest(controlPlane, project, body.ttl_seconds),
    ),
  },
  "/projects/:project_id/transfer_requests/:request_id": {
    PUT: allow(
      // The caller cannot see the project yet: knowing the id of the request is enough.
      { ...accountKey, body: z.object({ org_id: platformId.optional() }), isBodyOptional: true },
      ({ controlPlane, caller, parameter, body }) => {
        const request = { projectId: parameter("project_id"), requestId: parameter("request_id") };
        acceptTransfer(controlPlane, caller, request, body.org_id);
        return noContent;
      },
    ),
  },
  "/organizations/:org_id/projects/transfer": {
    POST: allow({ ...organizationAdmin, body: projectsTransfer }, ({ controlPlane, caller, organization, body }) => {
      transferProjects(controlPlane, caller, organizationAsOwner(organization), body);
      return {};
    }),
  },
  "/users/me/projects/transfer": {
    POST: allow({ ...personalKey, body: projectsTransfer }, ({ controlPlane, caller, body }) => {
      transferProjects(controlPlane, caller, userAsOwner(caller.user), body);
      return {};
    }),
  },
};
