import { z } from "zod";

import { path, request } from "../core/request";
import { httpsUrl } from "./https-url";
import { operationsMember } from "./operation";
import { postgresName } from "./postgres-name";
import { unreserved } from "./role";
import { createdAt, idOfProject, timestamp } from "./wire";

const deprecationMessage = "Neon uses it only for its older row-level security.";

/** A JWKS URL: the keys that verify the JWTs with which clients authenticate to a project. */
export const jwksUrl = z.looseObject({
  id: z.string().describe("Id of the JWKS URL."),
  project_id: idOfProject,
  jwks_url: z.string().describe("URL of the key set."),
  provider_name: z
    .string()
    .describe("Name of the authentication provider that issues the tokens, such as `Clerk` or `Auth0`."),
  branch_id: z
    .string()
    .optional()
    .meta({ description: "Id of the branch that the JWKS URL applies to.", absent: "if it applies to all branches" }),
  jwt_audience: z
    .string()
    .optional()
    .meta({ description: "Audience that a token must have.", absent: "if a token can have any audience" }),
  role_names: z.array(z.string()).optional().meta({
    description: "Names of the Postgres roles that a token can use.",
    deprecationMessage,
  }),
  created_at: createdAt,
  updated_at: timestamp.optional(),
});
export type JwksUrl = z.infer<typeof jwksUrl>;

/** The body that adds a JWKS URL. */
export const jwksUrlCreate = z.object({
  jwks_url: httpsUrl,
  provider_name: z.string().min(1),
  branch_id: z.string().min(1).optional().meta({ omitted: "all branches" }),
  jwt_audience: z.string().min(1).optional().meta({ omitted: "any audience" }),
  role_names: z.array(postgresName.check(unreserved)).max(10).optional().meta({
    omitted: "chosen by Neon",
    deprecationMessage,
  }),
  skip_role_creation: z.boolean().optional().meta({
    description: "Whether Neon does not create missing roles.",
    default: false,
    deprecationMessage,
  }),
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
