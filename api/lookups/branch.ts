import { z } from "zod";

import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import {
  type AnnotatedBranch,
  branch,
  branchAnnotations,
  branchCount,
  branches,
  type BranchListQuery,
  withoutTag,
} from "../schemas/branch";
import { idArgument, ofProject } from "./id-argument";
import { type Account, lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(
    branch
      .omit({
        init_source: true,
        restored_from: true,
        restore_status: true,
        restored_as: true,
        pending_state: true,
        last_reset_at: true,
        state_changed_at: true,
      })
      .extend({ annotations: branchAnnotations }),
    "BranchResult",
    "A branch.",
  ),
);

/** The branches of a project, newest first. */
export const getBranches = lookup("getBranches", () => ({
  args: {
    ...ofProject,
    search: z.string().optional().describe("Text that the name or the id contains. Default: all branches."),
    includeDeleted: z
      .boolean()
      .optional()
      .describe(
        "Whether to list the deleted branches that can be recovered, too. In preview: Neon ignores it in most accounts. Default: `false`.",
      ),
  },
  result: z.array(result()),
  list: "branches",
  read: async (account, { projectId, search, includeDeleted }) =>
    (await listBranches(account, projectId, { search, includeDeleted })).map(withAnnotations),
}));

/** How many branches a project has, or how many whose names contain a text. */
export const getBranchCount = lookup("getBranchCount", () => ({
  args: {
    ...ofProject,
    search: z.string().optional().describe("Counts branches whose name contains this text. Default: all."),
  },
  result: resultOf(branchCount, "BranchCountResult", "Number of branches."),
  read: ({ client }, { projectId, search }) => client.send(branches.count(projectId, search)),
}));

/** A branch, by its id or its name. */
export const getBranch = lookup("getBranch", () => ({
  args: {
    ...ofProject,
    branchId: idArgument.optional().describe("Id of the branch. Conflicts with `name`."),
    name: z.string().optional().describe("Exact name of the branch. Conflicts with `branchId`."),
  },
  oneOf: ["branchId", "name"],
  result: result(),
  read: async (account, { projectId, branchId, name = "" }) => {
    if (branchId !== undefined) {
      const { branch: found, annotation } = await account.client.send(branches.get(projectId, branchId));
      return withAnnotations({ branch: found, annotations: annotation?.value ?? {} });
    }
    const named = (await listBranches(account, projectId, { search: name })).find((one) => one.branch.name === name);
    if (named !== undefined) return withAnnotations(named);
    throw invalid(`There is no branch named "${name}" in project ${projectId}.`);
  },
}));

function listBranches(
  { client }: Account,
  projectId: string,
  query: Pick<BranchListQuery, "search" | "includeDeleted">,
): Promise<AnnotatedBranch[]> {
  return collect(client.list(branches.list(projectId, query)));
}

function withAnnotations({ branch: found, annotations }: AnnotatedBranch) {
  return { ...found, annotations: withoutTag(annotations) };
}
