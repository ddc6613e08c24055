import { z } from "zod";

import { toWire } from "../core/camel-case";
import { path, request } from "../core/request";

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
  get: (projectId: string, query: ConnectionUriQuery) =>
    request("GET", path`/projects/${projectId}/connection_uri`, connectionUriResponse, { query: toWire(query) }),
};
