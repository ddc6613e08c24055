import { poolerHostOf } from "../../api/endpoint-host";
import { ignoreNotFound } from "../../api/errors";
import { decoded } from "../../api/request";
import type { Endpoint } from "../../api/schemas/endpoint";
import type { Account } from "../account";
import { dataSource, type Inputs, type LookupOptions } from "../data-source";
import { lateApi } from "../late-api";
import { runError } from "../run-error";

/** A connection to a database of a branch. All members are as sensitive as the URI. */
export interface ConnectionUriResult {
  /** Connection URI, including the role's password. */
  readonly uri: string;
  /** Host in the URI: of the compute or of its connection pooler. */
  readonly host: string;
  /** Compute that the URI connects to. */
  readonly endpointId: string;
  /** Whether the URI uses the connection pooler. */
  readonly pooled: boolean;
  /** Project of the branch. */
  readonly projectId: string;
  /** Branch of the database. */
  readonly branchId: string;
  /** Role to connect as. */
  readonly roleName: string;
  /** Database to connect to. */
  readonly databaseName: string;
}

/** Arguments of `getConnectionUri`. */
export interface GetConnectionUriArgs {
  /** Project of the branch. */
  readonly projectId: string;
  /** Branch of the database. There is no default. */
  readonly branchId: string;
  /** Role to connect as. */
  readonly roleName: string;
  /** Database to connect to. */
  readonly databaseName: string;
  /** Compute to connect to, such as a read replica. Default: the branch's read-write compute. */
  readonly endpointId?: string;
  /** Whether to connect through the connection pooler. Default: `false`, Neon's default. */
  readonly pooled?: boolean;
}

const connectionUriSource = dataSource({
  name: "getConnectionUri",
  // Neon would choose a branch by itself.
  required: ["projectId", "branchId", "roleName", "databaseName"],
  explanations: {
    412: "The resource that created the role has it as its output `password`.",
  },
  read: readConnectionUri,
  isSecret: true,
});

/**
 * Reads the URI to connect to a database of a branch as a role.
 *
 * Fails if the branch, its compute, the role or the database does not exist, if the project does not store passwords, and
 * if Neon returns the URI of anything else.
 *
 * A promise cannot be marked as secret: whatever the program derives from the result is stored and displayed in plain
 * text. Unless the URI stays within the program, use {@link getConnectionUriOutput}, whose result is secret.
 *
 * Neon API: `GET /projects/{project_id}/connection_uri`.
 *
 * @example
 * ```ts
 * const { uri } = await neon.getConnectionUri({
 *   projectId: "spring-example-302709",
 *   branchId: "br-wispy-meadow-118737",
 *   roleName: "app",
 *   databaseName: "shop",
 * });
 * ```
 */
export function getConnectionUri(args: GetConnectionUriArgs, options?: LookupOptions) {
  return connectionUriSource.invoke(args, options);
}

/**
 * Output form of {@link getConnectionUri}: the arguments can be outputs, and the result is secret.
 *
 * @example
 * ```ts
 * export const url = neon.getConnectionUriOutput({
 *   projectId: project.id,
 *   branchId: branch.branchId,
 *   roleName: role.name,
 *   databaseName: database.name,
 * }).uri;
 * ```
 */
export function getConnectionUriOutput(args: Inputs<GetConnectionUriArgs>, options?: LookupOptions) {
  return connectionUriSource.output(args, options);
}

async function readConnectionUri({ client }: Account, args: GetConnectionUriArgs): Promise<ConnectionUriResult> {
  const { projectId, branchId, roleName, databaseName, pooled } = args;
  const [computes, role, database] = await Promise.all([
    ignoreNotFound(client.send(lateApi.endpoint.endpoints.listOfBranch(projectId, branchId))),
    ignoreNotFound(client.send(lateApi.role.roles.get(projectId, branchId, roleName))),
    ignoreNotFound(client.send(lateApi.database.databases.get(projectId, branchId, databaseName))),
  ]);
  const branch = `branch ${branchId} of project ${projectId}`;
  const endpoint = findCompute(computes?.endpoints, args.endpointId, branch);
  if (role === undefined) throw runError(`There is no role "${roleName}" on ${branch}.`);
  if (role.role.authentication_method === "no_login") {
    throw runError(`The role "${roleName}" on ${branch} cannot log in.`);
  }
  if (database === undefined) throw runError(`There is no database "${databaseName}" on ${branch}.`);
  const query = { branchId, endpointId: endpoint.id, roleName, databaseName, pooled };
  const { uri } = await client.send(lateApi.connectionUri.connectionUris.get(projectId, query));
  const host = verifiedHost(uri, endpoint, args);
  const isPooled = pooled ?? host !== endpoint.host;
  return { uri, host, endpointId: endpoint.id, pooled: isPooled, projectId, branchId, roleName, databaseName };
}

function findCompute(
  computes: readonly Endpoint[] | undefined,
  endpointId: string | undefined,
  branch: string,
): Endpoint {
  if (computes === undefined) throw runError(`There is no ${branch}, or this API key cannot see it.`);
  const found = computes.find(({ id, type }) => (endpointId === undefined ? type === "read_write" : id === endpointId));
  if (found !== undefined) return found;
  if (endpointId !== undefined) throw runError(`There is no compute ${endpointId} on ${branch}.`);
  const [other] = computes;
  throw runError(
    other === undefined
      ? `There is no compute on ${branch} to connect to.`
      : `There is no read-write compute on ${branch}. To connect to another compute, set \`endpointId: "${other.id}"\`.`,
  );
}

/**
 * The host of a URI, if the URI leads to the requested compute, role and database. No message contains the URI, because
 * it contains the password.
 */
function verifiedHost(
  uri: string,
  endpoint: Endpoint,
  { projectId, branchId, roleName, databaseName, pooled }: GetConnectionUriArgs,
): string {
  const direct = pooled === true ? [] : [endpoint.host];
  const pooler = pooled === false ? [] : [poolerHostOf(endpoint)];
  const { hostname, username, pathname } = URL.canParse(uri)
    ? new URL(uri)
    : { hostname: "", username: "", pathname: "" };
  const host = [...direct, ...pooler].find((expected) => expected === hostname);
  if (host !== undefined && decoded(username) === roleName && decoded(pathname) === `/${databaseName}`) return host;
  throw runError(
    `Neon returned a connection URI that does not lead to database "${databaseName}" on branch ${branchId} of project ${projectId} as "${roleName}"${
      hostname === "" ? "" : ` (its host is ${hostname})`
    }. The URI was discarded.`,
  );
}
