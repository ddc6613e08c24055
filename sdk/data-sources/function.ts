// Generated from api/lookups/function.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A function of a branch. */
export interface FunctionResult {
  /** Id of the function. */
  readonly functionId: string;
  /** Slug, which identifies the function on the branch. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** URL of the function, which is public. Empty if the function cannot be invoked in this region. */
  readonly invocationUrl: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Id of the deployment that answers requests. It rises with each deployment. Absent while there is none. */
  readonly deploymentId?: number;
  /** Runtime of the deployment that answers requests, such as `nodejs24`. */
  readonly runtime?: string;
  /** Names of the variables of the deployment that answers requests. Neon does not return their values. */
  readonly environmentNames?: string[];
  /** Status of the newest deployment: `pending`, `building`, `completed` or `failed`. */
  readonly status?: string;
  /** Why the newest deployment has failed, if it has. */
  readonly error?: string;
}

/** Arguments of `getFunctions`. */
export interface GetFunctionsArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getFunctionsSource = dataSource<GetFunctionsArgs, FunctionResult[]>("getFunctions");

/**
 * Lists the functions of a branch, with those that it has from its parent. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/functions`.
 *
 * @example
 * ```ts
 * const functions = neon.getFunctionsOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const failed = functions.apply((all) => all.filter(({ status }) => status === "failed"));
 * ```
 */
export function getFunctions(args: GetFunctionsArgs, options?: LookupOptions) {
  return getFunctionsSource.invoke(args, options);
}

/** Output form of {@link getFunctions}: the arguments can be outputs. */
export function getFunctionsOutput(args: Inputs<GetFunctionsArgs>, options?: LookupOptions) {
  return getFunctionsSource.output(args, options);
}

/** Arguments of `getFunction`. */
export interface GetFunctionArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
  /** Slug of the function. */
  readonly slug: string;
}

const getFunctionSource = dataSource<GetFunctionArgs, FunctionResult>("getFunction");

/**
 * Reads a function of a branch by its slug. Fails if the branch has none of this slug. Neon's API for it is in beta.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/functions/{slug}`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const api = new neon.Function("api", { ...at, code: neon.bundle("api/index.ts") });
 * export const status = neon.getFunctionOutput({ ...at, slug: api.slug }).status;
 * ```
 */
export function getFunction(args: GetFunctionArgs, options?: LookupOptions) {
  return getFunctionSource.invoke(args, options);
}

/** Output form of {@link getFunction}: the arguments can be outputs. */
export function getFunctionOutput(args: Inputs<GetFunctionArgs>, options?: LookupOptions) {
  return getFunctionSource.output(args, options);
}
