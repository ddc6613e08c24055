/**
 * Serverless-Postgres projects, branches and computes as Pulumi resources, and lookups of what exists.
 *
 * @packageDocumentation
 */
export { config } from "./config";
export type { Inputs, LookupOptions } from "./lookup";
export { Provider, type ProviderArgs } from "./provider";

export { Branch, type BranchArgs } from "./resources/branch";
export { Project, type ProjectArgs } from "./resources/project";
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
} from "./resources/settings";

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
  getOperation,
  getOperationOutput,
  getOperations,
  getOperationsOutput,
  type GetOperationArgs,
  type GetOperationsArgs,
  type OperationResult,
} from "./data-sources/operation";
export {
  getProject,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
  type GetProjectArgs,
  type GetProjectsArgs,
  type ProjectResult,
} from "./data-sources/project";
