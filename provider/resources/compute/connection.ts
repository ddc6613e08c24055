import { ignoreNotFound, ignoreStatus } from "../../../api/core/errors";
import { together } from "../../../api/core/together";
import { poolerHostOf } from "../../../api/endpoint-host";
import { isEnded } from "../../../api/operations/status";
import { type ConnectionDetails, connectionUris } from "../../../api/schemas/connection-uri";
import { databases } from "../../../api/schemas/database";
import type { Endpoint } from "../../../api/schemas/endpoint";
import type { Operation } from "../../../api/schemas/operation";
import { roles } from "../../../api/schemas/role";
import type { Context } from "../../call/context";
import { omitUndefined } from "../../values";

/** How to connect to a branch. */
export interface Connection {
  readonly endpointId?: string | undefined;
  readonly host?: string | undefined;
  readonly poolerHost?: string | undefined;
  readonly roleName?: string | undefined;
  readonly databaseName?: string | undefined;
  readonly connectionUri?: string | undefined;
}

const noCompute =
  "The branch has no read-write compute. Declare one as `compute` of the branch. With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: the branch is created before it, and shows it only after a refresh.";
const severalOf = (noun: string): string =>
  `The branch has several ${noun}s, or none. Call \`getConnectionUriOutput\` with the role and the database to use.`;

/** Reasons why connection outputs of a project or branch are absent. */
export const absences = {
  compute: { reason: noCompute },
  roleName: { reason: severalOf("role"), needs: ["host"] },
  databaseName: { reason: severalOf("database"), needs: ["host"] },
  connectionUri: {
    reason:
      "The project does not store passwords, and this resource did not create the role. Use the output `password` of the resource that did.",
    needs: ["host", "roleName", "databaseName"],
  },
};

type Named = readonly { readonly name: string }[];

/** The name, if there is only one: choosing among several would be a guess. */
function onlyName([first, ...others]: Named): string | undefined {
  return others.length > 0 ? undefined : first?.name;
}

/** The connection in the response to a create request. */
export function createdConnection(
  endpoint: Endpoint | undefined,
  details: ConnectionDetails | undefined,
  created: { readonly roles: Named; readonly databases: Named },
): Connection {
  if (endpoint === undefined) return {};
  const parameters = details?.connection_parameters;
  return omitUndefined({
    endpointId: endpoint.id,
    host: endpoint.host,
    poolerHost: parameters?.pooler_host ?? poolerHostOf(endpoint),
    roleName: parameters?.role ?? onlyName(created.roles),
    databaseName: parameters?.database ?? onlyName(created.databases),
    connectionUri: details?.connection_uri,
  });
}

/** A connection as it was read. */
interface ReadConnection {
  readonly connection: Connection;
  /** The latest operation of the project when the connection was read, if known. */
  readonly latestOperation: string | undefined;
}

/**
 * The connection through a compute. A known connection through the same host is kept. If the branch has changed since,
 * a refresh checks that its role and database still exist, and reads the current password. Without a known connection,
 * the URI is read if the branch has only one role and one database.
 */
export async function readConnection(
  context: Context,
  projectId: string,
  branchId: string,
  endpoint: Endpoint | undefined,
  known: Connection,
): Promise<ReadConnection> {
  const { asOf: before } = context.kept;
  const isKnown = endpoint !== undefined && known.endpointId === endpoint.id && known.host === endpoint.host;
  if (!isKnown) {
    const connection = endpoint && (await newConnection(context, projectId, branchId, endpoint, known));
    return { connection: connection ?? {}, latestOperation: before };
  }
  const { hasCreated, latestOperation: ofCreation } = context.progress;
  const kept = { connection: connectionOf(known), latestOperation: hasCreated ? ofCreation : before };
  if (!context.isRefresh || (known.roleName === undefined && known.databaseName === undefined)) return kept;
  const recent = await context.recentOperations(projectId).catch(() => []);
  const since = recent.findIndex(({ id }) => id === before);
  if (isUntouched(recent, since, endpoint)) return kept;
  // A running operation may change the connection after this read, and its own `updated_at` is not final.
  const isSettled = recent.every((one) => isEnded(one.status) || !isOn(endpoint, one));
  const latestOperation = isSettled ? recent.find(({ status }) => isEnded(status))?.id : undefined;
  const connectionUri = await ignoreNotFound(readUri(context, projectId, branchId, endpoint.id, known));
  const connection =
    connectionUri === undefined
      ? await newConnection(context, projectId, branchId, endpoint, known)
      : { ...connectionOf(known), connectionUri };
  return { connection, latestOperation };
}

/** Reads the connection through a compute. Keeps the known role, database and URI if they still exist. */
async function newConnection(
  context: Context,
  projectId: string,
  branchId: string,
  endpoint: Endpoint,
  known: Connection,
): Promise<Connection> {
  // Role and database are only needed for the URI, and a preview compares only inputs.
  if (!context.readsSecrets) return createdConnection(endpoint, undefined, { roles: [], databases: [] });
  const [{ roles: allRoles }, { databases: allDatabases }] = await together([
    context.read(roles.list(projectId, branchId)),
    context.read(databases.list(projectId, branchId)),
  ]);
  const isKnown = known.endpointId === endpoint.id && known.host === endpoint.host;
  if (isKnown && isIn(known.roleName, allRoles) && isIn(known.databaseName, allDatabases)) return connectionOf(known);
  const created = createdConnection(endpoint, undefined, { roles: allRoles, databases: allDatabases });
  const { roleName, databaseName } = created;
  if (roleName === undefined || databaseName === undefined) return created;
  const stored = await readUri(context, projectId, branchId, endpoint.id, created);
  // In a project that stores no passwords, the URI from before a restore is the best available one.
  const isSame = known.endpointId === endpoint.id && known.roleName === roleName && known.databaseName === databaseName;
  const connectionUri = stored ?? (isSame && known.host === undefined ? known.connectionUri : undefined);
  return { ...created, ...omitUndefined({ connectionUri }) };
}

/** Actions that the platform starts by itself. They change neither roles nor databases. */
const upkeep: readonly string[] = ["check_availability", "suspend_compute"];

/**
 * Whether roles and databases are unchanged since one of the recent operations. The API changes them with operations of
 * the branch, and SQL makes its compute active.
 *
 * @param since the index of that operation; -1 if it is not among the recent ones
 */
function isUntouched(recent: readonly Operation[], since: number, endpoint: Endpoint): boolean {
  const last = recent[since];
  if (last === undefined) return false;
  if (recent.slice(0, since).some((one) => isOn(endpoint, one) && !upkeep.includes(one.action))) return false;
  const { last_active: lastActive } = endpoint;
  return lastActive === undefined || Date.parse(lastActive) <= Date.parse(last.updated_at);
}

/** Whether an operation may concern the compute or its branch. */
function isOn({ id, branch_id: ofBranch }: Endpoint, { branch_id = ofBranch, endpoint_id }: Operation): boolean {
  return branch_id === ofBranch || endpoint_id === id;
}

/**
 * A connection URI with its password; `undefined` if the project stores no passwords, or the role or database is not
 * known.
 */
async function readUri(
  context: Context,
  projectId: string,
  branchId: string,
  endpointId: string,
  { roleName, databaseName }: Connection,
): Promise<string | undefined> {
  if (roleName === undefined || databaseName === undefined) return undefined;
  const query = { branchId, endpointId, roleName, databaseName };
  return (await ignoreStatus(context.read(connectionUris.get(projectId, query)), 412))?.uri;
}

function isIn(name: string | undefined, all: Named): boolean {
  return name === undefined || all.some((one) => one.name === name);
}

/** Picks the members of a connection from a state that holds more. */
function connectionOf({ endpointId, host, poolerHost, roleName, databaseName, connectionUri }: Connection): Connection {
  return omitUndefined({ endpointId, host, poolerHost, roleName, databaseName, connectionUri });
}
