import type { ControlPlane } from "../control-plane";
import { isAddress, postgresPort, sharedHost } from "../databases";
import type { EndpointRow } from "../computes/endpoint-row";
import type { DatabaseRow } from "./database-row";
import type { RoleRow } from "./role-row";

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
  // Nothing can read what is sent to this machine's own addresses, and clients need no certificate this way.
  if (host !== sharedHost) return at(host, "");
  const port = databases?.addressing.sharedPort ?? postgresPort;
  return at(`${host}:${port}`, `?options=endpoint%3D${endpoint.id}`);
}

/** A connection URI with its parts, as the API returns it for a new project or branch. */
export function connectionDetails(controlPlane: ControlPlane, connection: Connection): object {
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
  };
}

/** The host of its connection pooler. At an address there is none: it answers itself. */
function poolerHostOf(endpoint: EndpointRow): string {
  return endpoint.host.replace(endpoint.id, `${endpoint.id}-pooler`);
}
