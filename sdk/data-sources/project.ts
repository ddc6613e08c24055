// Generated from api/lookups/project.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A project. Lists do not have `storePasswords`. */
export interface ProjectResult {
  /** Id of the project. */
  readonly id: string;
  /** Name of the project. Names are not unique. */
  readonly name: string;
  /** Cloud platform, such as `aws`. */
  readonly platformId: string;
  /** Region, such as `aws-eu-central-1`. */
  readonly regionId: string;
  /** Major version of Postgres. */
  readonly pgVersion: number;
  /** Provisioner of the computes, such as `k8s-neonvm`. */
  readonly provisioner?: string;
  /** Id of the organization that owns the project, if any. */
  readonly orgId?: string;
  /** Whether Neon stores the passwords of roles, so that they can be read again. */
  readonly storePasswords?: boolean;
  /** How long history is retained for branching and restore, in seconds. */
  readonly historyRetentionSeconds?: number;
  /** Host of the connection proxy. */
  readonly proxyHost?: string;
  /** Maximum logical size of a branch, in mebibytes. */
  readonly branchLogicalSizeLimit?: number;
  /** Size of the data and the write-ahead log of all branches, in bytes. */
  readonly syntheticStorageSize?: number;
  /** Time for which computes of the project were active, in seconds. Absent except in lists. */
  readonly activeTime?: number;
  /** Latest time at which a compute of the project was active (ISO 8601, UTC). Absent if none was. */
  readonly computeLastActiveAt?: string;
  /** Start of the billing period (ISO 8601, UTC). Absent in lists. */
  readonly consumptionPeriodStart?: string;
  /** End of the billing period (ISO 8601, UTC). Absent in lists. */
  readonly consumptionPeriodEnd?: string;
  /** Time at which the quota of the project is reset (ISO 8601, UTC). Deprecated by Neon. Absent except in lists. */
  readonly quotaResetAt?: string;
  /** Time at which the maintenance of the project begins (ISO 8601, UTC). Absent if none is planned. */
  readonly maintenanceStartsAt?: string;
  /** Time at which HIPAA was enabled (ISO 8601, UTC). Absent if HIPAA is not enabled. */
  readonly hipaaEnabledAt?: string;
  /** Client that created the project, such as `console`. */
  readonly creationSource?: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
  /** Time of its deletion (ISO 8601, UTC). Absent if the project is not deleted. */
  readonly deletedAt?: string;
  /** Until when a deleted project can be recovered (ISO 8601, UTC). Absent if it is not deleted. */
  readonly recoverableUntil?: string;
}

/** Arguments of `getProjects`. */
export interface GetProjectsArgs {
  /** Text that the name or the id contains. Default: all projects. */
  readonly search?: string;
  /** Organization whose projects to list. Default: the provider's `orgId`. */
  readonly orgId?: string;
  /** Whether to list the deleted projects that can be recovered instead. Default: `false`. */
  readonly recoverable?: boolean;
}

const getProjectsSource = dataSource<GetProjectsArgs, ProjectResult[]>("getProjects");

/**
 * Lists the projects that the API key in use can see. All pages are read.
 *
 * Fails if the list cannot be read. It never returns an empty list instead. With `recoverable: true`, it lists the
 * deleted projects that can be recovered, each with the time until then.
 *
 * Neon API: `GET /projects`.
 *
 * @example
 * ```ts
 * const projects = neon.getProjectsOutput({ search: "shop" });
 * export const names = projects.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getProjects(args: GetProjectsArgs = {}, options?: LookupOptions) {
  return getProjectsSource.invoke(args, options);
}

/** Output form of {@link getProjects}: the arguments can be outputs. */
export function getProjectsOutput(args: Inputs<GetProjectsArgs> = {}, options?: LookupOptions) {
  return getProjectsSource.output(args, options);
}

/** Arguments of `getSharedProjects`. */
export interface GetSharedProjectsArgs {
  /** Text that the name or the id contains. Default: all projects. */
  readonly search?: string;
}

const getSharedProjectsSource = dataSource<GetSharedProjectsArgs, ProjectResult[]>("getSharedProjects");

/**
 * Lists the projects that other accounts share with the user who owns the API key.
 *
 * Neon API: `GET /projects/shared`.
 *
 * @example
 * ```ts
 * const projects = neon.getSharedProjectsOutput();
 * export const names = projects.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getSharedProjects(args: GetSharedProjectsArgs = {}, options?: LookupOptions) {
  return getSharedProjectsSource.invoke(args, options);
}

/** Output form of {@link getSharedProjects}: the arguments can be outputs. */
export function getSharedProjectsOutput(args: Inputs<GetSharedProjectsArgs> = {}, options?: LookupOptions) {
  return getSharedProjectsSource.output(args, options);
}

/** Arguments of `getProject`. Exactly one of `projectId` and `name` is required. */
export interface GetProjectArgs {
  /** Id of the project. Conflicts with `name`. */
  readonly projectId?: string;
  /** Exact name of the project. Conflicts with `projectId`. */
  readonly name?: string;
  /** Organization in which to search for the name. Default: the provider's `orgId`. */
  readonly orgId?: string;
}

const getProjectSource = dataSource<GetProjectArgs, ProjectResult>("getProject");

/**
 * Reads a project by its id or its name.
 *
 * Fails if no project, or more than one, has the name.
 *
 * Neon API: `GET /projects/{project_id}`, `GET /projects`.
 *
 * @example
 * ```ts
 * const shop = neon.getProjectOutput({ name: "shop" });
 * const staging = new neon.Branch("staging", { projectId: shop.id, compute: {} });
 * ```
 */
export function getProject(args: GetProjectArgs, options?: LookupOptions) {
  return getProjectSource.invoke(args, options);
}

/** Output form of {@link getProject}: the arguments can be outputs. */
export function getProjectOutput(args: Inputs<GetProjectArgs>, options?: LookupOptions) {
  return getProjectSource.output(args, options);
}
