import { z } from "zod";

import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { type AnnotatedBranch, branches, withoutTag } from "../schemas/branch";
import { textMap } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { type Account, lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the branch, such as `br-wispy-meadow-118737`."),
      projectId: z.string().describe("Project of the branch."),
      name: z.string().describe("Name of the branch, unique in the project."),
      parentId: z.string().optional().describe("Branch that this branch was created from. Absent for a root branch."),
      parentLsn: z.string().optional().describe("Log sequence number of the parent at which the branch starts."),
      parentTimestamp: z
        .string()
        .optional()
        .describe("Time in the parent's history at which the branch starts (ISO 8601, UTC)."),
      default: z.boolean().optional().describe("Whether this is the project's default branch."),
      protected: z.boolean().optional().describe("Whether the branch is protected from deletion."),
      expiresAt: z.string().nullable().optional().describe("Time at which Neon deletes the branch (ISO 8601, UTC)."),
      currentState: z
        .string()
        .describe("`init`, `resetting`, `ready` or `archived`. Newer versions of the API can return other values."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
      updatedAt: z.string().optional().describe("Time of the last change (ISO 8601, UTC)."),
      annotations: textMap.describe("Annotations of the branch, without the provider's own."),
    })
    .meta({ title: "BranchResult", description: "A branch." }),
);

/** The branches of a project, newest first. */
export const getBranches = lookup("getBranches", () => ({
  args: {
    projectId: idArgument.describe("Project whose branches to list."),
    search: z.string().optional().describe("Text that the name or the id contains. Default: all branches."),
  },
  result: z.array(result()),
  list: "branches",
  read: async (account, { projectId, search }) => (await listBranches(account, projectId, search)).map(withAnnotations),
}));

/** How many branches a project has, or how many whose names contain a text. */
export const getBranchCount = lookup("getBranchCount", () => ({
  args: {
    projectId: idArgument.describe("Project whose branches to count."),
    search: z.string().optional().describe("Counts branches whose name contains this text. Default: all."),
  },
  result: z
    .strictObject({
      count: z.int().describe("Number of branches."),
    })
    .meta({ title: "BranchCountResult", description: "Number of branches." }),
  read: ({ client }, { projectId, search }) => client.send(branches.count(projectId, search)),
}));

/** A branch, by its id or its name. */
export const getBranch = lookup("getBranch", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
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
    const named = (await listBranches(account, projectId, name)).find((one) => one.branch.name === name);
    if (named !== undefined) return withAnnotations(named);
    throw invalid(`There is no branch named "${name}" in project ${projectId}.`);
  },
}));

function listBranches({ client }: Account, projectId: string, search: string | undefined): Promise<AnnotatedBranch[]> {
  return collect(client.list(branches.list(projectId, { search })));
}

function withAnnotations({ branch: found, annotations }: AnnotatedBranch) {
  return { ...found, annotations: withoutTag(annotations) };
}
