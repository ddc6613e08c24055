import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { accountKey, administers, ownsProject } from "../http/authorization";
import { noContent, route } from "../http/route";
import { acceptTransfer, requestTransfer, transferProjects } from "../model/transfer";

const requests = "/projects/:project_id/transfer_requests";
/** A year: what is offered for longer is forgotten, and still open. */
const longestTtlSeconds = 31_536_000;

export const transferRoutes = [
  route({
    method: "POST",
    path: requests,
    scope: ownsProject,
    status: 201,
    body: z.object({ ttl_seconds: z.int().min(1).max(longestTtlSeconds).optional() }),
    isBodyOptional: true,
    handle: ({ plane, project, body }) => requestTransfer(plane, project(), body.ttl_seconds),
  }),
  route({
    method: "PUT",
    path: `${requests}/:request_id`,
    // The project is still somebody else's: who knows the request's id may have it.
    scope: accountKey,
    body: z.object({ org_id: platformId.optional() }),
    isBodyOptional: true,
    handle: ({ plane, caller, parameter, body }) => {
      const offer = { projectId: parameter("project_id"), requestId: parameter("request_id") };
      acceptTransfer(plane, caller, offer, body.org_id);
      return noContent;
    },
  }),
  route({
    method: "POST",
    path: "/organizations/:org_id/projects/transfer",
    scope: administers,
    body: z.object({ destination_org_id: platformId, project_ids: z.array(platformId).min(1).max(400) }),
    handle: ({ plane, caller, organization, body }) => {
      transferProjects(plane, caller, organization(), body);
      return {};
    },
  }),
];
