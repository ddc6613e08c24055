import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { accountKey, organizationAdmin, projectOwner } from "../http/authorization";
import { noContent } from "../http/response";
import { route } from "../http/route";
import { acceptTransfer, createTransferRequest, transferProjects } from "../model/projects/transfer";

const requestsPath = "/projects/:project_id/transfer_requests";
/** One year. */
const maxTtlSeconds = 31_536_000;

export const transferRoutes = [
  route({
    method: "POST",
    path: requestsPath,
    authorization: projectOwner,
    status: 201,
    body: z.object({ ttl_seconds: z.int().min(1).max(maxTtlSeconds).optional() }),
    isBodyOptional: true,
    handle: ({ controlPlane, project, body }) => createTransferRequest(controlPlane, project, body.ttl_seconds),
  }),
  route({
    method: "PUT",
    path: `${requestsPath}/:request_id`,
    // The caller cannot see the project yet: knowing the id of the request is enough.
    authorization: accountKey,
    body: z.object({ org_id: platformId.optional() }),
    isBodyOptional: true,
    handle: ({ controlPlane, caller, parameter, body }) => {
      const request = { projectId: parameter("project_id"), requestId: parameter("request_id") };
      acceptTransfer(controlPlane, caller, request, body.org_id);
      return noContent;
    },
  }),
  route({
    method: "POST",
    path: "/organizations/:org_id/projects/transfer",
    authorization: organizationAdmin,
    body: z.object({ destination_org_id: platformId, project_ids: z.array(platformId).min(1).max(400) }),
    handle: ({ controlPlane, caller, organization, body }) => {
      transferProjects(controlPlane, caller, organization, body);
      return {};
    },
  }),
];
