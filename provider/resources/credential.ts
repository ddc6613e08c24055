import { z } from "zod";

import { ignoreStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import { type Credential, credentialCreate, credentials, type CredentialSecrets } from "../../api/schemas/credential";
import { type Collection, onePage, type Reader } from "../call/collection";
import type { Context } from "../call/context";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { idInput } from "../kind/inputs";
import { type Kind, namesakes } from "../kind/kind";
import { asDeclared, type OutputsOf, asReported } from "../kind/outputs";
import { omitUndefined } from "../values";
import { listOf } from "./list-of";
import { rotateTrigger, rotateTriggerRule, rotationOf } from "./rotation";

const inputs = lazy(() =>
  z.strictObject({
    projectId: idInput.describe("Id of the project."),
    branchId: idInput.describe("Id of the branch."),
    name: credentialCreate.shape.name.describe(
      "Name of the credential, 1 to 256 characters. Names are not unique. Default: the resource's logical name.",
    ),
    scopes: credentialCreate.shape.scopes.describe(
      "What the credential allows, 1 to 16 entries in any order: `storage:read`, `storage:write`, `ai_gateway:invoke` and `functions:invoke`.",
    ),
    rotateTrigger: rotateTrigger.meta({
      description: "Any string.",
      replacement: "The new one is issued first, and the old one is revoked last. Removing it has no effect.",
    }),
    adopt: z
      .string({ error: "must be the id of a credential: several can have the same name" })
      .min(1)
      .optional()
      .describe(
        "Id of an existing credential to adopt instead of issuing one. Fails if the credential does not exist. Setting or removing `adopt` later has no effect.",
      ),
  }),
);
export type CredentialInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "branchId", "name"),
    scopes: z.array(z.string()).describe("What the credential allows."),
    ...asDeclared(inputs(), "rotateTrigger"),
    tokenId: z.string().describe("Id of the credential."),
    apiToken: z
      .string()
      .optional()
      .meta({
        description:
          "Bearer token. Secret. Absent for a credential that this resource did not issue, if Neon cannot reveal it.",
        secret: true,
        absence: {
          reason: "Neon cannot reveal the secrets of this credential, because it was issued before Neon could do that.",
        },
      }),
    s3SecretAccessKey: z
      .string()
      .optional()
      .meta({
        description:
          "Secret access key for S3. Secret. Absent for a credential that this resource did not issue, if Neon cannot reveal it.",
        secret: true,
        absence: {
          reason: "Neon cannot reveal the secrets of this credential, because it was issued before Neon could do that.",
        },
      }),
    createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
    expiresAt: z.string().optional().describe("Time at which the credential expires (ISO 8601, UTC). Absent: never."),
  });
export type CredentialOutputs = OutputsOf<typeof outputs>;

/** A credential for services of a branch. */
export const credential: Kind<CredentialInputs, CredentialOutputs> = {
  name: "Credential",
  noun: "credential",
  version: 1,
  inputs,
  outputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    name: { onChange: "replace" },
    scopes: { onChange: "replace", equality: "set" },
    rotateTrigger: rotateTriggerRule,
  },
  defaultName: "name",
  uniqueBy: [],
  replacement: rotationOf("credential"),
  ...identifiedBy("projectId", "branchId", "tokenId"),

  create: ({ projectId, branchId, name, scopes }) =>
    creation({
      what: "issue credential",
      request: credentials.create(projectId, branchId, { ...omitUndefined({ name }), scopes }),
      // Credentials can have the same name.
      repeatable: false,
      outputs: (answer) => credentialOutputs({ projectId, branchId }, answer, secretsIn(answer)),
    }),

  read: async (context, state) => {
    const { projectId = "", branchId = "", tokenId = "" } = state;
    const found = await context.readOne(credentialsOf({ projectId, branchId }), tokenId);
    if (found === undefined) return undefined;
    // Revealed once. After that, the state has them.
    const isKnown = state.apiToken !== undefined || !context.readsSecrets;
    const secrets = isKnown ? state : await revealed(context, { projectId, branchId, tokenId });
    return credentialOutputs({ projectId, branchId }, found, secrets);
  },

  remove: async (context, { projectId, branchId, tokenId, name }) => {
    const branch = { projectId, branchId };
    await deleteObject(context, {
      what: "revoke credential",
      object: `credential ${name ?? ""} (${tokenId})`,
      project: projectId,
      request: credentials.revoke(projectId, branchId, tokenId),
      silent: true,
      exists: async () => (await listValid(context, branch)).some((one) => one.token_id === tokenId),
    });
  },

  secretOnce: true,
  namesakes: (_, { projectId, branchId, name }) =>
    namesakes({
      collection: credentialsOf({ projectId, branchId }),
      // Nobody has the secrets of a lost credential, so nobody has used it.
      matches: (one) => one.name === name && (one.last_used_at ?? undefined) === undefined,
      outputs: (one) => credentialOutputs({ projectId, branchId }, one, {}),
      isVague: true,
    }),

  listing: {
    of: "branch",
    list: async ({ read }, { projectId, branchId }) =>
      (await read(credentials.list(projectId, branchId))).credentials
        .filter(({ revoked_at }) => (revoked_at ?? undefined) === undefined)
        .map(({ token_id }) => ({ address: { tokenId: token_id } })),
  },
};

interface Branch {
  readonly projectId: string;
  readonly branchId: string;
}

/** The credentials of a branch that are not revoked, none if the branch does not exist. */
async function listValid(reader: Reader, { projectId, branchId }: Branch): Promise<readonly Credential[]> {
  const answer = await listOf(
    reader,
    reader.read(credentials.list(projectId, branchId)),
    branches.get(projectId, branchId),
  );
  return (answer?.credentials ?? []).filter((one) => (one.revoked_at ?? undefined) === undefined);
}

function credentialsOf(branch: Branch): Collection<Credential> {
  return {
    name: `credentials/${branch.projectId}/${branch.branchId}`,
    projectId: branch.projectId,
    pages: (reader) => onePage(() => listValid(reader, branch)),
    keyOf: ({ token_id }) => token_id,
  };
}

type Secrets = Partial<Pick<CredentialOutputs, "apiToken" | "s3SecretAccessKey">>;

function secretsIn({ api_token: apiToken, s3_secret_access_key: s3SecretAccessKey }: CredentialSecrets): Secrets {
  return { apiToken, s3SecretAccessKey };
}

/** The secrets of a credential, none if it was issued before Neon could reveal them. */
async function revealed(
  context: Context,
  { projectId, branchId, tokenId }: Branch & Pick<CredentialOutputs, "tokenId">,
): Promise<Secrets> {
  const answer = await ignoreStatus(context.read(credentials.reveal(projectId, branchId, tokenId)), 404, 409);
  return answer === undefined ? {} : secretsIn(answer);
}

function credentialOutputs(
  { projectId, branchId }: Branch,
  found: Credential,
  { apiToken, s3SecretAccessKey }: Secrets,
): CredentialOutputs {
  return {
    projectId,
    branchId,
    scopes: found.scopes,
    tokenId: found.token_id,
    ...omitUndefined({ name: found.name, apiToken, s3SecretAccessKey, expiresAt: found.expires_at ?? undefined }),
    createdAt: found.created_at,
  };
}
