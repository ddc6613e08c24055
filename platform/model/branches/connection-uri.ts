import { notFound, unprocessable } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { findReadWriteEndpoint, listBranchEndpoints } from "../computes/endpoint";
import type { EndpointRow } from "../computes/endpoint-row";
import type { ControlPlane } from "../control-plane";
import { isAddress, postgresPort, sharedHost } from "../databases";
import { projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { getBranchOrDefault } from "./branch-state";
import { type DatabaseRow, getDatabase, listDatabases } from "./database";
import { getRole, requirePassword, type RoleRow } from "./role";

export const connectionUriPaths: ApiPaths = {
  "/projects/:project_id/connection_uri": {
    GET: allow({ ...projectMember, ...published.getConnectionURI }, ({ controlPlane, project, query }) => {
      const { endpoint_id: endpointId } = query;
      const branch = getBranchOrDefault(controlPlane, project.id, query.branch_id);
      const endpoint = listBranchEndpoints(controlPlane, branch.id).find(({ id, type }) =>
        endpointId === undefined ? type === "read_write" : id === endpointId,
      );
      if (!endpoint) {
        throw notFound(endpointId === undefined ? "read-write endpoint of the branch" : "endpoint on the branch");
      }
      const database = getDatabase(controlPlane, branch.id, query.database_name);
      const role = getRole(controlPlane, branch.id, query.role_name);
      return {
        uri: connectionUri(controlPlane, { endpoint, role, password: requirePassword(role), database }, query.pooled),
      };
    }),
  },
};

/** The parts of a connection URI. */
interface Connection {
  readonly endpoint: EndpointRow;
  readonly role: Pick<RoleRow, "name">;
  readonly password: string;
  readonly database: Pick<DatabaseRow, "name">;
}

/** The URI of a connection to a compute, or to its connection pooler. */
export function connectionUri(
  { databases }: ControlPlane,
  { endpoint, role, password, database }: Connection,
  pooled = false,
): string {
  const user = `${encodeURIComponent(role.name)}:${encodeURIComponent(password)}`;
  const host = pooled ? poolerHostOf(endpoint) : endpoint.host;
  const at = (address: string, options: string): string =>
    `postgresql://${user}@${address}/${encodeURIComponent(database.name)}${options}`;
  if (!isAddress(host)) return at(host, "?sslmode=require&channel_binding=require");
  // Traffic to a loopback address does not leave this machine. Without TLS, clients need no certificate.
  if (host !== sharedHost) return at(host, "");
  const port = databases?.addressing.sharedPort ?? postgresPort;
  return at(`${host}:${port}`, `?options=endpoint%3D${endpoint.id}`);
}

/**
 * The connection URI of the Postgres of a branch, with the password.
 *
 * @param databaseName default: the oldest database
 * @param roleName default: the owner of the database
 * @throws HttpError 404 if the branch, its compute, the database or the role does not exist, 422 if the branch has no Postgres,
 *   412 if the password is not stored
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
  const endpoint = findReadWriteEndpoint(controlPlane, branch.id);
  if (!endpoint) throw notFound("read-write endpoint of the branch");
  if (!isAddress(endpoint.host)) {
    throw unprocessable(`compute ${endpoint.id} was created without Postgres: nothing listens at its host`);
  }
  const name = databaseName ?? listDatabases(controlPlane, branch.id)[0]?.name;
  if (name === undefined) throw notFound("database of the branch");
  const database = getDatabase(controlPlane, branch.id, name);
  const role = getRole(controlPlane, branch.id, roleName ?? database.owner_name);
  return connectionUri(controlPlane, { endpoint, role, password: requirePassword(role), database });
}

/** A connection URI with its parts, as the API returns it for a new project or branch. */
export function connectionDetails(controlPlane: ControlPlane, connection: Connection) {
  const { endpoint, role, password, database } = connection;
  return {
    connection_uri: connectionUri(controlPlane, connection),
    connection_parameters: {
      database: database.name,
      password,
      role: role.name,
      host: endpoint.host,
      pooler_host: poolerHostOf(endpoint),
    },
  } satisfies Answer<vendor.ConnectionDetails>;
}

/** The host of a compute's connection pooler. A compute with a loopback address has no pooler and answers itself. */
function poolerHostOf(endpoint: EndpointRow): string {
  return endpoint.host.replace(endpoint.id, `${endpoint.id}-pooler`);
}
