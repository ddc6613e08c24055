import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  authProvider,
  type NeonAuth,
  neonAuth as wireNeonAuth,
  neonAuthCreate,
  neonAuthCreated,
  neonAuths,
} from "../../api/schemas/neon-auth";
import type { Context } from "../call/context";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { differences } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import type { Kind } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn, unknownValue, type Values } from "../values";
import { singletonKind } from "../kind/singleton-kind";
import type { BranchAddress } from "./branch/read";
import {
  oauthProviderProblems,
  readSettings,
  settingsInputs,
  settingsProblems,
  settingsRules,
  settingsShape,
  updateSettings,
} from "./neon-auth/settings";

const inputs = lazy(() =>
  z
    .strictObject({
      ...ofProject,
      branchId: ofBranch.branchId.meta({ note: "A branch has one integration or none." }),
      authProvider: authProvider.optional().meta({
        description: "The provider of the sign-in. `stack` is deprecated by Neon, and `mock` is for tests.",
        default: "better_auth",
      }),
      databaseName: neonAuthCreate.shape.database_name.meta({ omitted: "chosen by Neon" }),
      ...settingsShape(),
      deleteData: z.boolean().optional().meta({
        description:
          "Whether deleting this resource also deletes the schema `neon_auth` with all users, which otherwise stay in the database. It has an effect once `pulumi up` has recorded it.",
        default: false,
      }),
      adopt: adopt.describe(
        "Adopts an existing integration instead of enabling one, and applies the declared arguments to it. The id of the branch adopts its integration and fails if it has none. `true` adopts it, or enables Neon Auth if the branch has none: declare it for a branch whose parent has Neon Auth, which a new branch inherits.",
      ),
    })
    .check(
      combination(({ emailProvider, emailProviderPassword }, report) => {
        if (emailProviderPassword === undefined || emailProvider === unknownValue) return;
        const { type } = (emailProvider ?? {}) as { readonly type?: unknown };
        if (type === "standard" || type === unknownValue) return;
        report('needs an `emailProvider` of the type "standard"', "emailProviderPassword");
      }),
    )
    .describe("Neon chooses the values that you omit. They never cause a diff."),
);
export type NeonAuthInputs = z.infer<ReturnType<typeof inputs>>;

const onlyOfStack = { reason: "Only the provider `stack` has keys, and Neon returns them when it is enabled." };
const outputs = () => {
  const { dbName, ...wire } = camelShape(wireNeonAuth.shape);
  const { pubClientKey, secretServerKey } = camelShape(neonAuthCreated.shape);
  const declared = inputs().shape;
  return z.object({
    ...ofBranch,
    authProvider: authProvider.describe("The provider of the sign-in."),
    databaseName: dbName,
    ...only(declared, "name", "emailAndPassword", "emailProvider"),
    emailProviderPassword: declared.emailProviderPassword.meta({
      secret: true,
      absence: { reason: "The program declares none." },
    }),
    ...only(declared, "plugins", "webhooks", "allowLocalhost", "deleteData"),
    ...only(wire, "authProviderProjectId", "baseUrl", "jwksUrl"),
    pubClientKey: pubClientKey.optional().meta({ absence: onlyOfStack }),
    secretServerKey: secretServerKey.optional().meta({ secret: true, absence: onlyOfStack }),
    ...only(wire, "createdAt"),
  });
};
/** The response to the creation does not have all of them. */
export type NeonAuthOutputs = OutputsOf<typeof outputs, "databaseName" | "createdAt">;

/** The Neon Auth integration of a branch: the sign-in of an application's users. */
export const neonAuth: Kind<NeonAuthInputs, NeonAuthOutputs> = singletonKind<NeonAuth, NeonAuthInputs, NeonAuthOutputs>(
  {
    name: "NeonAuth",
    noun: "Neon Auth integration",
    inputs,
    outputs,
    identifiedBy: ["projectId", "branchId"],
    rules: {
      authProvider: { onChange: "replace" },
      databaseName: { onChange: "replace" },
      ...settingsRules,
      deleteData: { platform: "unaware" },
    },
    needs: [
      {
        status: 404,
        fix: "The branch or the database does not exist, or this API key cannot see them. Of a database that the program declares, use the output `name` as `databaseName`, so that Pulumi creates it first.",
      },
    ],
    replacement: {
      loss: ({ deleteData }) =>
        deleteData === true
          ? "All users of the old one are deleted (`deleteData`). To keep them, declare `deleteData: false` and run `pulumi up` first."
          : "Users can no longer sign in with the old one.",
      deletedFirst: "It is deleted first, so nobody can sign in until the new one is configured.",
    },
    identity: { by: "createdAt" },

    preview: {
      problems: async (context, declared, before) => {
        const isReplaced =
          before !== undefined &&
          differences(neonAuth, before, [], declared).some(
            (path) => ruleFor(neonAuth.rules, path).onChange === "replace",
          );
        const present = isReplaced ? undefined : (before ?? (await adoptedSettings(context, declared)));
        const ofOauthProvider = await oauthProviderProblems(context, declared, isReplaced);
        return [...settingsProblems(declared, present), ...ofOauthProvider];
      },
    },

    create: ({ projectId, branchId, authProvider: provider = "better_auth", databaseName }) =>
      creation({
        what: "enable Neon Auth",
        request: neonAuths.create(projectId, branchId, {
          auth_provider: provider,
          ...omitUndefined({ database_name: databaseName }),
        }),
        repeatable: true,
        outputs: ({ pub_client_key: pubClientKey, secret_server_key: secretServerKey, ...answer }) => ({
          ...reportedOutputs({ projectId, branchId }, answer),
          // The keys are empty if the provider has none.
          ...(pubClientKey === "" ? {} : { pubClientKey }),
          ...(secretServerKey === "" ? {} : { secretServerKey }),
        }),
        leaves: settingsInputs(),
      }),

    find: readAuth,
    outputsOf: (found, { projectId = "", branchId = "" }) => authOutputs({ projectId, branchId }, found),
    read: async (context, state) => {
      const { projectId = "", branchId = "", createdAt, pubClientKey, secretServerKey } = state;
      const address = { projectId, branchId };
      const found = await readAuth(context, address);
      if (found === undefined) return undefined;
      const settings = await readSettings(context, address, found, state);
      if (settings === undefined) return undefined;
      const isKnown = createdAt === undefined || same({ equality: "instant" }, createdAt, found.created_at);
      return {
        ...authOutputs(address, found),
        ...settings,
        // Only the creation returns the keys. Keep them while it is the same integration.
        ...(isKnown ? omitUndefined({ pubClientKey, secretServerKey }) : {}),
      };
    },

    update: async (context, state, declared, changes) => {
      await updateSettings(context, { address: state, present: state, declared, changes });
    },

    deletion: ({ projectId, branchId, deleteData = false }) => ({
      what: "disable Neon Auth",
      object: objectOn(branchId),
      request: neonAuths.delete(projectId, branchId, { delete_data: deleteData }),
      silent: true,
    }),

    listing: {
      isCopied: true,
      list: async ({ read }, { projectId, branchId }) => {
        const found = await ignoreNotFound(read(neonAuths.get(projectId, branchId)));
        return found === undefined ? [] : [{ address: {}, createdAt: found.created_at }];
      },
    },
  },
);

/** The known configuration of the integration that a new resource will adopt; `undefined` if it will create one. */
async function adoptedSettings(context: Context, declared: Values): Promise<Values | undefined> {
  const { projectId, branchId, adopt: adopted = false } = declared;
  if (adopted === false) return undefined;
  if (typeof projectId !== "string" || typeof branchId !== "string") return declared;
  const address = { projectId, branchId };
  try {
    const found = await readAuth(context, address);
    return found && (await readSettings(context, address, found));
  } catch {
    // If this read fails, `up` reports why.
    return declared;
  }
}

/** The integration of a branch, or `undefined` if it has none. */
async function readAuth(
  context: Context,
  { projectId = "", branchId = "" }: Partial<BranchAddress>,
): Promise<NeonAuth | undefined> {
  return ignoreNotFound(context.read(neonAuths.get(projectId, branchId)));
}

function authOutputs(address: BranchAddress, found: NeonAuth): NeonAuthOutputs {
  return { ...reportedOutputs(address, found), databaseName: found.db_name, createdAt: found.created_at };
}

/** The outputs that both the create response and a read contain. */
function reportedOutputs(
  { projectId, branchId }: BranchAddress,
  found: Pick<NeonAuth, "auth_provider" | "auth_provider_project_id" | "jwks_url" | "base_url">,
): NeonAuthOutputs {
  return {
    projectId,
    branchId,
    authProvider: found.auth_provider as NeonAuthOutputs["authProvider"],
    ...outputsIn(found, "auth_provider_project_id", "jwks_url", "base_url"),
  };
}

function objectOn(branchId: string): string {
  return `Neon Auth integration of branch ${branchId}`;
}
