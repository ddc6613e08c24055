/**
 * Pulumi resources and data sources for Neon, the serverless Postgres service: projects, branches, computes, roles,
 * databases and API keys.
 *
 * @packageDocumentation
 */
export type { BundleOptions } from "../bundle/options";
export { bundle } from "./bundle";
export * from "./components/branch-environment";
export { BucketFolder, type BucketFileArgs, type BucketFolderArgs } from "./components/bucket-folder";
export { config } from "./config";
export type { Inputs, LookupOptions } from "./lookup-options";
export { Migration, type MigrationArgs } from "./migration";
export { Provider, type ProviderArgs } from "./provider";
export type { OptionalOutput, RequiredOutput } from "./required-output";

export * from "./resources/index";
export * from "./data-sources/index";
