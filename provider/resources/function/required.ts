import { ignoreNotFound } from "../../../api/core/errors";
import { functions } from "../../../api/schemas/function";
import type { PreconditionRule } from "../../kind/options";
import { naturalKeyOf } from "../../kind/natural-key";
import type { BranchAddress } from "../branch/read";
import { branchFunction } from "../function";

/**
 * Neon refuses what names a function that the branch does not have.
 *
 * @param slugOf the slug that is named
 * @param message matches the answer
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
    // Functions are deployed apart from the project's other changes.
    lock: (values) => {
      const { projectId, branchId } = values;
      return naturalKeyOf(branchFunction, { projectId, branchId, slug: slugOf(values) });
    },
    fix: "Declare a `Function` on the branch, and use its output `slug` here, so that Pulumi creates it first.",
  };
}
