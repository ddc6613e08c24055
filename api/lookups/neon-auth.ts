import { camelObject } from "../camel-shape";
import { neonAuth, neonAuths } from "../schemas/neon-auth";
import { postgresName } from "../schemas/postgres-name";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const result = camelObject(neonAuth.omit({ db_name: true }).extend({ database_name: postgresName }));

/** The Neon Auth integration of a branch. */
export const getNeonAuth = lookup("getNeonAuth", {
  args: { projectId: objectId, branchId: objectId },
  result,
  explanations: { 404: "The branch does not exist, or it does not have Neon Auth." },
  read: async ({ client }, { projectId, branchId }) => {
    const { db_name: database_name, ...found } = await client.send(neonAuths.get(projectId, branchId));
    return { ...found, database_name };
  },
});
