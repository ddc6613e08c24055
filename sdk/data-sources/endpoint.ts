import * as pulumi from "@pulumi/pulumi";

import { type Endpoint, endpoints, poolerHostOf } from "../../api/schemas/endpoint";
import type { Lookup } from "../configured-settings";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";
import { failure } from "../run-error";

/** A compute, as the platform tells it. */
export interface EndpointResult {
  /** The compute's id, such as `ep-cool-darkness-123456`. */
  readonly id: string;
  /** The project it belongs to. */
  readonly projectId: string;
  /** The branch that it serves. */
  readonly branchId: string;
  /** `read_write` or `read_only`, or what a newer platform says. */
  readonly type: string;
  /** Its name, if it has one. */
  readonly name?: string;
  /** Its host. */
  readonly host: string;
  /** Host of the connection pooler before it. */
  readonly poolerHost?: string;
  /** Its region. */
  readonly regionId?: string;
  /** `init`, `active`, `idle`, or what a newer platform says. It changes by itself, after inactivity and with connections. */
  readonly currentState: string;
  /** Smallest size while autoscaling, in CU. */
  readonly autoscalingLimitMinCu?: number;
  /** Largest size, in CU. */
  readonly autoscalingLimitMaxCu?: number;
  /** Seconds without activity after which it is suspended; -1 never, 0 the platform's default. */
  readonly suspendTimeoutSeconds?: number;
  /** How it is provisioned, such as `k8s-neonvm`. */
  readonly provisioner?: string;
  /** Settings of Postgres in it. */
  readonly settings?: EndpointSettingsResult;
  /** Whether nobody can start it. */
  readonly disabled?: boolean;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** Settings of a compute. */
export interface EndpointSettingsResult {
  /** Postgres settings by name, as texts. */
  readonly pgSettings?: Readonly<Record<string, string>>;
  /**
   * PgBouncer settings by name, as texts.
   *
   * @deprecated The platform has announced the removal of this setting.
   */
  readonly pgbouncerSettings?: Readonly<Record<string, string>>;
  /** Libraries that Postgres loads when it starts. */
  readonly preloadLibraries?: {
    /** Whether the platform's default libraries are loaded. */
    readonly useDefaults?: boolean;
    /** Names of the libraries that are loaded. */
    readonly enabledLibraries?: readonly string[];
  };
}

/** Which computes to list. */
export interface GetEndpointsArgs {
  /** The project whose computes to list. */
  readonly projectId: string;
  /** Only those of this branch. Default: of all branches. */
  readonly branchId?: string;
}

/**
 * All computes of a project, or of one of its branches.
 *
 * @example
 * ```ts
 * const replicas = (await neon.getEndpoints({ projectId: "spring-example-302709" }))
 *   .filter(({ type }) => type === "read_only");
 * ```
 */
export function getEndpoints(args: GetEndpointsArgs, options?: LookupOptions): Promise<EndpointResult[]> {
  return look(options, async (lookup) => {
    assertNeeded("getEndpoints", args, "projectId");
    return (await listEndpoints(lookup, args)).map(endpointResult);
  });
}

/** {@link getEndpoints} for arguments that are outputs. */
export function getEndpointsOutput(
  args: Inputs<GetEndpointsArgs>,
  options?: LookupOptions,
): pulumi.Output<EndpointResult[]> {
  return lookOutput(args, options, getEndpoints);
}

/** Which compute to fetch: by its id, or the read-write one of a branch. */
export interface GetEndpointArgs {
  /** The project it belongs to. */
  readonly projectId: string;
  /** The compute's id. */
  readonly endpointId?: string;
  /** The branch whose read-write compute to fetch, instead of its id. */
  readonly branchId?: string;
}

/**
 * One compute. Fails if there is none; never answers another one.
 *
 * @example
 * ```ts
 * const { host } = await neon.getEndpoint({
 *   projectId: "spring-example-302709",
 *   branchId: "br-wispy-meadow-118737",
 * });
 * ```
 */
export function getEndpoint(args: GetEndpointArgs, options?: LookupOptions): Promise<EndpointResult> {
  return look(options, async (lookup) => {
    assertNeeded("getEndpoint", args, "projectId");
    return endpointResult(await findEndpoint(lookup, args));
  });
}

/** {@link getEndpoint} for arguments that are outputs. */
export function getEndpointOutput(
  args: Inputs<GetEndpointArgs>,
  options?: LookupOptions,
): pulumi.Output<EndpointResult> {
  return lookOutput(args, options, getEndpoint);
}

async function listEndpoints({ client }: Lookup, { projectId, branchId }: GetEndpointsArgs): Promise<Endpoint[]> {
  const request = branchId === undefined ? endpoints.list(projectId) : endpoints.listOfBranch(projectId, branchId);
  return (await client.send(request)).endpoints;
}

async function findEndpoint(lookup: Lookup, { projectId, endpointId, branchId }: GetEndpointArgs): Promise<Endpoint> {
  if (endpointId !== undefined && branchId === undefined) {
    return (await lookup.client.send(endpoints.get(projectId, endpointId))).endpoint;
  }
  if (endpointId !== undefined || branchId === undefined) {
    throw failure("getEndpoint takes either `endpointId` or `branchId`.");
  }
  const found = await listEndpoints(lookup, { projectId, branchId });
  const one = found.find(({ type }) => type === "read_write");
  if (one !== undefined) return one;
  throw failure(`The branch ${branchId} of project ${projectId} has no read-write compute.`);
}

function endpointResult(found: Endpoint): EndpointResult {
  const poolerHost = poolerHostOf(found);
  return known<EndpointResult>(
    { ...found, ...(poolerHost === undefined ? {} : { pooler_host: poolerHost }) },
    {
      id: true,
      projectId: true,
      branchId: true,
      type: true,
      name: true,
      host: true,
      poolerHost: true,
      regionId: true,
      currentState: true,
      autoscalingLimitMinCu: true,
      autoscalingLimitMaxCu: true,
      suspendTimeoutSeconds: true,
      provisioner: true,
      settings: true,
      disabled: true,
      createdAt: true,
    },
  );
}
