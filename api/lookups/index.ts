import { getAdvisorIssues } from "./advisor";
import { getApiKeys } from "./api-key";
import { getBranch, getBranchCount, getBranches } from "./branch";
import { compareSchema, getBranchSchema } from "./branch-schema";
import { getBranchStorage, getBuckets } from "./bucket";
import { getConnectionUri } from "./connection-uri";
import { getCredentials } from "./credential";
import { getDataApi } from "./data-api";
import { getBranchConsumption, getProjectConsumption } from "./consumption";
import { getDatabases } from "./database";
import { getEndpoint, getEndpoints } from "./endpoint";
import { getJwks } from "./jwks-url";
import type { Lookup } from "./lookup";
import { getNeonAuth } from "./neon-auth";
import { getNeonAuthOauthProviders } from "./neon-auth-oauth-provider";
import { getNeonAuthTrustedDomains } from "./neon-auth-trusted-domain";
import { getOperation, getOperations } from "./operation";
import { getOrganization, getOrganizations } from "./organization";
import { getOrganizationInvitations, getOrganizationMembers } from "./organization-member";
import { getPreloadLibraries } from "./preload-library";
import { getProject, getProjects, getSharedProjects } from "./project";
import { getProjectMembers } from "./project-member";
import { getPermissions } from "./project-permission";
import { getRegions } from "./region";
import { getRoles } from "./role";
import { getSnapshots } from "./snapshot";
import { getCurrentUser } from "./user";

/** Every lookup by its name. */
export const lookups = {
  compareSchema,
  getAdvisorIssues,
  getApiKeys,
  getBranch,
  getBranchConsumption,
  getBranchCount,
  getBranches,
  getBranchSchema,
  getBranchStorage,
  getBuckets,
  getConnectionUri,
  getCredentials,
  getCurrentUser,
  getDataApi,
  getDatabases,
  getEndpoint,
  getEndpoints,
  getJwks,
  getNeonAuth,
  getNeonAuthOauthProviders,
  getNeonAuthTrustedDomains,
  getOperation,
  getOperations,
  getOrganization,
  getOrganizationInvitations,
  getOrganizationMembers,
  getOrganizations,
  getPermissions,
  getPreloadLibraries,
  getProject,
  getProjectConsumption,
  getProjectMembers,
  getProjects,
  getRegions,
  getRoles,
  getSharedProjects,
  getSnapshots,
};

/** The name of a lookup. */
export type LookupName = keyof typeof lookups;

lookups satisfies { [Name in LookupName]: Lookup & { readonly name: Name } };

export type { Account, Lookup } from "./lookup";
