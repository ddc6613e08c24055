import { RefusedError } from "../../api/errors";
import { connectionUris, type ConnectionDetails } from "../../api/schemas/connection-uri";
import { databases } from "../../api/schemas/database";
import type { Endpoint } from "../../api/schemas/endpoint";
import { roles } from "../../api/schemas/role";
import type { Context } from "../context";
import { poolerHostOf } from "./compute";

/** How to connect to a branch. */
export interface Connection {
  readonly endpointId?: string;
  readonly host?: string;
  readonly poolerHost?: string;
  readonly roleName?: string;
  readonly databaseName?: string;
  readonly connectionUri?: string;
}

/** The connection that an answer to a create request tells. */
export function createdConnection(endpoint: Endpoint | undefined, details: ConnectionDetails | undefined): Connection {
  if (endpoint === undefined) return {};
  const poolerHost = details?.connection_parameters.pooler_host ?? poolerHostOf(endpoint);
  return {
    endpointId: endpoint.id,
    host: endpoint.host,
    ...(poolerHost === undefined ? {} : { poolerHost }),
    ...(details === undefined
      ? {}
      : {
          roleName: details.connection_parameters.role,
          databaseName: details.connection_parameters.database,
          connectionUri: details.connection_uri,
        }),
  };
}

/**
 * The connection through this compute. What is known already is kept, because passwords are not asked for twice; the
 * rest is told only where there is one role and one database, as anything else would be a guess.
 */
export async function readConnection(
  context: Context,
  projectId: string,
  branchId: string,
  endpoint: Endpoint | undefined,
  known: Connection,
): Promise<Connection> {
  if (endpoint === undefined) return {};
  if (known.endpointId === endpoint.id && known.host === endpoint.host) return pickConnection(known);
  const [{ roles: allRoles }, { databases: allDatabases }] = await Promise.all([
    context.read(roles.list(projectId, branchId)),
    context.read(databases.list(projectId, branchId)),
  ]);
  const [role, ...otherRoles] = allRoles;
  const [database, ...otherDatabases] = allDatabases;
  const created = createdConnection(endpoint, undefined);
  if (role === undefined || database === undefined || otherRoles.length + otherDatabases.length > 0) return created;
  const connectionUri = await storedUri(context, projectId, branchId, endpoint.id, role.name, database.name);
  return {
    ...created,
    roleName: role.name,
    databaseName: database.name,
    ...(connectionUri === undefined ? {} : { connectionUri }),
  };
}

async function storedUri(
  context: Context,
  projectId: string,
  branchId: string,
  endpointId: string,
  roleName: string,
  databaseName: string,
): Promise<string | undefined> {
  try {
    const query = { branchId, endpointId, roleName, databaseName };
    return (await context.read(connectionUris.get(projectId, query))).uri;
  } catch (error) {
    // The project stores no passwords, so nobody can tell this one any more.
    if (RefusedError.isInstance(error) && error.status === 412) return undefined;
    throw error;
  }
}

function pickConnection(known: Connection): Connection {
  const { endpointId, host, poolerHost, roleName, databaseName, connectionUri } = known;
  return Object.fromEntries(
    Object.entries({ endpointId, host, poolerHost, roleName, databaseName, connectionUri }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
