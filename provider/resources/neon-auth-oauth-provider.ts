import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { explained, HttpError } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { neonAuths } from "../../api/schemas/neon-auth";
import {
  oauthProvider,
  type OauthProvider,
  oauthProviderId,
  oauthProviders,
  oauthProviderUpdate,
} from "../../api/schemas/neon-auth-oauth-provider";
import { type Collection, wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined } from "../values";
import type { BranchAddress } from "./branch/read";

const client = camelShape(oauthProviderUpdate.shape);
const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    branchId: ofBranch.branchId.meta({
      note: "It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables that first.",
    }),
    providerId: oauthProviderId.meta({ note: "A branch has each of them once." }),
    clientId: client.clientId.meta({
      omitted: "an application of Neon that projects share, which not every service has",
    }),
    clientSecret: client.clientSecret.meta({
      note: "The state always stores it as a secret.",
    }),
    ...only(client, "microsoftTenantId"),
    adopt: adopt.meta({ note: "The id is the service, such as `google`." }),
  }),
);
export type NeonAuthOauthProviderInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, ...wire } = camelShape(oauthProvider.shape);
  return z.object({
    ...ofBranch,
    providerId: id,
    ...only(wire, "clientId"),
    clientSecret: inputs().shape.clientSecret.meta({
      secret: true,
      absence: { reason: "The program declares none." },
    }),
    ...only(inputs().shape, "microsoftTenantId"),
    ...only(wire, "type"),
  });
};
export type NeonAuthOauthProviderOutputs = OutputsOf<typeof outputs>;

/** An identity provider that users of a branch's Neon Auth can sign in with. */
export const neonAuthOauthProvider = listedKind<
  OauthProvider,
  NeonAuthOauthProviderInputs,
  NeonAuthOauthProviderOutputs
>({
  name: "NeonAuthOauthProvider",
  noun: "OAuth provider",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "providerId"],
  rules: {
    clientId: { affects: ["type"] },
    // The documented response contains a client secret, but nothing says that it is the actual one.
    clientSecret: { platform: "write-only" },
    microsoftTenantId: { platform: "write-only" },
  },
  needs: [
    {
      status: 404,
      fix: "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth` for the branch, and use its output `branchId` here, so that Pulumi enables it first.",
    },
  ],
  replacement: { loss: "Users cannot sign in with the old one any more." },
  within: { NeonAuth: [] },
  identity: { by: "clientId", isSetting: true },

  create: ({ projectId, branchId, providerId, adopt: _, ...declared }) =>
    creation({
      what: "add OAuth provider",
      request: oauthProviders.create(projectId, branchId, { id: providerId, ...toWire(declared) }),
      repeatable: true,
      outputs: (answer) => providerOutputs({ projectId, branchId }, answer),
      // Neon does not specify what happens if a provider with this id exists.
      overwrites: true,
      explain: (_context, error) => explainedByCredentials(providerId, error),
    }),

  collection: providersOf,
  outputsOf: (found, { projectId = "", branchId = "" }) => providerOutputs({ projectId, branchId }, found),

  update: async (context, state, declared, changes) => {
    const changed = changedInputs(declared, Object.keys(client), changes);
    const applies = Object.keys(changed);
    if (applies.length === 0) return;
    const { projectId, branchId, providerId } = state;
    const body = toWire(changed);
    const isReported = applies.every((input) => input === "clientId");
    await context.change({
      what: "change OAuth provider",
      request: oauthProviders.update(projectId, branchId, providerId, body),
      applies,
      // The client secret is never reported, so only another response proves that it was set.
      done: async () => isReported && contains(await context.readOne(providersOf(state), providerId), body),
    });
  },

  deletion: ({ projectId, branchId, providerId }) => ({
    object: `OAuth provider ${providerId} of branch ${branchId}`,
    request: oauthProviders.delete(projectId, branchId, providerId),
    silent: true,
  }),

  listing: {
    of: "Neon Auth",
    isCopied: true,
    leftOut: ({ type }) => (type === "shared" ? "Neon provides the keys of their applications" : undefined),
  },
});

/** Explains the error for a provider without a shared application. Returns any other error as it is. */
function explainedByCredentials(providerId: string, error: unknown): unknown {
  if (!(error instanceof HttpError) || error.code !== "INVALID_SHARED_OAUTH_PROVIDER") return error;
  return explained(
    `The OAuth provider ${providerId} was not added: it has no application that projects share`,
    error,
    "Register an application with the provider, and declare its `clientId` and `clientSecret`.",
  );
}

function providersOf({ projectId = "", branchId = "" }: Partial<BranchAddress>): Collection<OauthProvider> {
  return wholeList({
    list: oauthProviders.list(projectId, branchId),
    items: (answer) => answer.providers,
    keyOf: ({ id }) => id,
    parent: neonAuths.get(projectId, branchId),
  });
}

function providerOutputs(
  { projectId, branchId }: BranchAddress,
  { id, type, client_id: clientId }: OauthProvider,
): NeonAuthOauthProviderOutputs {
  return {
    projectId,
    branchId,
    providerId: id,
    ...omitUndefined({ clientId }),
    type,
  };
}
