import type * as pulumi from "@pulumi/pulumi";

import type { Provider } from "./provider";

/**
 * Options of a data source.
 *
 * @example
 * ```ts
 * const other = new neon.Provider("other", { apiKey: config.requireSecret("otherApiKey") });
 * const theirs = neon.getProjectsOutput({}, { provider: other });
 * ```
 */
export interface LookupOptions {
  /** Reads from the account of this provider. Default: the provider of `parent`, or else the stack's configuration. */
  readonly provider?: Provider;
  /** Resource or component whose provider is used if `provider` is omitted. */
  readonly parent?: pulumi.Resource;
}

/**
 * Arguments of a data source's `…Output` form. Each can be an output of a resource.
 *
 * @example
 * ```ts
 * const args: neon.Inputs<neon.GetBranchesArgs> = { projectId: project.id };
 * const branches = neon.getBranchesOutput(args);
 * ```
 */
export type Inputs<Args> = { readonly [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** Arguments of a data source that takes none. */
export type NoArgs = Readonly<Record<string, never>>;
