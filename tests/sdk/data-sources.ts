import type * as pulumi from "@pulumi/pulumi";

import * as neon from "../../sdk";

/** Arguments of a data source. */
export type Args = Readonly<Record<string, unknown>>;

/** What a data source takes. */
export interface DataSource {
  /** Names of arguments that it accepts together. */
  readonly args: readonly ArgName[];
  /** Arguments that must have a value. Default: all. */
  readonly required?: readonly string[];
  /** Two arguments of which exactly one is given. */
  readonly oneOf?: readonly [string, string];
  /** The error for a project or a branch that does not exist. Default: the 404. */
  readonly missing?: RegExp;
  /** Whether a platform without a Postgres has nothing to return. */
  readonly empty?: true;
}

type ArgName =
  | "projectId"
  | "branchId"
  | "endpointId"
  | "operationId"
  | "orgId"
  | "databaseName"
  | "roleName"
  | "from"
  | "to"
  | "granularity";

/** Every data source. */
export const dataSources: Readonly<Record<string, DataSource>> = {
  compareSchema: { args: ["projectId", "branchId", "databaseName"] },
  getAdvisorIssues: { args: ["projectId", "branchId", "databaseName"], required: ["projectId"], empty: true },
  getApiKeys: { args: ["orgId"], required: [] },
  getBranch: { args: ["projectId", "branchId"], required: ["projectId"], oneOf: ["branchId", "name"] },
  getBranchConsumption: {
    args: ["orgId", "projectId", "from", "to", "granularity"],
    required: ["projectId", "from", "to", "granularity"],
  },
  getBranchCount: { args: ["projectId"] },
  getBranchSchema: { args: ["projectId", "branchId", "databaseName"] },
  getBranchStorage: { args: ["projectId", "branchId"] },
  getBranches: { args: ["projectId"] },
  getBuckets: { args: ["projectId", "branchId"] },
  getConnectionUri: { args: ["projectId", "branchId", "roleName", "databaseName"], missing: /^There is no branch / },
  getCredentials: { args: ["projectId", "branchId"] },
  getCurrentUser: { args: [] },
  getDataApi: { args: ["projectId", "branchId", "databaseName"] },
  getDatabases: { args: ["projectId", "branchId"] },
  getEndpoint: { args: ["projectId", "endpointId"], required: ["projectId"], oneOf: ["endpointId", "branchId"] },
  getEndpoints: { args: ["projectId", "branchId"], required: ["projectId"] },
  getJwks: { args: ["projectId"] },
  getNeonAuth: { args: ["projectId", "branchId"] },
  getNeonAuthOauthProviders: { args: ["projectId", "branchId"] },
  getNeonAuthTrustedDomains: { args: ["projectId", "branchId"] },
  getOperation: { args: ["projectId", "operationId"] },
  getOperations: { args: ["projectId"] },
  getOrganization: { args: ["orgId"], required: [], oneOf: ["orgId", "name"] },
  getOrganizationInvitations: { args: ["orgId"], required: [] },
  getOrganizationMembers: { args: ["orgId"], required: [] },
  getOrganizations: { args: [] },
  getPermissions: { args: ["projectId"] },
  getPreloadLibraries: { args: ["projectId"] },
  getProject: { args: ["projectId"], required: [], oneOf: ["projectId", "name"] },
  getProjectConsumption: { args: ["orgId", "from", "to", "granularity"], required: ["from", "to", "granularity"] },
  getProjectMembers: { args: ["projectId"] },
  getProjects: { args: ["orgId"], required: [] },
  getRegions: { args: ["orgId"], required: [] },
  getRoles: { args: ["projectId", "branchId"] },
  getSharedProjects: { args: [] },
  getSnapshots: { args: ["projectId"] },
};

const functions = neon as unknown as Readonly<Record<string, unknown>>;

/** Both forms of a data source. */
export function formsOf(name: string) {
  return {
    read: functions[name] as (args: Args) => Promise<unknown>,
    output: functions[`${name}Output`] as (args: Args) => pulumi.Output<unknown>,
  };
}
