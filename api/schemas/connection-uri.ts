import { z } from "zod";

import { path, type Request } from "../request";

/** A connection URI and its parts, in the response that creates a project or branch. All of it is secret. */
export const connectionDetails = z.looseObject({
  connection_uri: z.string(),
  connection_parameters: z.looseObject({
    database: z.string(),
    password: z.string(),
    role: z.string(),
    host: z.string(),
    pooler_host: z.string(),
  }),
});
export type ConnectionDetails = z.infer<typeof connectionDetails>;

const connectionUriResponse = z.looseObject({ uri: z.string() });

/** The query for a connection URI. */
export interface ConnectionUriQuery {
  readonly databaseName: string;
  readonly roleName: string;
  /** Default: the project's default branch. */
  readonly branchId?: string | undefined;
  /** Default: the branch's read-write compute. */
  readonly endpointId?: string | undefined;
  readonly pooled?: boolean | undefined;
}

/** Requests for connection URIs. */
export const connectionUris = {
  get: (projectId: string, query: ConnectionUriQuery): Request<z.infer<typeof connectionUriResponse>> => ({
    method: "GET",
    path: path`/projects/${projectId}/connection_uri`,
    query: {
      database_name: query.databaseName,
      role_name: query.roleName,
      branch_id: query.branchId,
      endpoint_id: query.endpointId,
      pooled: query.pooled,
    },
    schema: connectionUriResponse,
  }),
};
