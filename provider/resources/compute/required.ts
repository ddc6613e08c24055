import type { PreconditionRule } from "../../kind/options";
import type { BranchAddress } from "../branch/read";
import { readWriteEndpoint } from "./read";

/** Neon keeps roles and databases in Postgres: it changes them only while the branch has a read-write compute. */
export const requiresCompute: PreconditionRule<BranchAddress> = {
  isMet: async (context, { projectId = "", branchId = "" }) =>
    (await readWriteEndpoint(context, projectId, branchId)) !== undefined,
  status: 412,
  what: () => "read-write compute",
  of: ({ branchId = "" }) => `branch ${branchId}`,
  fix: "Declare `compute` of the Branch. If an Endpoint is the compute, make this resource depend on it (`dependsOn`).",
  remains: "it goes with the branch, and can be used again once the branch has a compute",
};
