import { z } from "zod";

import { ignoreNotFound } from "../../api/errors";
import { authProvider, type NeonAuth, neonAuthCreate, neonAuths } from "../../api/schemas/neon-auth";
import type { Context } from "../call/context";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { differences } from "../kind/differences";
import { ruleFor, same } from "../kind/field-rules";
import { identifiedBy } from "../kind/id";
import { adopt, idInput } from "../kind/inputs";
import type { Kind } from "../kind/kind";
import { omitUndefined, type Values } from "../values";
import type { BranchAddress } from "./branch/read";
import {
  readSettings,
  settingsInputs,
  settingsProblems,
  settingsRules,
  settingsShape,
  updateSettings,
} from "./neon-auth/settings";

const inputs = z
  .strictObject({
    projectId: idInput,
    branchId: idInput,
    authProvider: authProvider.optional(),
    databaseName: neonAuthCreate.shape.database_name,
    ...settingsShape,
    deleteData: z.boolean().optional(),
    adopt: adopt.optional(),
  })
  .refine(
    ({ emailProvider, emailProviderPassword }) =>
      emailProviderPassword === undefined || (emailProvider as { type?: string } | undefined)?.type === "standard",
    { path: ["emailProviderPassword"], error: 'needs an `emailProvider` of the type "standard"' },
  );
export type NeonAuthInputs = z.infer<typeof inputs>;

export interface NeonAuthOutputs extends Omit<NeonAuthInputs, "adopt"> {
  readonly authProvider: NonNullable<NeonAuthInputs["authProvider"]>;
  readonly authProviderProjectId: string;
  readonly jwksUrl: string;
  readonly baseUrl?: string;
  readonly pubClientKey?: string;
  readonly secretServerKey?: string;
  /** The response to the creation does not have it. */
  readonly createdAt?: string | undefined;
}

/** The Neon Auth integration of a branch: the sign-in of an application's users. */
export const neonAuth: Kind<NeonAuthInputs, NeonAuthOutputs, "secretServerKey" | "emailProviderPassword"> = {
  name: "NeonAuth",
  noun: "Neon Auth integration",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    authProvider: { onChange: "replace" },
    databaseName: { onChange: "replace" },
    ...settingsRules,
    deleteData: { platform: "unaware" },
  },
  secrets: { secretServerKey: true, emailProviderPassword: true },
  uniqueBy: ["projectId", "branchId"],
  replacement: {
    loss: ({ deleteData }) =>
      deleteData === true
        ? "All users of the old one are deleted (`deleteData`). To keep them, declare `deleteData: false` and run `pulumi up` first."
        : "Users cannot sign in until the new one is configured.",
  },
  ...identifiedBy("projectId", "branchId"),
  identity: { by: "createdAt", read: async (context, state) => (await readAuth(context, state))?.created_at },

  preview: {
    problems: async (context, declared, before) => {
      const isReplaced =
        before !== undefined &&
        differences(neonAuth, before, [], declared).some(
          (path) => ruleFor(neonAuth.rules, path).onChange === "replace",
        );
      if (isReplaced) return settingsProblems(declared, undefined);
      return settingsProblems(declared, before ?? (await adoptedSettings(context, declared)));
    },
  },

  create: ({ projectId, branchId, authProvider: provider = "better_auth", databaseName }) =>
    creation({
      what: "enable Neon Auth",
      request: () =>
        neonAuths.create(projectId, branchId, {
          auth_provider: provider,
          ...omitUndefined({ database_name: databaseName }),
        }),
      repeatable: true,
      outputs: ({ pub_client_key: pubClientKey, secret_server_key: secretServerKey, ...answer }) => ({
        ...reportedOutputs({ projectId, branchId }, answer),
        // They are empty unless the provider has keys.
        ...(pubClientKey === "" ? {} : { pubClientKey }),
        ...(secretServerKey === "" ? {} : { secretServerKey }),
      }),
      leaves: settingsInputs,
    }),

  read: async (context, state) => {
    const { projectId = "", branchId = "", createdAt, pubClientKey, secretServerKey } = state;
    const address = { projectId, branchId };
    const found = await readAuth(context, address);
    if (found === undefined) return undefined;
    const settings = await readSettings(context, address, found);
    if (settings === undefined) return undefined;
    const isKnown = createdAt === undefined || same({ equality: "instant" }, createdAt, found.created_at);
    return {
      ...reportedOutputs(address, found),
      ...settings,
      databaseName: found.db_name,
      createdAt: found.created_at,
      // Returned once, for this integration.
      ...(isKnown ? omitUndefined({ pubClientKey, secretServerKey }) : {}),
    };
  },

  update: async (context, state, declared, changes) => {
    await updateSettings(context, { address: state, present: state, declared, changes });
  },

  remove: async (context, state) => {
    const { projectId, branchId, deleteData = false } = state;
    await deleteObject(context, {
      what: "disable Neon Auth",
      object: objectOn(branchId),
      project: projectId,
      request: neonAuths.delete(projectId, branchId, { delete_data: deleteData }),
      silent: true,
      exists: async () => (await readAuth(context, state)) !== undefined,
    });
  },
};

/** The configuration of the integration that a new resource adopts, as far as it is known; `undefined` if it creates one. */
async function adoptedSettings(context: Context, declared: Values): Promise<Values | undefined> {
  const { projectId, branchId, adopt: adopted = false } = declared;
  if (adopted === false) return undefined;
  if (typeof projectId !== "string" || typeof branchId !== "string") return declared;
  const address = { projectId, branchId };
  try {
    const found = await readAuth(context, address);
    return found && (await readSettings(context, address, found));
  } catch {
    // `up` tells.
    return declared;
  }
}

/** The integration of a branch, or `undefined` if it has none. */
async function readAuth(context: Context, { projectId, branchId }: BranchAddress): Promise<NeonAuth | undefined> {
  return ignoreNotFound(context.read(neonAuths.get(projectId, branchId)));
}

/** What both the response to the creation and a read report. */
function reportedOutputs(
  { projectId, branchId }: BranchAddress,
  found: Pick<NeonAuth, "auth_provider" | "auth_provider_project_id" | "jwks_url" | "base_url">,
): NeonAuthOutputs {
  return {
    projectId,
    branchId,
    authProvider: found.auth_provider as NeonAuthOutputs["authProvider"],
    authProviderProjectId: found.auth_provider_project_id,
    jwksUrl: found.jwks_url,
    ...omitUndefined({ baseUrl: found.base_url }),
  };
}

function objectOn(branchId: string): string {
  return `Neon Auth integration of branch ${branchId}`;
}
