import { z } from "zod";

import type { NeonClient } from "../client";
import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { type BranchFunction, functions } from "../schemas/function";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      functionId: z.string().describe("Id of the function."),
      slug: z.string().describe("Slug of the function, unique on the branch."),
      name: z.string().describe("Display name; the slug if there is none."),
      invocationUrl: z.string().describe("URL of the function, which is public. Empty if it cannot be invoked."),
      deploymentId: z.int().optional().describe("Deployment that answers requests. Absent while there is none."),
      runtime: z.string().optional().describe("Runtime of that deployment, such as `nodejs24`."),
      environmentNames: z
        .array(z.string())
        .optional()
        .describe("Names of the variables of that deployment. Neon does not return their values."),
      status: z
        .string()
        .optional()
        .describe("Status of the newest deployment: `pending`, `building`, `completed` or `failed`."),
      error: z.string().optional().describe("Why the newest deployment has failed, if it has."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
    })
    .meta({ title: "FunctionResult", description: "A function of a branch." }),
);

/** The functions of a branch. */
export const getFunctions = lookup("getFunctions", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose functions to list."),
  },
  result: z.array(result()),
  list: "functions",
  read: async ({ client }, { projectId, branchId }) =>
    (await allFunctions(client, projectId, branchId)).map(functionResult),
}));

/** A function of a branch, by its slug. */
export const getFunction = lookup("getFunction", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch of the function."),
    slug: z.string().min(1).describe("Slug of the function."),
  },
  result: result(),
  read: async ({ client }, { projectId, branchId, slug }) =>
    functionResult((await client.send(functions.get(projectId, branchId, slug))).function),
}));

export function allFunctions(client: NeonClient, projectId: string, branchId: string): Promise<BranchFunction[]> {
  return collect(client.list(functions.list(projectId, branchId)));
}

function functionResult({ id, active_deployment: active, current_deployment: newest, ...found }: BranchFunction) {
  return {
    ...found,
    function_id: id,
    deployment_id: active?.id,
    runtime: active?.runtime,
    environment_names: active?.environment,
    status: newest?.status,
    error: newest?.error,
  };
}
