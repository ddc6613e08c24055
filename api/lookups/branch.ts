import { z } from "zod";

import { camelObject } from "../camel-shape";
import { invalid } from "../errors";
import { collect } from "../http/pagination";
import { type AnnotatedBranch, branch, branches, withoutTag } from "../schemas/branch";
import { objectId, textMap } from "../schemas/wire";
import { type Account, lookup } from "./lookup";

const result = camelObject(
  branch
    .omit({ init_source: true, restored_from: true, pending_state: true, last_reset_at: true, state_changed_at: true })
    .extend({ annotations: textMap }),
);

/** The branches of a project, newest first. */
export const getBranches = lookup("getBranches", {
  args: { projectId: objectId, search: z.string().optional() },
  result: z.array(result),
  list: "branches",
  read: async (account, { projectId, search }) => (await listBranches(account, projectId, search)).map(withAnnotations),
});

/** How many branches a project has, or how many whose names contain a text. */
export const getBranchCount = lookup("getBranchCount", {
  args: { projectId: objectId, search: z.string().optional() },
  result: z.strictObject({ count: z.number() }),
  read: ({ client }, { projectId, search }) => client.send(branches.count(projectId, search)),
});

/** A branch, by its id or its name. */
export const getBranch = lookup("getBranch", {
  args: { projectId: objectId, branchId: objectId.optional(), name: z.string().optional() },
  oneOf: ["branchId", "name"],
  result,
  read: async (account, { projectId, branchId, name = "" }) => {
    if (branchId !== undefined) {
      const { branch: found, annotation } = await account.client.send(branches.get(projectId, branchId));
      return withAnnotations({ branch: found, annotations: annotation?.value ?? {} });
    }
    const named = (await listBranches(account, projectId, name)).find((one) => one.branch.name === name);
    if (named !== undefined) return withAnnotations(named);
    throw invalid(`There is no branch named "${name}" in project ${projectId}.`);
  },
});

function listBranches({ client }: Account, projectId: string, search: string | undefined): Promise<AnnotatedBranch[]> {
  return collect(client.list(branches.list(projectId, { search })));
}

function withAnnotations({ branch: found, annotations }: AnnotatedBranch) {
  return { ...found, annotations: withoutTag(annotations) };
}
