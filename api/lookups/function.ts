import { z } from "zod";

import type { NeonClient } from "../client";
import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { type BranchFunction, branchFunction, functionDeployments, functions } from "../schemas/function";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(
    z.looseObject({
      function_id: branchFunction.shape.id,
      ...branchFunction.pick({ slug: true, name: true, invocation_url: true, created_at: true }).shape,
      ...functionDeployments,
    }),
    "FunctionResult",
    "A function of a branch.",
  ),
);

/** The functions of a branch. */
export const getFunctions = lookup("getFunctions", () => ({
  args: {
    ...ofBranch,
  },
  result: z.array(result()),
  list: "functions",
  read: async ({ client }, { projectId, branchId }) =>
    (await allFunctions(client, projectId, branchId)).map(functionResult),
}));

/** A function of a branch, by its slug. */
export const getFunction = lookup("getFunction", () => ({
  args: {
    ...ofBranch,
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
