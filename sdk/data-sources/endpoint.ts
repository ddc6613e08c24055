// Generated from api/lookups/endpoint.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** Settings of a compute. */
export interface EndpointSettingsResult {
  /** Postgres settings: names and values as strings. */
  readonly pgSettings?: Readonly<Record<string, string>>;
  /**
   * PgBouncer settings: names and values as strings.
   *
   * @deprecated Neon has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: Readonly<Record<string, string>>;
  /** Libraries that Postgres loads at startup. */
  readonly preloadLibraries?: {
    /** Whether Neon's default libraries are loaded. */
    readonly useDefaults?: boolean;
    /** Names of the libraries that are loaded, in any order. */
    readonly enabledLibraries?: string[];
  };
}

/** A compute. */
export interface EndpointResult {
  /** Id of the compute, such as `ep-cool-darkness-123456`. */
  readonly id: string;
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Type of the compute: `read_write` or `read_only`. Newer versions of the API can return other values. */
  readonly type: string;
  /** Name of the compute. Absent if it has none. */
  readonly name?: string;
  /** Host to connect to. */
  readonly host: string;
  /** Region of the compute. */
  readonly regionId?: string;
  /**
   * `init`, `active` or `idle`. Newer versions of the API can return other values. It changes on its own when the
   * compute is inactive and when a client connects.
   */
  readonly currentState: string;
  /** Minimum size for autoscaling, in compute units (CU). */
  readonly autoscalingLimitMinCu?: number;
  /** Maximum size for autoscaling, in compute units (CU). */
  readonly autoscalingLimitMaxCu?: number;
  /** Seconds of inactivity after which Neon suspends a compute. -1: never. 0: Neon's default. */
  readonly suspendTimeoutSeconds?: number;
  /** Provisioner of the compute, such as `k8s-neonvm`. */
  readonly provisioner?: string;
  /** Postgres settings of the compute. */
  readonly settings?: EndpointSettingsResult;
  /** Whether the compute is disabled: it is suspended, and connecting to it does not start it. */
  readonly disabled?: boolean;
  /** Time of the last activity of a client (ISO 8601, UTC). Absent if there was none. */
  readonly lastActive?: string;
  /** Time at which the compute was last suspended (ISO 8601, UTC). Absent if it never was. */
  readonly suspendedAt?: string;
  /** Version of the compute's software, which Neon changes at a restart. Absent before the first start. */
  readonly computeReleaseVersion?: string;
  /** Client that created the compute, such as `console`. */
  readonly creationSource?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Host of the compute's connection pooler. */
  readonly poolerHost?: string;
}

/** Arguments of `getEndpoints`. */
export interface GetEndpointsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Branch whose computes to list. Default: all branches. */
  readonly branchId?: string;
}

const getEndpointsSource = dataSource<GetEndpointsArgs, EndpointResult[]>("getEndpoints");

/**
 * Lists the computes of a project or of one of its branches.
 *
 * Neon API: `GET /projects/{project_id}/endpoints`, `GET /projects/{project_id}/branches/{branch_id}/endpoints`.
 *
 * @example
 * ```ts
 * const computes = neon.getEndpointsOutput({ projectId: project.id });
 * export const replicas = computes.apply((all) => all.filter(({ type }) => type === "read_only"));
 * ```
 */
export function getEndpoints(args: GetEndpointsArgs, options?: LookupOptions) {
  return getEndpointsSource.invoke(args, options);
}

/** Output form of {@link getEndpoints}: the arguments can be outputs. */
export function getEndpointsOutput(args: Inputs<GetEndpointsArgs>, options?: LookupOptions) {
  return getEndpointsSource.output(args, options);
}

/** Arguments of `getEndpoint`. Exactly one of `endpointId` and `branchId` is required. */
export interface GetEndpointArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the compute. Conflicts with `branchId`. */
  readonly endpointId?: string;
  /** Branch whose read-write compute to read. Conflicts with `endpointId`. */
  readonly branchId?: string;
}

const getEndpointSource = dataSource<GetEndpointArgs, EndpointResult>("getEndpoint");

/**
 * Reads a compute by its id, or the read-write compute of a branch.
 *
 * Fails if the compute does not exist. It never returns a compute of another branch or a read replica instead.
 *
 * Neon API: `GET /projects/{project_id}/endpoints/{endpoint_id}`,
 * `GET /projects/{project_id}/branches/{branch_id}/endpoints`.
 *
 * @example
 * ```ts
 * const compute = neon.getEndpointOutput({ projectId: project.id, branchId: staging.branchId });
 * export const host = compute.host;
 * ```
 */
export function getEndpoint(args: GetEndpointArgs, options?: LookupOptions) {
  return getEndpointSource.invoke(args, options);
}

/** Output form of {@link getEndpoint}: the arguments can be outputs. */
export function getEndpointOutput(args: Inputs<GetEndpointArgs>, options?: LookupOptions) {
  return getEndpointSource.output(args, options);
}
