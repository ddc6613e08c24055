import { z } from "zod";

import { camelKey, fromWire, toWire } from "../../../api/core/camel-case";
import { camelShape } from "../../../api/core/camel-shape";
import { ignoreNotFound, NeonError } from "../../../api/core/errors";
import { lazy } from "../../../api/core/lazy";
import type { Request } from "../../../api/core/request";
import { together } from "../../../api/core/together";
import {
  allowLocalhostUpdate,
  authConfigUpdate,
  emailAndPasswordUpdate,
  emailProvider as wireEmailProvider,
  type EmailProviderUpdate,
  magicLinkPluginUpdate,
  mcpResource,
  type NeonAuth,
  neonAuths,
  oauthProviderPluginUpdate,
  organizationPluginUpdate,
  phoneNumberPluginUpdate,
  serverMembers,
  webhookConfig,
} from "../../../api/schemas/neon-auth";
import type { Context } from "../../call/context";
import type { Problem } from "../../call/services";
import { combination } from "../../kind/combination";
import { changesAt, differences } from "../../kind/differences";
import type { Changes, FieldRule } from "../../kind/field-rules";
import { atPath, leafPaths, omitUndefined, pick, unknownValue, type Values } from "../../values";
import type { BranchAddress } from "../branch/read";
import { parentOf } from "../branch/root";

const emailAndPassword = lazy(() =>
  z.strictObject(camelShape(emailAndPasswordUpdate.shape)).meta({
    title: "NeonAuthEmailAndPasswordArgs",
    description:
      "How users of a {@link NeonAuth} sign in with an e-mail address and a password. Neon chooses the values that you omit.",
  }),
);

const emailProvider = lazy(() =>
  z.strictObject(camelShape(wireEmailProvider.shape)).check(emailProviderRule).meta({
    title: "NeonAuthEmailProviderArgs",
    description:
      "The server that sends the e-mails of a {@link NeonAuth}. The password of a server of your own is the argument `emailProviderPassword`: Pulumi encrypts it, and shows the rest in previews.",
  }),
);

const organization = lazy(() =>
  z.strictObject(camelShape(organizationPluginUpdate.shape)).meta({
    title: "NeonAuthOrganizationArgs",
    description: "Organizations of the users of a {@link NeonAuth}. Neon chooses the values that you omit.",
  }),
);

const magicLink = lazy(() =>
  z.strictObject(camelShape(magicLinkPluginUpdate.shape)).meta({
    title: "NeonAuthMagicLinkArgs",
    description:
      "Sign-in by links in e-mails for the users of a {@link NeonAuth}. Neon chooses the values that you omit.",
  }),
);

const phoneNumber = lazy(() =>
  z.strictObject(camelShape(phoneNumberPluginUpdate.shape)).meta({
    title: "NeonAuthPhoneNumberArgs",
    description:
      "Sign-in by one-time passwords in text messages for the users of a {@link NeonAuth}. Neon sends them to the webhook's event `send.otp`, which has to deliver them. Neon chooses the values that you omit.",
  }),
);

const mcp = lazy(() =>
  z.strictObject(camelShape(mcpResource.shape)).meta({
    title: "NeonAuthMcpArgs",
    description: "The MCP server that users of a {@link NeonAuth} sign in to. A member that you omit stays as it is.",
  }),
);

const oauthProvider = lazy(() => {
  const { mcp: wireMcp, ...members } = camelShape(oauthProviderPluginUpdate.shape);
  return z
    .strictObject({
      ...members,
      mcp: mcp()
        .optional()
        .meta(wireMcp.meta() ?? {}),
    })
    .meta({
      title: "NeonAuthOauthServerArgs",
      description:
        "A {@link NeonAuth} as the OAuth provider of other applications: it signs in your users for them, and issues tokens. Each application is a {@link NeonAuthOauthClient}, unless it is an MCP client that registers itself. A member that you omit stays as it is.",
    });
});

const plugins = lazy(() =>
  z
    .strictObject({
      organization: organization().optional().describe("Organizations of users."),
      magicLink: magicLink().optional().describe("Sign-in by links in e-mails."),
      phoneNumber: phoneNumber().optional().describe("Sign-in by one-time passwords in text messages."),
      oauthProvider: oauthProvider()
        .optional()
        .describe(
          "Sign-in to other applications and MCP servers with the users of this one. In beta. The services that users sign in here with are {@link NeonAuthOauthProvider}.",
        ),
    })
    .meta({
      title: "NeonAuthPluginsArgs",
      description: "Plugins of a {@link NeonAuth}. One that you omit stays as it is.",
    }),
);

const webhooks = lazy(() =>
  z.strictObject(camelShape(webhookConfig.shape)).meta({
    title: "NeonAuthWebhooksArgs",
    description: "The webhook of a {@link NeonAuth}. A member that you omit stays as it is.",
  }),
);

/** The configuration of a Neon Auth integration, as a program declares it. */
export const settingsShape = lazy(() => ({
  name: authConfigUpdate.shape.name.optional().meta({
    description: "Name of the application in e-mails to its users.",

    omitted: "the name of the project, also when that changes",
  }),
  emailAndPassword: emailAndPassword().optional().describe("How users sign in with an e-mail address and a password."),
  emailProvider: emailProvider()
    .optional()
    .meta({ description: "The server that sends the e-mails.", omitted: "a server of Neon" }),
  emailProviderPassword: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Password on the server of an `emailProvider` of the type `standard`. The state always stores it as a secret.",
    ),
  plugins: plugins()
    .optional()
    .describe("Organizations, magic links, phone numbers, and Neon Auth as an OAuth provider."),
  webhooks: webhooks().optional().describe("The webhook that Neon calls."),
  allowLocalhost: allowLocalhostUpdate.shape.allow_localhost.optional().meta({
    description: "Whether users can be redirected to any port of `localhost`.",
    note: "Declare `false` in production.",
    default: true,
  }),
}));
const neonAuthSettings = lazy(() => z.strictObject(settingsShape()));
type NeonAuthSettings = z.infer<ReturnType<typeof neonAuthSettings>>;

export const settingsRules = {
  emailProviderPassword: { platform: "write-only" },
  "webhooks.enabledEvents": { equality: "set" },
  "plugins.oauthProvider.resources": { equality: "set" },
} satisfies Readonly<Record<string, FieldRule>>;

/** The inputs that only `update` applies. */
export const settingsInputs = lazy(() => Object.keys(settingsShape()));

/** A custom server needs all of its members. The shared server allows only those of the sender. */
const emailProviderRule = combination<Readonly<Record<string, unknown>>>(({ type, ...members }, report) => {
  for (const member of serverMembers.map(camelKey)) {
    const isDeclared = members[member] !== undefined;
    if (type === "standard" && !isDeclared) report('is required for the type "standard"', member);
    if (type === "shared" && isDeclared && !member.startsWith("sender")) {
      report('is allowed only for the type "standard"', member);
    }
  }
});

const passwordNeeded = "a request that sets a server needs its password, and Neon does not return it";

/** Whether a request that sets the declared e-mail provider would lack its password. */
function isPasswordMissing({ emailProvider: provider, emailProviderPassword: password }: Values): boolean {
  return atPath(provider, "type") === "standard" && password === undefined;
}

/**
 * Problems that the platform would report: an e-mail server without its password. An imported integration has a server
 * but no declared password. It needs the password only when the server changes.
 *
 * @param declared may hold unknown values
 * @param present undefined for a new integration
 */
export function settingsProblems(declared: Values, present: Values | undefined): readonly Problem[] {
  if (!isPasswordMissing(declared)) return [];
  const known = leafPaths(declared).filter(
    (path) => path.startsWith("emailProvider.") && atPath(declared, path) !== unknownValue,
  );
  if (
    present !== undefined &&
    differences({ inputs: neonAuthSettings, rules: settingsRules }, present, [], pick(declared, known)).length === 0
  )
    return [];
  return [{ property: "emailProviderPassword", reason: `is required: ${passwordNeeded}` }];
}

/**
 * The problem of a program that enables the OAuth provider on a branch with a parent, which Neon refuses. A branch that
 * has inherited an enabled one keeps it.
 *
 * @param declared may hold unknown values
 * @param isReplaced whether a new integration replaces the one that is there
 */
export async function oauthProviderProblems(
  context: Context,
  declared: Values,
  isReplaced: boolean,
): Promise<readonly Problem[]> {
  const { projectId, branchId } = declared;
  const property = "plugins.oauthProvider.enabled";
  if (atPath(declared, property) !== true || typeof projectId !== "string" || typeof branchId !== "string") return [];
  const address = { projectId, branchId };
  const parent = await parentOf(context, address);
  if (parent === undefined || (!isReplaced && (await isOauthProvider(context, address)))) return [];
  const reason = `must not be true on this branch: Neon enables the OAuth provider on root branches only, and ${branchId} has a parent, ${parent}`;
  return [{ property, reason }];
}

/** Whether the OAuth provider of a branch is enabled. If this read fails, `up` reports why. */
async function isOauthProvider(context: Context, address: BranchAddress): Promise<boolean> {
  try {
    return (await readOauthProvider(context, address))?.enabled === true;
  } catch {
    return true;
  }
}

/** Its route is in beta: a service that never had it is no reason for a failure. */
async function readOauthProvider(
  context: Context,
  address: BranchAddress,
  { plugins: known }: NeonAuthSettings = {},
): Promise<{ enabled: boolean } | undefined> {
  try {
    return await ignoreNotFound(context.read(neonAuths.getOauthProviderPlugin(...segments(address))));
  } catch (error) {
    const isUnknown = NeonError.isInstance(error) && error.kind === "unknown-route";
    if (!isUnknown || known?.oauthProvider !== undefined) throw error;
    return undefined;
  }
}

/** A part of the configuration that has a request of its own. */
interface Part {
  readonly what: string;
  /** The inputs that the request sets. The first one has to be declared. */
  readonly inputs: readonly [string, ...string[]];
  /** @param present the configuration in the state, as far as it is known */
  readonly request: (at: BranchAddress, declared: NeonAuthSettings, present: NeonAuthSettings) => Request<object>;
}

/**
 * The order matters: links in e-mails need an e-mail provider, and one-time passwords need a webhook that sends them.
 */
const parts: readonly Part[] = [
  {
    what: "name the application",
    inputs: ["name"],
    request: ({ projectId, branchId }, { name = "" }) => neonAuths.setName(projectId, branchId, name),
  },
  {
    what: "set the e-mail provider",
    inputs: ["emailProvider", "emailProviderPassword"],
    request: ({ projectId, branchId }, { emailProvider: provider = {}, emailProviderPassword: password }) => {
      const body = { ...toWire(provider), ...omitUndefined({ password }) };
      // The combination rule checks the members, and `settingsProblems` the password.
      return neonAuths.updateEmailProvider(projectId, branchId, body as EmailProviderUpdate);
    },
  },
  {
    what: "configure e-mail and password",
    inputs: ["emailAndPassword"],
    request: ({ projectId, branchId }, { emailAndPassword = {} }) =>
      neonAuths.updateEmailAndPassword(projectId, branchId, toWire(emailAndPassword)),
  },
  {
    what: "set the webhook",
    inputs: ["webhooks"],
    // The request replaces the whole webhook, so omitted members are sent with their current values.
    request: ({ projectId, branchId }, { webhooks }, present) =>
      neonAuths.setWebhook(projectId, branchId, toWire({ enabled: false, ...present.webhooks, ...webhooks })),
  },
  {
    what: "configure organizations",
    inputs: ["plugins.organization"],
    request: ({ projectId, branchId }, { plugins }) =>
      neonAuths.updateOrganizationPlugin(projectId, branchId, toWire(plugins?.organization ?? {})),
  },
  {
    what: "configure magic links",
    inputs: ["plugins.magicLink"],
    request: ({ projectId, branchId }, { plugins }) =>
      neonAuths.updateMagicLinkPlugin(projectId, branchId, toWire(plugins?.magicLink ?? {})),
  },
  {
    what: "configure phone numbers",
    inputs: ["plugins.phoneNumber"],
    request: ({ projectId, branchId }, { plugins }) =>
      neonAuths.updatePhoneNumberPlugin(projectId, branchId, toWire(plugins?.phoneNumber ?? {})),
  },
  {
    what: "configure the OAuth provider",
    inputs: ["plugins.oauthProvider"],
    // The request replaces the whole MCP server, so omitted members are sent with their current values.
    request: ({ projectId, branchId }, { plugins }, present) => {
      const { oauthProvider: wanted } = plugins ?? {};
      const server = wanted?.mcp && { mcp: { ...present.plugins?.oauthProvider?.mcp, ...wanted.mcp } };
      return neonAuths.updateOauthProviderPlugin(projectId, branchId, toWire({ ...wanted, ...server }));
    },
  },
  {
    what: "set whether localhost is allowed",
    inputs: ["allowLocalhost"],
    request: ({ projectId, branchId }, { allowLocalhost = false }) =>
      neonAuths.setAllowLocalhost(projectId, branchId, allowLocalhost),
  },
];

/** The input of an update of the configuration. */
interface Update {
  readonly address: BranchAddress;
  readonly present: NeonAuthSettings;
  readonly declared: NeonAuthSettings;
  readonly changes: Changes;
}

/** Sends the parts of the configuration that have changed. */
export async function updateSettings(context: Context, { address, present, declared, changes }: Update): Promise<void> {
  const changed = parts.filter(
    ({ inputs: [first, ...others] }) =>
      atPath(declared, first) !== undefined && [first, ...others].some((input) => changes.has(input)),
  );
  for (const { what, inputs, request } of changed) {
    const applies = inputs.filter((input) => changes.has(input));
    const asked = leafPaths(declared).filter((path) => changesAt(applies).has(path));
    await context.change({
      what,
      request: request(address, declared, present),
      applies,
      // The password is never reported, so only another request proves that it was set.
      done: async () => {
        const now = await readSettings(context, address, await context.read(neonAuths.get(...segments(address))));
        return (
          differences({ inputs: neonAuthSettings, rules: settingsRules }, now ?? {}, [], pick(declared, asked))
            .length === 0
        );
      },
    });
  }
}

function segments({ projectId, branchId }: BranchAddress): [projectId: string, branchId: string] {
  return [projectId, branchId];
}

/**
 * The configuration of an integration, limited to what a program can declare; undefined if the integration no longer
 * exists.
 *
 * @param known the configuration in the state
 */
export async function readSettings(
  context: Context,
  address: BranchAddress,
  { name, auth_provider: provider }: Pick<NeonAuth, "name" | "auth_provider">,
  known: NeonAuthSettings = {},
): Promise<NeonAuthSettings | undefined> {
  const found = await ignoreNotFound(
    together([
      context.read(neonAuths.getPlugins(...segments(address))),
      context.read(neonAuths.getWebhook(...segments(address))),
      // The other providers of the sign-in are no OAuth providers.
      provider === "better_auth" ? readOauthProvider(context, address, known) : undefined,
    ]),
  );
  if (found === undefined) return undefined;
  const [{ email_and_password, email_provider, allow_localhost, ...plugins }, webhook, oauthProviderPlugin] = found;
  return omitUndefined({
    name,
    emailAndPassword: declarable(emailAndPasswordUpdate, email_and_password),
    emailProvider: declarable(wireEmailProvider, email_provider),
    plugins: omitUndefined({
      organization: declarable(organizationPluginUpdate, plugins.organization),
      magicLink: declarable(magicLinkPluginUpdate, plugins.magic_link),
      phoneNumber: declarable(phoneNumberPluginUpdate, plugins.phone_number),
      oauthProvider: declarable(oauthProviderPluginUpdate, oauthProviderPlugin),
    }),
    webhooks: declarable(webhookConfig, webhook),
    allowLocalhost: allow_localhost,
  }) as NeonAuthSettings;
}

/** The members of a reported part that a program can declare. */
function declarable({ shape }: z.ZodObject, reported: object | undefined): object | undefined {
  if (reported === undefined) return undefined;
  return fromWire(
    Object.fromEntries(Object.entries(reported).filter(([name, value]) => name in shape && value !== null)),
  );
}
