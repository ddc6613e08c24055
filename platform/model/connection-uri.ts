import type { DatabaseRow, EndpointRow, RoleRow } from "./rows";

/** What a connection is made of. */
interface Connection {
  readonly endpoint: EndpointRow;
  readonly role: Pick<RoleRow, "name">;
  readonly password: string;
  readonly database: Pick<DatabaseRow, "name">;
}

/** The URI to connect with; through the pooler on request. */
export function connectionUri({ endpoint, role, password, database }: Connection, pooled = false): string {
  const user = `${encodeURIComponent(role.name)}:${encodeURIComponent(password)}`;
  const host = pooled ? poolerHostOf(endpoint) : endpoint.host;
  return `postgresql://${user}@${host}/${encodeURIComponent(database.name)}?sslmode=require&channel_binding=require`;
}

/** A connection URI with its parts, as the answers to create-project and create-branch hold it. */
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
