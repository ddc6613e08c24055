import { objectId, platformId, platformIdForm } from "../schemas/wire";

/**
 * An id that a cloud has assigned. It contains no slash, unlike the id of a resource in the state, which also contains
 * the ids of its parents.
 */
export const cloudId = objectId.refine((id) => !id.includes("/"), {
  error:
    "must be an id without its parents: use the output that holds it, such as `branchId` of a branch instead of its `id`. A name is no id either: `getBranch({ projectId, name })` returns the id of a branch",
  abort: true,
});

/** An id that Neon has assigned, as an argument of a data source or an input of a resource. */
export const idArgument = cloudId.refine((id) => platformId.safeParse(id).success, platformIdForm);

/** The member that names a project, in arguments and inputs. */
export const ofProject = { projectId: idArgument.describe("Id of the project.") };

/** The members that name a branch. */
export const ofBranch = { ...ofProject, branchId: idArgument.describe("Id of the branch.") };

/** The member that names an organization, for use without `orgId` in the provider's settings. */
export const ofOrganization = {
  orgId: idArgument.optional().meta({
    description: "Id of the organization.",
    omitted: "the provider's `orgId`. Without it, the property is required",
  }),
};
