import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse, timestamp } from "./wire";

const transferRequest = z.looseObject({ id: z.string(), project_id: z.string(), expires_at: timestamp });

/** Requests that transfer a project to another owner. */
export const transfers = {
  /** Offers a project to everybody who knows the id of the request. */
  offer: (projectId: string, ttlSeconds: number) =>
    request("POST", path`/projects/${projectId}/transfer_requests`, transferRequest, {
      body: { ttl_seconds: ttlSeconds },
    }),
  /** Takes over an offered project, for an organization. */
  accept: (projectId: string, requestId: string, orgId: string) =>
    request("PUT", path`/projects/${projectId}/transfer_requests/${requestId}`, emptyResponse, {
      body: { org_id: orgId },
    }),
  /** Moves projects of an organization to another one. */
  betweenOrganizations: (sourceOrgId: string, destinationOrgId: string, projectIds: readonly string[]) =>
    request("POST", path`/organizations/${sourceOrgId}/projects/transfer`, emptyResponse, {
      body: { destination_org_id: destinationOrgId, project_ids: projectIds },
    }),
};
