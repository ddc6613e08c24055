import { z } from "zod";

import { type FormFile, pagedRequest, path, request } from "../core/request";
import { createdAt, emptyResponse, nextPagination, textMap, timestamp } from "./wire";

/** The only published runtime. */
export const functionRuntime = z.enum(["nodejs24"]);

/**
 * A deployment of a function. Its id is a version number, which rises per function. It contains the names of variables,
 * but never their values.
 */
export const functionDeployment = z.looseObject({
  id: z.int(),
  /** `pending`, `building`, `completed` or `failed`. */
  status: z.string(),
  memory_mib: z.number().optional(),
  runtime: z.string(),
  created_at: timestamp,
  environment: z.array(z.string()).optional(),
  /** Why the build failed. */
  error: z.string().optional(),
});
export type FunctionDeployment = z.infer<typeof functionDeployment>;

/** The members of a function that come from its deployments: the one that answers requests, and the newest one. */
export const functionDeployments = {
  deployment_id: z
    .int()
    .optional()
    .describe("Id of the deployment that answers requests. It rises with each deployment. Absent while there is none."),
  runtime: z.string().optional().describe("Runtime of the deployment that answers requests, such as `nodejs24`."),
  environment_names: z
    .array(z.string())
    .optional()
    .describe("Names of the variables of the deployment that answers requests. Neon does not return their values."),
  status: z
    .string()
    .optional()
    .describe("Status of the newest deployment: `pending`, `building`, `completed` or `failed`."),
  error: z.string().optional().describe("Why the newest deployment has failed, if it has."),
};

/** A function of a branch. */
export const branchFunction = z.looseObject({
  id: z.string().describe("Id of the function."),
  slug: z.string().describe("Slug, which identifies the function on the branch."),
  name: z.string().describe("Display name."),
  /** The URL ends in a slash. */
  invocation_url: z
    .string()
    .describe("URL of the function, which is public. Empty if the function cannot be invoked in this region."),
  /** The newest deployment, regardless of its status. */
  current_deployment: functionDeployment.optional(),
  /** The newest completed deployment, which answers requests. */
  active_deployment: functionDeployment.optional(),
  created_at: createdAt,
});
export type BranchFunction = z.infer<typeof branchFunction>;

/**
 * The body that changes the display name: `null` removes the name. Neon trims it, and refuses a name of spaces only.
 */
export const functionUpdate = z.object({ name: z.string().max(256).nullable() });
type FunctionUpdate = z.infer<typeof functionUpdate>;

/**
 * The body of a deployment: at least one member, and `zip` in the first deployment of a function. Omitted members stay
 * as in the newest version.
 */
export const deploymentCreate = z.object({
  /** A zip archive with `index.mjs` or `index.js` at its root. */
  zip: z.instanceof(Uint8Array).optional(),
  runtime: functionRuntime.optional(),
  /** Sets these variables, and removes those with an empty value. Others stay. */
  environment: textMap.optional(),
});
export type DeploymentCreate = z.infer<typeof deploymentCreate>;

const functionPage = z.looseObject({ functions: z.array(branchFunction), pagination: nextPagination.optional() });
const functionResponse = z.looseObject({ function: branchFunction });
const deploymentCreated = z.looseObject({ deployment: functionDeployment });

const pathOf = (projectId: string, branchId: string, slug: string): string =>
  path`/projects/${projectId}/branches/${branchId}/functions/${slug}`;

/** Requests for the functions of a branch. The first deployment creates a function. */
export const functions = {
  list: (projectId: string, branchId: string) =>
    pagedRequest("next", path`/projects/${projectId}/branches/${branchId}/functions`, functionPage, {
      items: (page) => page.functions,
      maxPageSize: 1000,
    }),
  get: (projectId: string, branchId: string, slug: string) =>
    request("GET", pathOf(projectId, branchId, slug), functionResponse),
  update: (projectId: string, branchId: string, slug: string, body: FunctionUpdate) =>
    request("PATCH", pathOf(projectId, branchId, slug), functionResponse, { body }),
  delete: (projectId: string, branchId: string, slug: string) =>
    request("DELETE", pathOf(projectId, branchId, slug), emptyResponse),
  /** @param zip the archive; a function reads it when the request is sent */
  deploy: (
    projectId: string,
    branchId: string,
    slug: string,
    { zip, runtime, environment }: Omit<DeploymentCreate, "zip"> & { readonly zip?: FormFile["content"] | undefined },
  ) =>
    request("POST", `${pathOf(projectId, branchId, slug)}/deployments`, deploymentCreated, {
      secrets: Object.values(environment ?? {}),
      form: {
        zip: zip && { name: "bundle.zip", type: "application/zip", content: zip },
        runtime,
        environment: environment && JSON.stringify(environment),
      },
    }),
};
