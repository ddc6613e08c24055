import { objectId, platformId, platformIdForm } from "../schemas/wire";

/** An id that a cloud has given. The id of a resource in the state also contains the ids of its parents. */
export const cloudId = objectId.refine((id) => !id.includes("/"), {
  error:
    "must be an id without its parents: use the output that holds it, such as `branchId` of a branch instead of its `id`. A name is no id either: `getBranch({ projectId, name })` returns the id of a branch",
  abort: true,
});

/** An id that Neon has given, as an argument of a function or an input of a resource. */
export const idArgument = cloudId.refine((id) => platformId.safeParse(id).success, platformIdForm);

/** What names a project, in arguments and inputs. */
export const ofProject = { projectId: idArgument.describe("Id of the project.") };

/** What names a branch. */
export const ofBranch = { ...ofProject, branchId: idArgument.describe("Id of the branch.") };

/** The organization of what is read or declared, if the provider's settings do not name it. */
export const ofOrganization = {
  orgId: idArgument.optional().meta({
    description: "Id of the organization.",
    note: "Required unless the provider's `orgId` is set.",
    omitted: "the provider's `orgId`",
  }),
};
