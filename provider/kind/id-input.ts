import { objectId } from "../../api/schemas/wire";

/** An id that refers to another object. The id of a resource in the state also contains the ids of its parents. */
export const idInput = objectId.refine(
  (id) => !id.includes("/"),
  "must be an id without its parents: use the output that holds it, such as `branch.branchId` instead of `branch.id`",
);
