import { neonAuth, neonAuths } from "../schemas/neon-auth";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The explanation of a 404. */
export const noNeonAuth =
  "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth`, and use its output `branchId` here, so that Pulumi enables it first.";

/** The Neon Auth integration of a branch. */
export const getNeonAuth = lookup("getNeonAuth", () => ({
  args: ofBranch,
  result: resultOf(
    neonAuth.omit({ db_name: true }).extend({ database_name: neonAuth.shape.db_name }),
    "NeonAuthResult",
    "The Neon Auth integration of a branch.",
  ),
  explanations: { 404: noNeonAuth },
  read: async ({ client }, { projectId, branchId }) => {
    const { db_name: database_name, ...found } = await client.send(neonAuths.get(projectId, branchId));
    return { ...found, database_name };
  },
}));
