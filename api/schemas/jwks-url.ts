import { z } from "zod";

import { path, request } from "../core/request";
import { httpsUrl } from "./https-url";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { unreserved } from "./role";
import { timestamp } from "./wire";

/** A JWKS URL: the keys that verify the JWTs with which clients authenticate to a project. */
export const jwksUrl = z.looseObject({
  id: z.string(),
  project_id: z.string(),
  branch_id: z.string().optional(),
  jwks_url: z.string(),
  provider_name: z.string(),
  jwt_audience: z.string().optional(),
  role_names: z.array(z.string()).optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
});
export type JwksUrl = z.infer<typeof jwksUrl>;

/** The body that adds a JWKS URL. */
export const jwksUrlCreate = z.object({
  jwks_url: httpsUrl,
  provider_name: z.string().min(1),
  /** Default: all branches. */
  branch_id: z.string().min(1).optional(),
  jwt_audience: z.string().min(1).optional(),
  /** Deprecated. The roles that a JWT may assume. */
  role_names: z.array(postgresName.check(unreserved)).max(10).optional(),
  /** Deprecated. Whether to skip the creation of missing roles. */
  skip_role_creation: z.boolean().optional(),
});
export type JwksUrlCreate = z.infer<typeof jwksUrlCreate>;

const jwksUrlList = z.looseObject({ jwks: z.array(jwksUrl) });
const jwksUrlCreated = z.looseObject({ jwks: jwksUrl, operations: operationsMember });

/** Requests for JWKS URLs. There is no request for a single one: search the list. */
export const jwksUrls = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/jwks`, jwksUrlList),
  create: (projectId: string, body: JwksUrlCreate) =>
    request("POST", path`/projects/${projectId}/jwks`, jwksUrlCreated, { body }),
  delete: (projectId: string, jwksId: string) =>
    request("DELETE", path`/projects/${projectId}/jwks/${jwksId}`, z.looseObject({})),
};
