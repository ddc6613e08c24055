import { z } from "zod";

import { path, type Request } from "../request";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { timestamp } from "./wire";

/** An address of keys by which a project checks the tokens that people sign in with, as the platform reports it. */
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

/** Parsers of URLs drop white space, so that one with it would not be told back as it was declared. */
function isHttpsUrl(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && new URL(text).protocol === "https:";
}

/** The body that adds one; it is not wrapped. */
export const jwksUrlCreate = z.object({
  jwks_url: z
    .string()
    .refine(isHttpsUrl, 'must be an https URL such as "https://auth.example.com/.well-known/jwks.json"'),
  provider_name: z.string().min(1),
  /** Default: all branches. */
  branch_id: z.string().min(1).optional(),
  jwt_audience: z.string().min(1).optional(),
  /** Deprecated. The roles that tokens give. */
  role_names: z.array(postgresName).max(10).optional(),
  /** Deprecated. Whether roles that are not there are left unmade. */
  skip_role_creation: z.boolean().optional(),
});
export type JwksUrlCreate = z.infer<typeof jwksUrlCreate>;

const jwksUrlList = z.looseObject({ jwks: z.array(jwksUrl) });
const jwksUrlCreated = z.looseObject({ jwks: jwksUrl, operations: operationsMember });

/** Requests for JWKS URLs. One by one they can only be found in the list. */
export const jwksUrls = {
  list: (projectId: string): Request<z.infer<typeof jwksUrlList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/jwks`,
    schema: jwksUrlList,
  }),
  create: (projectId: string, body: JwksUrlCreate): Request<z.infer<typeof jwksUrlCreated>> => ({
    method: "POST",
    path: path`/projects/${projectId}/jwks`,
    body,
    schema: jwksUrlCreated,
  }),
  delete: (projectId: string, jwksId: string): Request<object> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/jwks/${jwksId}`,
    schema: z.looseObject({}),
  }),
};
