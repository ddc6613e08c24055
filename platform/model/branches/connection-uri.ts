import type { DatabaseRow, EndpointRow, RoleRow } from "../rows";

/** The parts of a connection URI. */
interface Connection {
  readonly endpoint: EndpointRow;
  readonly role: Pick<RoleRow, "name">;
  readonly password: string;
  readonly database: Pick<DatabaseRow, "name">;
}

/** The URI of a connection to a compute, or to its connection pooler. */
export function connectionUri({ endpoint, role, password, database }: Connection, pooled = false): string {
  const user = `${encodeURIComponent(role.name)}:${encodeURIComponent(password)}`;
  const host = pooled ? poolerHostOf(endpoint) : endpoint.host;
  return `postgresql://${user}@${host}/${encodeURIComponent(database.name)}?sslmode=require&channel_binding=require`;
}

/** A connection URI with its parts, as the API returns it for a new project or branch. */
export function connectionDetails(connection: Connection): object {
  const { endpoint, role, password, database } = connection;
  return {
    connection_uri: connectionUri(connection),
    connection_parameters: {
      database: database.name,
      password,
      role: role.name,
      host: endpoint.host,
      pooler_host: poolerHostOf(endpoint),
    },
  };
}

function poolerHostOf(endpoint: EndpointRow): string {
  return endpoint.host.replace(endpoint.id, `${endpoint.id}-pooler`);
}
