import { z } from "zod";

import type { NeonClient } from "../client";
import { hasStatus, ignoreNotFound, invalid, NeonError } from "../core/errors";
import { together } from "../core/together";
import { aiGateways } from "../schemas/ai-gateway";
import { branches } from "../schemas/branch";
import { buckets } from "../schemas/bucket";
import { credentials, storageCredentialName } from "../schemas/credential";
import { dataApis } from "../schemas/data-api";
import { databases } from "../schemas/database";
import { neonAuths } from "../schemas/neon-auth";
import { realtimes } from "../schemas/realtime";
import { roles } from "../schemas/role";
import { objectId, textMap } from "../schemas/wire";
import { getConnectionUri } from "./connection-uri";
import { validCredentials } from "./credential";
import { allFunctions } from "./function";
import { ofBranch } from "./id-argument";
import { type Account, lookup } from "./lookup";

/** The environment variables of a branch, with the names that Neon's tools use. */
export const getEnvironmentVariables = lookup("getEnvironmentVariables", () => ({
  args: {
    ...ofBranch,
    roleName: objectId
      .optional()
      .describe("Role to connect as. Default: `neondb_owner`, or the only role of the branch that can be meant."),
    databaseName: objectId
      .optional()
      .describe("Database to connect to. Default: `neondb`, or the only database of the branch."),
    tokenId: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Credential for the storage and the gateway: the output `tokenId` of a `Credential`. Default: those that Neon has issued for the branch, or else the one of `neon env pull`.",
      ),
  },
  result: z
    .strictObject({
      variables: textMap.meta({ description: "Value of each variable, by its name.", secret: true }),
    })
    .meta({ title: "EnvironmentVariablesResult", description: "The variables of a branch." }),
  reads: ["Branch", "Endpoint", "Role", "Database", "Bucket", "Credential", "DataApi", "NeonAuth", "Realtime"],
  read: async (account, args) => ({ variables: await variablesOf(account, args) }),
}));

interface Args {
  readonly projectId: string;
  readonly branchId: string;
  readonly roleName?: string | undefined;
  readonly databaseName?: string | undefined;
  readonly tokenId?: string | undefined;
}

type Variables = Readonly<Record<string, string>>;

async function variablesOf(account: Account, args: Args): Promise<Variables> {
  const { client } = account;
  const { projectId, branchId } = args;
  const { branch } = await client.send(branches.get(projectId, branchId));
  const [roleName, databaseName] = await together([roleOf(client, args), databaseOf(client, args)]);
  const connection = (pooled: boolean) =>
    getConnectionUri.read(account, { projectId, branchId, roleName, databaseName, pooled });
  const [pooled, direct, ...services] = await together([
    connection(true),
    connection(false),
    authOf(client, args),
    dataApiOf(client, { ...args, databaseName }),
    realtimeOf(client, args),
    credentialedOf(client, args, branch.name),
    functionsOf(client, args),
  ]);
  const own: Variables = { DATABASE_URL: pooled.uri, DATABASE_URL_UNPOOLED: direct.uri, NEON_BRANCH: branch.name };
  return services.reduce((all, one) => ({ ...all, ...one }), own);
}

/** Roles that Neon creates for its services. Applications do not connect as these roles. */
const rolesOfNeon = ["authenticator", "anonymous", "authenticated"];

async function roleOf(client: NeonClient, { projectId, branchId, roleName }: Args): Promise<string> {
  if (roleName !== undefined) return roleName;
  const names = (await client.send(roles.list(projectId, branchId))).roles.map(({ name }) => name);
  const own = names.length === 1 ? names : names.filter((name) => !rolesOfNeon.includes(name));
  return theOne(own, "neondb_owner", "role", branchId);
}

async function databaseOf(client: NeonClient, { projectId, branchId, databaseName }: Args): Promise<string> {
  if (databaseName !== undefined) return databaseName;
  const found = (await client.send(databases.list(projectId, branchId))).databases;
  return theOne(
    found.map(({ name }) => name),
    "neondb",
    "database",
    branchId,
  );
}

/** Returns the usual name if it is among these, or else the only one. */
function theOne(names: readonly string[], usual: string, noun: string, branchId: string): string {
  const [only] = names;
  if (names.includes(usual)) return usual;
  if (only === undefined) throw invalid(`The branch ${branchId} has no ${noun} to connect with`);
  if (names.length === 1) return only;
  throw invalid(`The branch ${branchId} has the ${noun}s ${names.join(", ")}, and none is ${usual}`, {
    fix: `Set \`${noun}Name\` to one of them.`,
  });
}

async function authOf(client: NeonClient, { projectId, branchId }: Args): Promise<Variables> {
  const found = await unlessAbsent(client.send(neonAuths.get(projectId, branchId)));
  return found === undefined ? {} : { NEON_AUTH_BASE_URL: found.base_url ?? "", NEON_AUTH_JWKS_URL: found.jwks_url };
}

async function dataApiOf(
  client: NeonClient,
  { projectId, branchId, databaseName }: Args & { readonly databaseName: string },
): Promise<Variables> {
  const found = await unlessAbsent(client.send(dataApis.get(projectId, branchId, databaseName)));
  return found === undefined ? {} : { NEON_DATA_API_URL: found.url };
}

async function realtimeOf(client: NeonClient, { projectId, branchId }: Args): Promise<Variables> {
  const found = await unlessAbsent(client.send(realtimes.get(projectId, branchId)));
  if (found?.enabled !== true || found.invocation_url === undefined) return {};
  const { secret } = (await unlessAbsent(client.send(realtimes.secret(projectId, branchId)))) ?? {};
  return {
    NEON_REALTIME_URL: found.invocation_url,
    ...(secret !== undefined && { NEON_REALTIME_SECRET: secret }),
  };
}

/** The variables of the storage and of the gateway: both accept credentials of the branch. */
async function credentialedOf(client: NeonClient, args: Args, branchName: string): Promise<Variables> {
  const { projectId, branchId, tokenId } = args;
  const [storage, gateway, all] = await together([
    storageOf(client, args),
    unlessAbsent(client.send(aiGateways.get(projectId, branchId))),
    unlessAbsent(validCredentials(client, projectId, branchId)),
  ]);
  // If several credentials fit, use the newest one.
  const valid = [...(all ?? [])]
    .reverse()
    .sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  if (tokenId !== undefined && !valid.some((one) => one.token_id === tokenId)) {
    throw invalid(`The branch ${branchId} has no valid credential ${tokenId}`);
  }
  /**
   * The secrets of the given credential, or else of Neon's default one or the one that `neon env pull` issued.
   * Undefined if none has this scope.
   */
  const secretsFor = async (defaultName: string, scope: string) => {
    const fits = valid.filter(({ scopes }) => scopes.includes(scope));
    const named = (wanted: string) => fits.find(({ name }) => name === wanted);
    const found =
      tokenId === undefined
        ? (named(defaultName) ?? named(`neon-env ${branchName}`))
        : fits.find((one) => one.token_id === tokenId);
    return (
      found && {
        tokenId: found.token_id,
        ...(await client.send(credentials.reveal(projectId, branchId, found.token_id))),
      }
    );
  };
  const [forStorage, forGateway] = await together([
    storage && secretsFor(storageCredentialName, "storage:read"),
    gateway && secretsFor("Default AI gateway credential", "ai_gateway:invoke"),
  ]);
  return {
    ...(forStorage && {
      AWS_ACCESS_KEY_ID: forStorage.tokenId,
      AWS_SECRET_ACCESS_KEY: forStorage.s3_secret_access_key,
    }),
    ...(storage && { AWS_ENDPOINT_URL_S3: storage.s3_endpoint, AWS_REGION: storage.region }),
    ...(forGateway && { NEON_AI_GATEWAY_TOKEN: forGateway.api_token }),
    ...(gateway && { NEON_AI_GATEWAY_BASE_URL: gateway.base_url }),
  };
}

/** The storage address of a branch; undefined if the branch has no bucket. */
async function storageOf(client: NeonClient, { projectId, branchId }: Args) {
  const found = await unlessAbsent(client.send(buckets.list(projectId, branchId)));
  return found === undefined || found.buckets.length === 0
    ? undefined
    : client.send(buckets.storage(projectId, branchId));
}

async function functionsOf(client: NeonClient, { projectId, branchId }: Args): Promise<Variables> {
  const found = (await unlessAbsent(allFunctions(client, projectId, branchId))) ?? [];
  return Object.fromEntries(
    found
      .filter(({ invocation_url: url }) => url !== "")
      .map(({ slug, invocation_url: url }) => [`NEON_FUNCTION_${slug.toUpperCase()}_BASE_URL`, new URL(url).origin]),
  );
}

/**
 * The response, or undefined if the branch, the account or the region lacks the service. A 404 cannot mean a missing
 * branch, because the branch was read before.
 */
async function unlessAbsent<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ignoreNotFound(answer);
  } catch (error) {
    const isUnknown = NeonError.isInstance(error) && error.kind === "unknown-route";
    if (isUnknown || hasStatus(error, 501)) return undefined;
    throw error;
  }
}
