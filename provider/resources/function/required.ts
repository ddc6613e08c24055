import { ignoreNotFound } from "../../../api/core/errors";
import { functions } from "../../../api/schemas/function";
import type { PreconditionRule } from "../../kind/options";
import { naturalKeyOf } from "../../kind/natural-key";
import type { BranchAddress } from "../branch/read";
import { branchFunction } from "../function";

/**
 * The precondition of a resource that names a function: Neon refuses it if the branch has no such function.
 *
 * @param slugOf returns the slug that the resource names
 * @param message matches Neon's error message
 */
export function requiresFunction<Values extends BranchAddress>(
  slugOf: (values: Partial<Values>) => string | undefined,
  message: RegExp,
): PreconditionRule<Values> {
  return {
    status: 404,
    message,
    isMet: async (context, values) => {
      const { projectId = "", branchId = "" } = values;
      const slug = slugOf(values) ?? "";
      return (await ignoreNotFound(context.read(functions.get(projectId, branchId, slug)))) !== undefined;
    },
    what: (values) => `function ${slugOf(values) ?? ""}`,
    of: ({ branchId = "" }) => `branch ${branchId}`,
    // Deployments do not use the project lock, so wait for the lock of the function.
    lock: (values) => {
      const { projectId, branchId } = values;
      return naturalKeyOf(branchFunction, { projectId, branchId, slug: slugOf(values) });
    },
    fix: "Declare a `Function` on the branch, and use its output `slug` here, so that Pulumi creates it first.",
  };
}
