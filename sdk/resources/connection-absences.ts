import type { Absences } from "../required-output";

const noCompute =
  "The branch has no read-write compute. Declare one as `compute` of the branch. With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: the branch is created before it, and shows it only after a refresh.";
const severalOf = (noun: string): string =>
  `The branch has several ${noun}s, or none. Call \`getConnectionUriOutput\` with the role and the database to use.`;

/** Why a project or a branch has no connection, or only a part of one. */
export const connectionAbsences: Absences = {
  endpointId: { reason: noCompute },
  host: { reason: noCompute },
  poolerHost: { reason: noCompute },
  roleName: { reason: severalOf("role"), needs: ["host"] },
  databaseName: { reason: severalOf("database"), needs: ["host"] },
  connectionUri: {
    reason:
      "The project does not store passwords, and this resource did not create the role. Use the output `password` of the resource that did.",
    needs: ["host", "roleName", "databaseName"],
  },
};
