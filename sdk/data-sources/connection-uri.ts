import * as pulumi from "@pulumi/pulumi";

import { HttpError, isNotFound } from "../../api/errors";
import { connectionUris } from "../../api/schemas/connection-uri";
import { databases } from "../../api/schemas/database";
import { type Endpoint, endpoints, poolerHostOf } from "../../api/schemas/endpoint";
import { roles } from "../../api/schemas/role";
import type { Lookup } from "../configured-settings";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";
import { failure } from "../run-error";

/** How to connect to a database of a branch. All of it is as secret as the URI. */
export interface ConnectionUriResult {
  /** The URI, with the role's password in it. */
  readonly uri: string;
  /** The host in it: the compute's, or that of its pooler. */
  readonly host: string;
  /** The compute behind it. */
  readonly endpointId: string;
  /** Whether it leads through the connection pooler. */
  readonly pooled: boolean;
  /** The project it is about. */
  readonly projectId: string;
  /** The branch it is about. */
  readonly branchId: string;
  /** The role to connect as. */
  readonly roleName: string;
  /** The database to connect to. */
  readonly databaseName: string;
}

/** Which connection to tell. */
export interface GetConnectionUriArgs {
  /** The project that the branch belongs to. */
  readonly projectId: string;
  /** The branch to connect to. It has to be named: no other branch stands in for it. */
  readonly branchId: string;
  /** The role to connect as. */
  readonly roleName: string;
  /** The database to connect to. */
  readonly databaseName: string;
  /** The compute to connect to, such as a read replica. Default: the branch's read-write compute. */
  readonly endpointId?: string;
  /** Whether to connect through the connection pooler. Default: the platform's, `false`. */
  readonly pooled?: boolean;
}

/**
 * The URI to connect to a database of a branch. Fails where the branch, its compute, the role or the database is missing,
 * and where the platform answers with the host of anything else: never with the URI of another branch.
 *
 * The plain form cannot mark its result as secret: whatever a program makes of it is stored and shown in plain text. Use
 * {@link getConnectionUriOutput}, whose result is secret, unless the URI stays within the program.
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
export function getConnectionUri(args: GetConnectionUriArgs, options?: LookupOptions): Promise<ConnectionUriResult> {
  return look(options, (lookup) => findUri(lookup, args));
}

/**
 * {@link getConnectionUri} for arguments that are outputs. The result is secret.
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
export function getConnectionUriOutput(
  args: Inputs<GetConnectionUriArgs>,
  options?: LookupOptions,
): pulumi.Output<ConnectionUriResult> {
  return pulumi.secret(lookOutput(args, options, getConnectionUri));
}

async function findUri({ client }: Lookup, args: GetConnectionUriArgs): Promise<ConnectionUriResult> {
  const { projectId, branchId, roleName, databaseName, pooled } = args;
  // A name that is not known would be left out of the request, and the platform would choose for itself.
  assertNeeded("getConnectionUri", args, "projectId", "branchId", "roleName", "databaseName");
  const [computes, role, database] = await Promise.all([
    unlessMissing(client.send(endpoints.listOfBranch(projectId, branchId))),
    unlessMissing(client.send(roles.get(projectId, branchId, roleName))),
    unlessMissing(client.send(databases.get(projectId, branchId, databaseName))),
  ]);
  const where = `branch ${branchId} of project ${projectId}`;
  const endpoint = computeOf(computes?.endpoints, args);
  if (role === undefined) throw failure(`There is no role "${roleName}" on ${where}.`);
  if (role.role.authentication_method === "no_login") {
    throw failure(`The role "${roleName}" on ${where} cannot log in.`);
  }
  if (database === undefined) throw failure(`There is no database "${databaseName}" on ${where}.`);
  const query = { branchId, endpointId: endpoint.id, roleName, databaseName, pooled };
  const { uri } = await client.send(connectionUris.get(projectId, query)).catch((error: unknown) => {
    throw HttpError.isInstance(error) && error.status === 412
      ? failure(
          `Project ${projectId} stores no passwords, so the platform cannot tell how to connect to ${where} as "${roleName}". The password is known only where it was made: it is the output \`password\` of the resource that made the role.`,
        )
      : error;
  });
  const host = checkedHost(uri, endpoint, args);
  return {
    uri,
    host,
    endpointId: endpoint.id,
    pooled: host !== endpoint.host,
    projectId,
    branchId,
    roleName,
    databaseName,
  };
}

function computeOf(
  computes: readonly Endpoint[] | undefined,
  { projectId, branchId, endpointId }: GetConnectionUriArgs,
): Endpoint {
  const branch = `branch ${branchId} of project ${projectId}`;
  if (computes === undefined) {
    throw failure(`There is no ${branch}, or this API key does not see it.`);
  }
  if (endpointId !== undefined) {
    const named = computes.find(({ id }) => id === endpointId);
    if (named !== undefined) return named;
    throw failure(`There is no compute ${endpointId} on ${branch}.`);
  }
  const readWrite = computes.find(({ type }) => type === "read_write");
  if (readWrite !== undefined) return readWrite;
  const [other] = computes;
  throw failure(
    other === undefined
      ? `There is no compute on ${branch}, so nothing can connect to it.`
      : `There is no read-write compute on ${branch}. To connect to another one, name it: \`endpointId: "${other.id}"\`.`,
  );
}

/** The host of a URI, if that leads where it should. The URI itself is in no message: it holds the password. */
function checkedHost(
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
  const isAsked = decoded(username) === roleName && decoded(pathname) === `/${databaseName}`;
  if (host !== undefined && isAsked) return host;
  throw failure(
    `The platform answered with a connection URI that does not lead to database "${databaseName}" on branch ${branchId} of project ${projectId} as "${roleName}"${
      hostname === "" ? "" : ` (its host is ${hostname})`
    }. It is not used.`,
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function unlessMissing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
