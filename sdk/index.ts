/**
 * Pulumi resources and data sources for Neon, the serverless Postgres service: projects, branches, computes, roles,
 * databases and API keys.
 *
 * @packageDocumentation
 */
export {
  BranchEnvironment,
  type BranchEnvironmentArgs,
  type EnvironmentDatabaseArgs,
  type EnvironmentRoleArgs,
} from "./components/branch-environment";
export { config } from "./config";
export type { Inputs, LookupOptions } from "./data-source";
export { Provider, type ProviderArgs } from "./provider";

export {
  ApiKey,
  OrganizationApiKey,
  ProjectApiKey,
  type ApiKeyArgs,
  type OrganizationApiKeyArgs,
  type ProjectApiKeyArgs,
} from "./resources/api-key";
export { BackupSchedule, type BackupArgs, type BackupScheduleArgs } from "./resources/backup-schedule";
export { Branch, type BranchArgs, type BranchRestoreArgs } from "./resources/branch";
export { Endpoint, type EndpointArgs } from "./resources/endpoint";
export { Database, type DatabaseArgs } from "./resources/database";
export { JwksUrl, type JwksUrlArgs } from "./resources/jwks-url";
export { Project, type ProjectArgs } from "./resources/project";
export { Role, type RoleArgs } from "./resources/role";
export { ProjectPermission, type ProjectPermissionArgs } from "./resources/project-permission";
export type {
  AllowedIpsArgs,
  ComputeArgs,
  DefaultEndpointSettingsArgs,
  EndpointSettingsArgs,
  FirstBranchArgs,
  MaintenanceWindowArgs,
  PreloadLibrariesArgs,
  ProjectSettingsArgs,
  QuotaArgs,
} from "./resources/project-settings";
export { Snapshot, type SnapshotArgs } from "./resources/snapshot";
export { VpcEndpointAssignment, type VpcEndpointAssignmentArgs } from "./resources/vpc-endpoint-assignment";
export { VpcEndpointRestriction, type VpcEndpointRestrictionArgs } from "./resources/vpc-endpoint-restriction";

export { getApiKeys, getApiKeysOutput, type ApiKeyResult, type GetApiKeysArgs } from "./data-sources/api-key";
export {
  getBranch,
  getBranches,
  getBranchesOutput,
  getBranchOutput,
  type BranchResult,
  type GetBranchArgs,
  type GetBranchesArgs,
} from "./data-sources/branch";
export {
  compareSchema,
  compareSchemaOutput,
  getBranchSchema,
  getBranchSchemaOutput,
  type BranchSchemaResult,
  type CompareSchemaArgs,
  type CompareSchemaResult,
  type GetBranchSchemaArgs,
  type SchemaColumn,
  type SchemaConstraint,
  type SchemaReference,
  type SchemaTable,
} from "./data-sources/branch-schema";
export {
  getEndpoint,
  getEndpointOutput,
  getEndpoints,
  getEndpointsOutput,
  type EndpointResult,
  type EndpointSettingsResult,
  type GetEndpointArgs,
  type GetEndpointsArgs,
} from "./data-sources/endpoint";
export {
  getConnectionUri,
  getConnectionUriOutput,
  type ConnectionUriResult,
  type GetConnectionUriArgs,
} from "./data-sources/connection-uri";
export { getDatabases, getDatabasesOutput, type DatabaseResult, type GetDatabasesArgs } from "./data-sources/database";
export {
  getOperation,
  getOperationOutput,
  getOperations,
  getOperationsOutput,
  type GetOperationArgs,
  type GetOperationsArgs,
  type OperationResult,
} from "./data-sources/operation";
export { getJwks, getJwksOutput, type GetJwksArgs, type JwksUrlResult } from "./data-sources/jwks-url";
export {
  getProject,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
  type GetProjectArgs,
  type GetProjectsArgs,
  type ProjectResult,
} from "./data-sources/project";
export {
  getOrganization,
  getOrganizationOutput,
  getOrganizations,
  getOrganizationsOutput,
  type GetOrganizationArgs,
  type OrganizationResult,
} from "./data-sources/organization";
export {
  getPermissions,
  getPermissionsOutput,
  type GetPermissionsArgs,
  type PermissionResult,
} from "./data-sources/project-permission";
export { getRegions, getRegionsOutput, type GetRegionsArgs, type RegionResult } from "./data-sources/region";
export { getCurrentUser, getCurrentUserOutput, type CurrentUserResult } from "./data-sources/user";
export { getRoles, getRolesOutput, type GetRolesArgs, type RoleResult } from "./data-sources/role";
export { getSnapshots, getSnapshotsOutput, type GetSnapshotsArgs, type SnapshotResult } from "./data-sources/snapshot";
