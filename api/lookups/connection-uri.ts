import { z } from "zod";

import { toWire } from "../core/camel-case";
import { ignoreNotFound, invalid } from "../core/errors";
import { decoded } from "../core/request";
import { together } from "../core/together";
import { poolerHostOf } from "../endpoint-host";
import { connectionUris } from "../schemas/connection-uri";
import { databases } from "../schemas/database";
import { type Endpoint, endpoints } from "../schemas/endpoint";
import { roles } from "../schemas/role";
import { objectId } from "../schemas/wire";
import { idArgument, ofBranch } from "./id-argument";
import { lookup } from "./lookup";

const connected = {
  ...ofBranch,
  roleName: objectId.describe("Role to connect as."),
  databaseName: objectId.describe("Database to connect to."),
};

/** The URI to connect to a database of a branch as a role. */
export const getConnectionUri = lookup("getConnectionUri", () => ({
  args: {
    ...connected,
    endpointId: idArgument
      .optional()
      .describe("Compute to connect to, such as a read replica. Default: the branch's read-write compute."),
    pooled: z
      .boolean()
      .optional()
      .describe("Whether to connect through the connection pooler. Default: `false`, Neon's default."),
  },
  result: z
    .strictObject({
      uri: z.string().meta({ description: "Connection URI, including the role's password.", secret: true }),
      host: z.string().describe("Host in the URI: of the compute or of its connection pooler."),
      endpointId: z.string().describe("Compute that the URI connects to."),
      pooled: z.boolean().describe("Whether the URI uses the connection pooler."),
      ...connected,
    })
    .meta({
      title: "ConnectionUriResult",
      description: "A connection to a database of a branch. All members are as sensitive as the URI.",
    }),
  reads: ["Branch", "Endpoint", "Role", "Database"],
  explanations: {
    412: "The resource that created the role has it as its output `password`.",
  },
  read: async ({ client }, given) => {
    const { projectId, branchId, roleName, databaseName, pooled } = given;
    const [computes, role, database] = await together([
      ignoreNotFound(client.send(endpoints.listOfBranch(projectId, branchId))),
      ignoreNotFound(client.send(roles.get(projectId, branchId, roleName))),
      ignoreNotFound(client.send(databases.get(projectId, branchId, databaseName))),
    ]);
    const branch = `branch ${branchId} of project ${projectId}`;
    const endpoint = findCompute(computes?.endpoints, given.endpointId, branch);
    if (role === undefined) throw invalid(`There is no role "${roleName}" on ${branch}.`);
    if (role.role.authentication_method === "no_login") {
      throw invalid(`The role "${roleName}" on ${branch} cannot log in.`);
    }
    if (database === undefined) throw invalid(`There is no database "${databaseName}" on ${branch}.`);
    const query = { branchId, endpointId: endpoint.id, roleName, databaseName, pooled };
    const { uri } = await client.send(connectionUris.get(projectId, query));
    const host = verifiedHost(uri, endpoint, given);
    return toWire({
      ...given,
      uri,
      host,
      endpointId: endpoint.id,
      pooled: pooled ?? host !== endpoint.host,
    });
  },
}));

interface ConnectionArgs {
  readonly projectId: string;
  readonly branchId: string;
  readonly roleName: string;
  readonly databaseName: string;
  readonly pooled?: boolean | undefined;
}

function findCompute(
  computes: readonly Endpoint[] | undefined,
  endpointId: string | undefined,
  branch: string,
): Endpoint {
  if (computes === undefined) throw invalid(`There is no ${branch}, or this API key cannot see it.`);
  const found = computes.find(({ id, type }) => (endpointId === undefined ? type === "read_write" : id === endpointId));
  if (found !== undefined) return found;
  if (endpointId !== undefined) throw invalid(`There is no compute ${endpointId} on ${branch}.`);
  const [other] = computes;
  throw invalid(
    other === undefined
      ? `There is no compute on ${branch} to connect to.`
      : `There is no read-write compute on ${branch}. To connect to another compute, set \`endpointId: "${other.id}"\`.`,
  );
}

/**
 * Returns the host of a URI after checking that the URI leads to the requested compute, role and database. No message
 * contains the URI, because it contains the password.
 */
function verifiedHost(
  uri: string,
  endpoint: Endpoint,
  { projectId, branchId, roleName, databaseName, pooled }: ConnectionArgs,
): string {
  const direct = pooled === true ? [] : [endpoint.host];
  const pooler = pooled === false ? [] : [poolerHostOf(endpoint)];
  const { hostname, username, pathname } = URL.canParse(uri)
    ? new URL(uri)
    : { hostname: "", username: "", pathname: "" };
  const host = [...direct, ...pooler].find((expected) => expected === hostname);
  if (host !== undefined && decoded(username) === roleName && decoded(pathname) === `/${databaseName}`) return host;
  throw invalid(
    `Neon returned a connection URI that does not lead to database "${databaseName}" on branch ${branchId} of project ${projectId} as "${roleName}"${
      hostname === "" ? "" : ` (its host is ${hostname})`
    }. The URI was discarded.`,
  );
}
