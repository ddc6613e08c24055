import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { explained, HttpError } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { neonAuths } from "../../api/schemas/neon-auth";
import {
  type OauthProvider,
  oauthProviderId,
  oauthProviders,
  oauthProviderUpdate,
} from "../../api/schemas/neon-auth-oauth-provider";
import { type Collection, wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { adopt, idInput } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { asDeclared, type OutputsOf, asReported } from "../kind/outputs";
import { contains, omitUndefined } from "../values";
import type { BranchAddress } from "./branch/read";

const client = camelShape(oauthProviderUpdate.shape);
const inputs = lazy(() =>
  z.strictObject({
    projectId: idInput.describe("Id of the project."),
    branchId: idInput.describe(
      "Id of the branch. It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables that first.",
    ),
    providerId: oauthProviderId.describe("The service. A branch has each of them once."),
    clientId: client.clientId.describe(
      "Id of your application at the service. Default: an application of Neon that projects share, which not every service has. Updated in place.",
    ),
    clientSecret: client.clientSecret.describe(
      "Secret of your application at the service. Secret, also if the program declares it in plain text. A change that somebody else makes is not drift. Updated in place.",
    ),
    microsoftTenantId: client.microsoftTenantId.describe(
      "Id of the tenant, for `microsoft`. Neon does not return it, so a change that somebody else makes is not drift. Updated in place.",
    ),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing provider instead of adding one, and applies the declared arguments to it. A service such as `google` adopts that provider and fails if the branch does not have it. `true` adopts the one with this `providerId`, or adds it if there is none. Setting or removing `adopt` later has no effect.",
      ),
  }),
);
export type NeonAuthOauthProviderInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "branchId"),
    providerId: z.string().describe("The service."),
    ...asReported(inputs(), "clientId"),
    clientSecret: inputs().shape.clientSecret.meta({
      description: "The declared value. Secret.",
      secret: true,
      absence: { reason: "The program declares none." },
    }),
    ...asDeclared(inputs(), "microsoftTenantId"),
    type: z.string().describe("`standard` for an application of your own, `shared` for one of Neon."),
  });
export type NeonAuthOauthProviderOutputs = OutputsOf<typeof outputs>;

/** A service that users of a branch's Neon Auth can sign in with. */
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
    // The documents list it in the answer, but do not say whether it is the real one.
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
      // What the platform answers to a second provider of the same id is not specified.
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
      // What is never reported is sent again: only another answer is certain.
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

/** A provider that has no shared application, or any other error as it is. */
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
