import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { ignoreStatus, invalid } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import {
  type Credential,
  credential as wireCredential,
  credentialCreate,
  credentials,
  credentialSecrets,
  type CredentialSecrets,
} from "../../api/schemas/credential";
import { type Collection, wholeList } from "../call/collection";
import type { Context } from "../call/context";

import { creation } from "../kind/creation";
import { ofBranch, trigger } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn } from "../values";
import { rotationOf } from "./rotation";

const inputs = lazy(() =>
  z.strictObject({
    ...ofBranch,
    name: credentialCreate.shape.name,
    scopes: credentialCreate.shape.scopes.meta({
      note: "In any order.",
    }),
    rotateTrigger: trigger(
      "rotates the credential in place: it keeps its id and gets other secrets, and the old ones stop working at once",
    ),
    adopt: z
      .string({ error: "must be the id of a credential: several can have the same name" })
      .min(1)
      .optional()
      .describe(
        "Id of an existing credential to adopt instead of issuing one. Fails if the credential does not exist.",
      ),
  }),
);
export type CredentialInputs = z.infer<ReturnType<typeof inputs>>;

const ofCredential = {
  secret: true,
  absence: {
    reason: "Neon cannot reveal the secrets of this credential, because it was issued before Neon could do that.",
  },
} as const;
const outputs = () => {
  const wire = camelShape(wireCredential.shape);
  const secrets = camelShape(credentialSecrets.shape);
  return z.object({
    ...ofBranch,
    ...only(wire, "name", "scopes"),
    ...only(inputs().shape, "rotateTrigger"),
    ...only(wire, "tokenId", "tokenIdShort"),
    apiToken: secrets.apiToken.optional().meta(ofCredential),
    s3SecretAccessKey: secrets.s3SecretAccessKey.optional().meta(ofCredential),
    ...only(wire, "createdAt", "expiresAt"),
  });
};
export type CredentialOutputs = OutputsOf<typeof outputs>;

/** A credential for services of a branch. */
export const credential = listedKind<Credential, CredentialInputs, CredentialOutputs>({
  name: "Credential",
  noun: "credential",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "tokenId"],
  rules: {
    name: { onChange: "replace" },
    scopes: { onChange: "replace", equality: "set" },
    rotateTrigger: { platform: "unaware", affects: ["apiToken", "s3SecretAccessKey"] },
  },
  defaultName: "name",
  uniqueBy: [],
  replacement: rotationOf("credential"),

  create: ({ projectId, branchId, name, scopes }) =>
    creation({
      what: "issue credential",
      request: credentials.create(projectId, branchId, { ...omitUndefined({ name }), scopes }),
      // Credentials can have the same name.
      repeatable: false,
      outputs: (answer) => credentialOutputs({ projectId, branchId }, answer, secretsIn(answer)),
    }),

  collection: credentialsOf,
  outputsOf: (found, { projectId = "", branchId = "" }) => credentialOutputs({ projectId, branchId }, found, {}),
  read: async (context, state) => {
    const { projectId = "", branchId = "", tokenId = "" } = state;
    const found = await context.readOne(credentialsOf(state), tokenId);
    if (found === undefined) return undefined;
    // Revealing once is enough: the state keeps the secrets.
    const isKnown = state.apiToken !== undefined || !context.readsSecrets;
    const secrets = isKnown ? state : await revealed(context, { projectId, branchId, tokenId });
    return credentialOutputs({ projectId, branchId }, found, secrets);
  },

  update: async (context, state, _, changes) => {
    if (changes.has("rotateTrigger")) await rotate(context, state);
  },

  deletion: ({ projectId, branchId, tokenId, name }) => ({
    what: "revoke credential",
    object: `credential ${name ?? ""} (${tokenId})`,
    request: credentials.revoke(projectId, branchId, tokenId),
    silent: true,
  }),

  undeletable: (_, { name = "", tokenId }) => {
    const issuer = issuerOf(name);
    return Promise.resolve(issuer && `The credential ${name} (${tokenId}) was not issued by a program: ${issuer}.`);
  },

  listing: { leftOut: ({ name = "" }) => issuerOf(name) },

  secretOnce: true,
  // The secrets of a credential whose creation was not answered are unknown, so such a credential was never used.
  vague: { isLost: (one) => (one.last_used_at ?? undefined) === undefined },
});

/** The issuer of credentials with this name, if that is Neon or its CLI. */
function issuerOf(name: string): string | undefined {
  if (/^Default (AI gateway|object storage) credential$/.test(name)) return "Neon issues one for each branch";
  return name.startsWith("neon-env ") ? "`neon env pull` issues one for local environments" : undefined;
}

interface Branch {
  readonly projectId: string;
  readonly branchId: string;
}

/** The credentials of a branch that are not revoked. */
function credentialsOf({ projectId = "", branchId = "" }: Partial<Branch>): Collection<Credential> {
  return wholeList({
    list: credentials.list(projectId, branchId),
    items: (answer) => answer.credentials.filter((one) => (one.revoked_at ?? undefined) === undefined),
    keyOf: (one) => one.token_id,
    parent: branches.get(projectId, branchId),
  });
}

type Secrets = Partial<Pick<CredentialOutputs, "apiToken" | "s3SecretAccessKey">>;

function secretsIn({ api_token: apiToken, s3_secret_access_key: s3SecretAccessKey }: CredentialSecrets): Secrets {
  return { apiToken, s3SecretAccessKey };
}

/** Gives a credential new secrets. After a lost response, the new secrets are read from Neon. */
async function rotate(context: Context, state: CredentialOutputs): Promise<void> {
  const { projectId, branchId, tokenId } = state;
  let before: Secrets | undefined;
  let now: Secrets = {};
  // Read again before each attempt, because another user may have rotated the credential in the meantime.
  const prepare = async (): Promise<void> => {
    before = await revealed(context, state).catch(() => undefined);
  };
  await prepare();
  await context.change({
    what: "rotate credential",
    request: credentials.rotate(projectId, branchId, tokenId),
    applies: ["rotateTrigger"],
    beforeResend: prepare,
    outputs: (answer) => (answer === undefined ? now : secretsIn(answer)),
    done: async () => {
      now = await revealed(context, state);
      // Neon reveals the secrets of every credential that was rotated since it introduced revealing.
      if (before === undefined || now.apiToken === undefined) throw notRevealed(state);
      return now.apiToken !== before.apiToken;
    },
  });
}

function notRevealed({ name = "", tokenId }: CredentialOutputs): Error {
  return invalid(
    `Neon does not reveal the secrets of the credential ${name} (${tokenId}), so it is not known whether they have changed. If they have, those in the state are not valid any more, and the next rotation returns valid ones`,
  );
}

/** The secrets of a credential. Empty if it was issued before Neon could reveal them. */
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
    ...outputsIn(found, "name", "scopes", "token_id", "token_id_short", "created_at"),
    ...omitUndefined({ apiToken, s3SecretAccessKey, expiresAt: found.expires_at ?? undefined }),
  };
}
