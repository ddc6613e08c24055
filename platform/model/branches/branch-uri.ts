import { notFound, unprocessable } from "../../http-error";
import { listBranchEndpoints } from "../computes/endpoint";
import type { ControlPlane } from "../control-plane";
import { isAddress } from "../databases";
import { connectionUri } from "./connection-uri";
import { getDatabase } from "./database";
import { getRole, requirePassword } from "./role";

/**
 * The URI, with its password, that leads to the Postgres of a branch.
 *
 * @param databaseName default: the oldest database
 * @param roleName default: the owner of the database
 * @throws HttpError 404 if something is missing, 422 if the branch has no Postgres, or if the password is not stored
 */
export function branchUri(
  controlPlane: ControlPlane,
  branchId: string,
  databaseName: string | undefined,
  roleName: string | undefined,
): string {
  const { tables, databases } = controlPlane;
  if (!databases) throw unprocessable("this platform runs no Postgres");
  const branch = tables.branches.getOr404("branch", { id: branchId, deleted_at: null });
  const endpoint = listBranchEndpoints(controlPlane, branch.id).find(({ type }) => type === "read_write");
  if (!endpoint) throw notFound("read-write endpoint of the branch");
  if (!isAddress(endpoint.host)) {
    throw unprocessable(`compute ${endpoint.id} was created without Postgres: its host leads nowhere`);
  }
  const oldest = tables.databases.list({ branch_id: branch.id, deleted_at: null }, "ORDER BY created_at, id")[0];
  const name = databaseName ?? oldest?.name;
  if (name === undefined) throw notFound("database of the branch");
  const database = getDatabase(controlPlane, branch.id, name);
  const role = getRole(controlPlane, branch.id, roleName ?? database.owner_name);
  return connectionUri(controlPlane, { endpoint, role, password: requirePassword(role), database });
}
