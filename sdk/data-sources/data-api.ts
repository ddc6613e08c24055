// Generated from api/lookups/data-api.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** Settings of a Data API. */
export interface DataApiSettingsResult {
  /** Whether requests can use aggregate functions. */
  readonly dbAggregatesEnabled?: boolean;
  /** Postgres role of requests without a token. */
  readonly dbAnonRole?: string;
  /** Schemas that are added to the search path. */
  readonly dbExtraSearchPath?: string;
  /** Maximum number of rows that a response contains. Absent if there is no limit. */
  readonly dbMaxRows?: number;
  /** Schemas that the API exposes. */
  readonly dbSchemas?: string[];
  /** Path of the claim in a token that names the Postgres role. */
  readonly jwtRoleClaimKey?: string;
  /** Maximum time for which a verified token is cached, in seconds. */
  readonly jwtCacheMaxLifetime?: number;
  /** Mode of the OpenAPI description: `ignore-privileges` or `disabled`. */
  readonly openapiMode?: string;
  /** Origins that browsers can send requests from (CORS). */
  readonly serverCorsAllowedOrigins?: string;
  /** Whether responses have `Server-Timing` headers. */
  readonly serverTimingEnabled?: boolean;
}

/** The Data API of a database. */
export interface DataApiResult {
  /** URL of the API. */
  readonly url: string;
  /** Status of the deployment, as Neon words it. */
  readonly status: string;
  /** Settings, if Neon returns them. */
  readonly settings?: DataApiSettingsResult;
  /** Schemas of the database, if Neon returns them. */
  readonly availableSchemas?: string[];
}

/** Arguments of `getDataApi`. */
export interface GetDataApiArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Name of the database that the API serves. */
  readonly databaseName: string;
}

const getDataApiSource = dataSource<GetDataApiArgs, DataApiResult>("getDataApi");

/**
 * Reads the Data API of a database. Fails if the database has none.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/data-api/{database_name}`.
 *
 * @example
 * ```ts
 * const api = new neon.DataApi("api", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   databaseName: "neondb",
 * });
 * const { projectId, branchId, databaseName } = api;
 * export const status = neon.getDataApiOutput({ projectId, branchId, databaseName }).status;
 * ```
 */
export function getDataApi(args: GetDataApiArgs, options?: LookupOptions) {
  return getDataApiSource.invoke(args, options);
}

/** Output form of {@link getDataApi}: the arguments can be outputs. */
export function getDataApiOutput(args: Inputs<GetDataApiArgs>, options?: LookupOptions) {
  return getDataApiSource.output(args, options);
}
