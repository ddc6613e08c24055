import { HttpError } from "../../../api/errors";
import { type ConnectionDetails, connectionUris } from "../../../api/schemas/connection-uri";
import { databases } from "../../../api/schemas/database";
import { type Endpoint, poolerHostOf } from "../../../api/schemas/endpoint";
import { roles } from "../../../api/schemas/role";
import type { Context } from "../../kind/context";

/** How to connect to a branch. */
export interface Connection {
  readonly endpointId?: string;
  readonly host?: string;
  readonly poolerHost?: string;
  readonly roleName?: string;
  readonly databaseName?: string;
  readonly connectionUri?: string;
}

type Named = readonly { readonly name: string }[];

/** The only one of these, if there is just one: anything else would be a guess. */
function onlyName([one, ...others]: Named): string | undefined {
  return others.length > 0 ? undefined : one?.name;
}

/** The connection that an answer to a create request tells. */
export function createdConnection(
  endpoint: Endpoint | undefined,
  details: ConnectionDetails | undefined,
  { roles: allRoles, databases: allDatabases }: { readonly roles: Named; readonly databases: Named },
): Connection {
  if (endpoint === undefined) return {};
  const poolerHost = details?.connection_parameters.pooler_host ?? poolerHostOf(endpoint);
  const roleName = details?.connection_parameters.role ?? onlyName(allRoles);
  const databaseName = details?.connection_parameters.database ?? onlyName(allDatabases);
  return {
    endpointId: endpoint.id,
    host: endpoint.host,
    ...(poolerHost === undefined ? {} : { poolerHost }),
    ...(roleName === undefined ? {} : { roleName }),
    ...(databaseName === undefined ? {} : { databaseName }),
    ...(details === undefined ? {} : { connectionUri: details.connection_uri }),
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
  const created = createdConnection(endpoint, undefined, { roles: allRoles, databases: allDatabases });
  const { roleName, databaseName } = created;
  if (roleName === undefined || databaseName === undefined) return created;
  const told = await storedUri(context, projectId, branchId, endpoint.id, roleName, databaseName);
  // Where no passwords are stored, the one from before a restore is the best there is.
  const isSame = known.endpointId === endpoint.id && known.roleName === roleName && known.databaseName === databaseName;
  const connectionUri = told ?? (isSame && known.host === undefined ? known.connectionUri : undefined);
  return { ...created, ...(connectionUri === undefined ? {} : { connectionUri }) };
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
    if (HttpError.isInstance(error) && error.status === 412) return undefined;
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
