// Generated from api/lookups/connection-uri.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A connection to a database of a branch. All members are as sensitive as the URI. */
export interface ConnectionUriResult {
  /** Connection URI, including the role's password. Secret. */
  readonly uri: string;
  /** Host in the URI: of the compute or of its connection pooler. */
  readonly host: string;
  /** Compute that the URI connects to. */
  readonly endpointId: string;
  /** Whether the URI uses the connection pooler. */
  readonly pooled: boolean;
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Role to connect as. */
  readonly roleName: string;
  /** Database to connect to. */
  readonly databaseName: string;
}

/** Arguments of `getConnectionUri`. */
export interface GetConnectionUriArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Role to connect as. */
  readonly roleName: string;
  /** Database to connect to. */
  readonly databaseName: string;
  /** Compute to connect to, such as a read replica. Default: the branch's read-write compute. */
  readonly endpointId?: string;
  /** Whether to connect through the connection pooler. Default: `false`, Neon's default. */
  readonly pooled?: boolean;
}

const getConnectionUriSource = dataSource<GetConnectionUriArgs, ConnectionUriResult>("getConnectionUri");

/**
 * Reads the URI to connect to a database of a branch as a role.
 *
 * Fails if the branch, its compute, the role or the database does not exist, if the project does not store passwords,
 * and if Neon returns the URI of anything else.
 *
 * The `uri` is a secret. A form of this function that returns a plain value loses that mark: use the one that returns
 * an output.
 *
 * Neon API: `GET /projects/{project_id}/connection_uri`.
 *
 * @example
 * ```ts
 * const connection = neon.getConnectionUriOutput({
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   roleName: "neondb_owner",
 *   databaseName: "neondb",
 *   pooled: true,
 * });
 * export const databaseUrl = connection.uri; // a secret
 * ```
 */
export function getConnectionUri(args: GetConnectionUriArgs, options?: LookupOptions) {
  return getConnectionUriSource.invoke(args, options);
}

/** Output form of {@link getConnectionUri}: the arguments can be outputs, and the result is secret. */
export function getConnectionUriOutput(args: Inputs<GetConnectionUriArgs>, options?: LookupOptions) {
  return getConnectionUriSource.output(args, options);
}
