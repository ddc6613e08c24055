import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { neonAuths } from "../../api/schemas/neon-auth";
import {
  type OauthClient,
  oauthClientCreate,
  oauthClientCreated,
  oauthClients,
  oauthClientUpdate,
} from "../../api/schemas/neon-auth-oauth-client";
import { type Collection, wholeList } from "../call/collection";
import type { Context } from "../call/context";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { ofBranch, ofProject, trigger } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined, outputsIn } from "../values";
import type { BranchAddress } from "./branch/read";

const enableFirst =
  "Declare `plugins: { oauthProvider: { enabled: true, … } }` in the `NeonAuth` of the branch, with the client's `resources` among its `resources` or as its `mcp.resource`, and use its output `branchId` here, so that Pulumi enables it first.";

const inputs = lazy(() => {
  const wire = camelShape(oauthClientCreate.shape);
  return z
    .strictObject({
      ...ofProject,
      branchId: ofBranch.branchId.meta({
        note: "Its Neon Auth has to be an OAuth provider: use the output `branchId` of a {@link NeonAuth} with `plugins.oauthProvider`, so that Pulumi enables that first.",
      }),
      name: wire.name.optional(),
      type: wire.type,
      redirectUris: wire.redirectUris.meta({
        note: "At least one. Each is an https URL, or an http URL of `localhost`, `127.0.0.1` or `[::1]` if `allowLocalhost` of the {@link NeonAuth} is not `false`.",
      }),
      resources: wire.resources.meta({
        note: "Each has to be the `mcp.resource` or one of the `resources` of `plugins.oauthProvider`.",
      }),
      skipConsent: wire.skipConsent.meta({ default: false }),
      disabled: oauthClientUpdate.shape.disabled.meta({ default: false }),
      rotateTrigger: trigger(
        "rotates the secret in place: the client keeps its id and gets another secret, and the old one stops working at once",
      ),
      adopt: z
        .string({ error: "must be the id of a client: several can have the same name" })
        .min(1)
        .optional()
        .describe(
          "Id of an existing client to adopt instead of registering one. Its output `clientSecret` is then absent until a change of `rotateTrigger`, because Neon returns a secret once. Fails if the client does not exist.",
        ),
    })
    .check(
      combination(({ type, rotateTrigger }, report) => {
        if (type === "public" && rotateTrigger !== undefined) {
          report('is allowed only for the type "confidential": a public client has no secret', "rotateTrigger");
        }
      }),
    );
});
export type NeonAuthOauthClientInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { clientSecret, ...wire } = camelShape(oauthClientCreated.shape);
  return z.object({
    ...ofBranch,
    ...only(wire, "name", "type", "redirectUris", "resources", "skipConsent", "disabled"),
    ...only(inputs().shape, "rotateTrigger"),
    ...only(wire, "clientId"),
    clientSecret: clientSecret.meta({
      absent: "for a public client, and for one that was adopted or imported, until a change of `rotateTrigger`",
      secret: true,
      isReturnedOnce: true,
      absence: {
        reason:
          "Neon returns a client's secret once, and this one was adopted or imported. Change `rotateTrigger` to give it another secret.",
        unless: {
          output: "type",
          value: "public",
          reason: "A public client has no secret.",
        },
      },
    }),
    ...only(wire, "createdAt"),
  });
};
export type NeonAuthOauthClientOutputs = OutputsOf<typeof outputs>;

/** An application that the users of a branch's Neon Auth can sign in to. */
export const neonAuthOauthClient = listedKind<OauthClient, NeonAuthOauthClientInputs, NeonAuthOauthClientOutputs>({
  name: "NeonAuthOauthClient",
  noun: "OAuth client",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "clientId"],
  rules: {
    type: { onChange: "replace" },
    redirectUris: { equality: "set" },
    resources: { equality: "set" },
    rotateTrigger: { platform: "unaware", affects: ["clientSecret"] },
  },
  defaultName: "name",
  uniqueBy: [],
  needs: [
    { status: 404, fix: `The branch does not exist, or it does not have Neon Auth. ${enableFirst}` },
    // The vendor does not say with which of the two a lack of the plugin or of a resource is answered.
    ...[400, 422].map((status) => ({ status, message: /oauth[- ]provider|resource/i, fix: enableFirst })),
  ],
  replacement: {
    loss: "The new client has another id and another secret. Users cannot sign in with the old one any more.",
  },
  within: { NeonAuth: [] },

  create: ({ projectId, branchId, name = "", type, redirectUris, resources, skipConsent, disabled }) =>
    creation({
      what: "register OAuth client",
      request: oauthClients.create(projectId, branchId, {
        name,
        type,
        redirect_uris: redirectUris,
        resources,
        ...omitUndefined({ skip_consent: skipConsent }),
      }),
      // Clients can have the same name.
      repeatable: false,
      outputs: ({ client_secret: clientSecret, ...answer }) =>
        clientOutputs({ projectId, branchId, clientSecret }, answer),
      // Its secret is rotated, so one that cannot be told from an older one of the same name is not taken.
      found: ({ createdAt }) => Promise.resolve(createdAt === undefined ? undefined : {}),
      leaves: disabled === true ? ["disabled"] : [],
    }),

  collection: clientsOf,
  outputsOf: (found, { projectId = "", branchId = "", clientSecret }) =>
    clientOutputs({ projectId, branchId, clientSecret }, found),

  update: async (context, state, declared, changes) => {
    const { projectId, branchId, clientId } = state;
    const changed = changedInputs(declared, Object.keys(camelShape(oauthClientUpdate.shape)), changes);
    const applies = Object.keys(changed);
    if (applies.length > 0) {
      const body = toWire(changed);
      await context.change({
        what: "change OAuth client",
        request: oauthClients.update(projectId, branchId, clientId, body),
        applies,
        done: async () => contains(await context.readOne(clientsOf(state), clientId), body),
      });
    }
    if (changes.has("rotateTrigger")) await rotate(context, state);
  },

  deletion: ({ projectId, branchId, clientId, name }) => ({
    object: `OAuth client ${name} (${clientId})`,
    request: oauthClients.delete(projectId, branchId, clientId),
    silent: true,
  }),

  finishing: {
    // If the response to the creation was lost, nobody has the secret.
    complete: async (context, state) => {
      if (state.type === "confidential" && state.clientSecret === undefined) await rotate(context, state);
    },
  },

  listing: { of: "Neon Auth", isCopied: true },
});

function clientsOf({ projectId = "", branchId = "" }: Partial<BranchAddress>): Collection<OauthClient> {
  return wholeList({
    list: oauthClients.list(projectId, branchId),
    items: (answer) => answer.clients,
    keyOf: ({ client_id: id }) => id,
    parent: neonAuths.get(projectId, branchId),
  });
}

/** Gives a client another secret. */
async function rotate(context: Context, state: NeonAuthOauthClientOutputs): Promise<void> {
  const { projectId, branchId, clientId } = state;
  await context.change({
    what: "rotate the client's secret",
    request: oauthClients.rotateSecret(projectId, branchId, clientId),
    applies: ["rotateTrigger"],
    outputs: (answer) => (answer === undefined ? {} : { clientSecret: answer.client_secret }),
    // Neon never returns the secret again, so only another response proves that the state has the valid one.
    done: () => Promise.resolve(false),
  });
}

function clientOutputs(
  { projectId, branchId, clientSecret }: BranchAddress & { readonly clientSecret: string | undefined },
  found: OauthClient,
): NeonAuthOauthClientOutputs {
  return {
    projectId,
    branchId,
    ...outputsIn(
      found,
      "name",
      "type",
      "redirect_uris",
      "resources",
      "skip_consent",
      "disabled",
      "client_id",
      "created_at",
    ),
    ...omitUndefined({ clientSecret }),
  };
}
