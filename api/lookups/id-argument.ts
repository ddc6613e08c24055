import { objectId, platformId, platformIdForm } from "../schemas/wire";

/** An id that a cloud has given. The id of a resource in the state also contains the ids of its parents. */
export const cloudId = objectId.refine((id) => !id.includes("/"), {
  error:
    "must be an id without its parents: use the output that holds it, such as `branchId` of a branch instead of its `id`. A name is no id either: `getBranch({ projectId, name })` returns the id of a branch",
  abort: true,
});

/** An id that Neon has given, as an argument of a function or an input of a resource. */
export const idArgument = cloudId.refine((id) => platformId.safeParse(id).success, platformIdForm);
