/**
 * Pulumi resources and data sources for Neon, the serverless Postgres service: projects, branches, computes, roles,
 * databases and API keys.
 *
 * @packageDocumentation
 */
export * from "./components/branch-environment";
export { config } from "./config";
export type { Inputs, LookupOptions } from "./lookup-options";
export { Provider, type ProviderArgs } from "./provider";
export type { OptionalOutput, RequiredOutput } from "./required-output";

export * from "./resources/api-key";
export * from "./resources/backup-schedule";
export * from "./resources/branch";
export * from "./resources/bucket";
export * from "./resources/credential";
export * from "./resources/data-api";
export * from "./resources/database";
export * from "./resources/endpoint";
export * from "./resources/jwks-url";
export * from "./resources/organization-member";
export * from "./resources/neon-auth";
export * from "./resources/neon-auth-oauth-provider";
export * from "./resources/neon-auth-trusted-domain";
export * from "./resources/project";
export * from "./resources/project-member-role";
export * from "./resources/project-permission";
export * from "./resources/project-settings";
export * from "./resources/role";
export * from "./resources/snapshot";
export * from "./resources/spending-limit";
export * from "./resources/vpc-endpoint-assignment";
export * from "./resources/vpc-endpoint-restriction";

export * from "./data-sources/advisor";
export * from "./data-sources/api-key";
export * from "./data-sources/branch";
export * from "./data-sources/branch-schema";
export * from "./data-sources/bucket";
export * from "./data-sources/connection-uri";
export * from "./data-sources/credential";
export * from "./data-sources/data-api";
export * from "./data-sources/consumption";
export * from "./data-sources/database";
export * from "./data-sources/endpoint";
export * from "./data-sources/jwks-url";
export * from "./data-sources/neon-auth";
export * from "./data-sources/neon-auth-oauth-provider";
export * from "./data-sources/neon-auth-trusted-domain";
export * from "./data-sources/operation";
export * from "./data-sources/organization";
export * from "./data-sources/organization-member";
export * from "./data-sources/preload-library";
export * from "./data-sources/project";
export * from "./data-sources/project-member";
export * from "./data-sources/project-permission";
export * from "./data-sources/region";
export * from "./data-sources/role";
export * from "./data-sources/snapshot";
export * from "./data-sources/user";
