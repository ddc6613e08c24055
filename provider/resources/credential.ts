import { z } from "zod";

import { ignoreStatus } from "../../api/errors";
import { type Credential, credentialCreate, credentials, type CredentialSecrets } from "../../api/schemas/credential";
import { branches } from "../../api/schemas/branch";
import { type Collection, onePage, type Reader } from "../call/collection";
import type { Context } from "../call/context";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { idInput } from "../kind/inputs";
import { type Kind, namesakes } from "../kind/kind";
import { omitUndefined } from "../values";
import { listOf } from "./list-of";
import { rotateTrigger, rotateTriggerRule, rotationOf } from "./rotation";

const inputs = z.strictObject({
  projectId: idInput,
  branchId: idInput,
  name: credentialCreate.shape.name,
  scopes: credentialCreate.shape.scopes,
  rotateTrigger,
  adopt: z.string({ error: "must be the id of a credential: several can have the same name" }).min(1).optional(),
});
export type CredentialInputs = z.infer<typeof inputs>;

export interface CredentialOutputs extends Omit<CredentialInputs, "scopes" | "adopt"> {
  /** A credential that was issued elsewhere can have scopes that a program cannot ask for. */
  readonly scopes: string[];
  readonly tokenId: string;
  readonly apiToken?: string;
  readonly s3SecretAccessKey?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/** A credential for services of a branch. */
export const credential: Kind<CredentialInputs, CredentialOutputs, "apiToken" | "s3SecretAccessKey"> = {
  name: "Credential",
  noun: "credential",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    name: { onChange: "replace" },
    scopes: { onChange: "replace", equality: "set" },
    rotateTrigger: rotateTriggerRule,
  },
  secrets: { apiToken: true, s3SecretAccessKey: true },
  defaultName: "name",
  uniqueBy: [],
  replacement: rotationOf("credential"),
  ...identifiedBy("projectId", "branchId", "tokenId"),

  create: ({ projectId, branchId, name, scopes }) =>
    creation({
      what: "issue credential",
      request: () => credentials.create(projectId, branchId, { ...omitUndefined({ name }), scopes }),
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
