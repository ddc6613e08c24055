// Generated from provider/resources/neon-auth.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { neonAuth } from "../../provider/resources/neon-auth";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";
import type { NeonAuthProvider } from "./neon-auth-trusted-domain";

/**
 * How users of a {@link NeonAuth} sign in with an e-mail address and a password. Neon chooses the values that you omit.
 */
export interface NeonAuthEmailAndPasswordArgs {
  /** Whether users can sign in this way. Default: `true`. */
  readonly enabled?: pulumi.Input<boolean>;
  /** How addresses are verified: `link` sends a link, `otp` a one-time password. Default: `otp`. */
  readonly emailVerificationMethod?: pulumi.Input<"link" | "otp">;
  /** Whether users have to verify their address before they can sign in. Default: `false`. */
  readonly requireEmailVerification?: pulumi.Input<boolean>;
  /** Whether users are signed in once they have verified their address. Default: `true`. */
  readonly autoSignInAfterVerification?: pulumi.Input<boolean>;
  /** Whether users get a verification e-mail when they sign up. Default: `false`. */
  readonly sendVerificationEmailOnSignUp?: pulumi.Input<boolean>;
  /** Whether users with an unverified address get a verification e-mail when they sign in. Default: `false`. */
  readonly sendVerificationEmailOnSignIn?: pulumi.Input<boolean>;
  /** Whether nobody can sign up any more. Default: `false`. */
  readonly disableSignUp?: pulumi.Input<boolean>;
}

/**
 * The server that sends the e-mails of a {@link NeonAuth}. The password of a server of your own is the argument
 * `emailProviderPassword`: Pulumi encrypts it, and shows the rest in previews.
 */
export interface NeonAuthEmailProviderArgs {
  /** `shared` for a server of Neon, `standard` for a server of your own. */
  readonly type: pulumi.Input<"standard" | "shared">;
  /** Host of the server. Required for `standard`, and allowed only there. */
  readonly host?: pulumi.Input<string>;
  /** Port of the server, 1 to 65535. Required for `standard`, and allowed only there. */
  readonly port?: pulumi.Input<number>;
  /** User name on the server. Required for `standard`, and allowed only there. */
  readonly username?: pulumi.Input<string>;
  /** Address that the e-mails are sent from. Required for `standard`. */
  readonly senderEmail?: pulumi.Input<string>;
  /** Name of the sender. Required for `standard`. */
  readonly senderName?: pulumi.Input<string>;
}

/** Organizations of the users of a {@link NeonAuth}. Neon chooses the values that you omit. */
export interface NeonAuthOrganizationArgs {
  /** Whether users can create organizations. Default: `true`. */
  readonly enabled?: pulumi.Input<boolean>;
  /** Number of organizations that a user can be in, at least 1. Default: `10`. */
  readonly organizationLimit?: pulumi.Input<number>;
  /** Number of members that an organization can have, at least 1. Default: `100`. */
  readonly membershipLimit?: pulumi.Input<number>;
  /** Role of the user who creates an organization. Default: `owner`. */
  readonly creatorRole?: pulumi.Input<"admin" | "owner">;
  /** Whether users get an e-mail when they are invited. Default: `false`. */
  readonly sendInvitationEmail?: pulumi.Input<boolean>;
}

/** Sign-in by links in e-mails for the users of a {@link NeonAuth}. Neon chooses the values that you omit. */
export interface NeonAuthMagicLinkArgs {
  /** Whether users can sign in this way. Default: `false`. */
  readonly enabled?: pulumi.Input<boolean>;
  /** Minutes until a link expires, 5 to 1440. Default: `5`. */
  readonly expiresIn?: pulumi.Input<number>;
  /** Whether nobody can sign up this way. Default: `false`. */
  readonly disableSignUp?: pulumi.Input<boolean>;
}

/**
 * Sign-in by one-time passwords in text messages for the users of a {@link NeonAuth}. Neon sends them to the webhook's
 * event `send.otp`, which has to deliver them. Neon chooses the values that you omit.
 */
export interface NeonAuthPhoneNumberArgs {
  /** Whether users can sign in this way. Default: `false`. */
  readonly enabled?: pulumi.Input<boolean>;
  /** Seconds until a one-time password expires, 60 to 600. Default: `300`. */
  readonly otpExpiresIn?: pulumi.Input<number>;
}

/** The MCP server that users of a {@link NeonAuth} sign in to. A member that you omit stays as it is. */
export interface NeonAuthMcpArgs {
  /** URL of the MCP server. */
  readonly resource: pulumi.Input<string>;
  /**
   * Whether MCP clients can register themselves (RFC 7591). Neon calls this legacy, and recommends
   * `clientIdMetadataDocuments`. Default: `false`.
   */
  readonly dynamicRegistration?: pulumi.Input<boolean>;
  /** Whether MCP clients can identify themselves by the URL of a Client ID Metadata Document. */
  readonly clientIdMetadataDocuments?: pulumi.Input<boolean>;
}

/**
 * A {@link NeonAuth} as the OAuth provider of other applications: it signs in your users for them, and issues tokens.
 * Each application is a {@link NeonAuthOauthClient}, unless it is an MCP client that registers itself. A member that
 * you omit stays as it is.
 */
export interface NeonAuthOauthServerArgs {
  /**
   * Whether Neon Auth issues tokens to OAuth clients. Only a root branch, one without a parent, can enable it. Default:
   * `false`.
   */
  readonly enabled?: pulumi.Input<boolean>;
  /**
   * URL of your page that users sign in on. Its origin has to be a trusted domain: declare a
   * {@link NeonAuthTrustedDomain}.
   */
  readonly loginPage?: pulumi.Input<string>;
  /** URL of your page that asks users for consent. Its origin has to be a trusted domain, too. */
  readonly consentPage?: pulumi.Input<string>;
  /** Identifiers of further APIs that tokens are for, as URLs in any order. */
  readonly resources?: pulumi.Input<pulumi.Input<string>[]>;
  /** The MCP server that users sign in to. A member that you omit stays as it is. */
  readonly mcp?: pulumi.Input<NeonAuthMcpArgs>;
}

/** Plugins of a {@link NeonAuth}. One that you omit stays as it is. */
export interface NeonAuthPluginsArgs {
  /** Organizations of users. */
  readonly organization?: pulumi.Input<NeonAuthOrganizationArgs>;
  /** Sign-in by links in e-mails. */
  readonly magicLink?: pulumi.Input<NeonAuthMagicLinkArgs>;
  /** Sign-in by one-time passwords in text messages. */
  readonly phoneNumber?: pulumi.Input<NeonAuthPhoneNumberArgs>;
  /**
   * Sign-in to other applications and MCP servers with the users of this one. In beta. The services that users sign in
   * here with are {@link NeonAuthOauthProvider}.
   */
  readonly oauthProvider?: pulumi.Input<NeonAuthOauthServerArgs>;
}

/** An event that a {@link NeonAuth} calls its webhook for. */
export type NeonAuthWebhookEvent =
  | "user.before_create"
  | "user.created"
  | "send.otp"
  | "send.magic_link"
  | "organization.invitation.created"
  | "organization.invitation.accepted"
  | "phone_number.verified";

/** The webhook of a {@link NeonAuth}. A member that you omit stays as it is. */
export interface NeonAuthWebhooksArgs {
  /** Whether Neon calls the webhook. Default: `false`. */
  readonly enabled: pulumi.Input<boolean>;
  /** URL of the webhook. */
  readonly webhookUrl?: pulumi.Input<string>;
  /** Events that the webhook is called for, in any order. */
  readonly enabledEvents?: pulumi.Input<pulumi.Input<NeonAuthWebhookEvent>[]>;
  /** Seconds that Neon waits for an answer, 1 to 10. Default: `5`. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** Arguments of a {@link NeonAuth}. Neon chooses the values that you omit. They never cause a diff. */
export interface NeonAuthArgs {
  /** Id of the project. Changing it replaces the Neon Auth integration. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. A branch has one integration or none. Changing it replaces the Neon Auth integration. */
  readonly branchId: pulumi.Input<string>;
  /**
   * The provider of the sign-in. `stack` is deprecated by Neon, and `mock` is for tests. Default: `better_auth`.
   * Changing it replaces the Neon Auth integration.
   */
  readonly authProvider?: pulumi.Input<NeonAuthProvider>;
  /**
   * Name of the database that has the schema `neon_auth` with the users. Default: chosen by Neon. Changing it replaces
   * the Neon Auth integration.
   */
  readonly databaseName?: pulumi.Input<string>;
  /**
   * Name of the application in e-mails to its users. At most 256 characters. Default: the name of the project, also
   * when that changes. Updated in place.
   */
  readonly name?: pulumi.Input<string>;
  /** How users sign in with an e-mail address and a password. Updated in place. */
  readonly emailAndPassword?: pulumi.Input<NeonAuthEmailAndPasswordArgs>;
  /** The server that sends the e-mails. Default: a server of Neon. Updated in place. */
  readonly emailProvider?: pulumi.Input<NeonAuthEmailProviderArgs>;
  /**
   * Password on the server of an `emailProvider` of the type `standard`. The state always stores it as a secret. Its
   * value is not read from Neon, so a change that somebody else makes is not drift. Updated in place.
   */
  readonly emailProviderPassword?: pulumi.Input<string>;
  /** Organizations, magic links, phone numbers, and Neon Auth as an OAuth provider. Updated in place. */
  readonly plugins?: pulumi.Input<NeonAuthPluginsArgs>;
  /** The webhook that Neon calls. Updated in place. */
  readonly webhooks?: pulumi.Input<NeonAuthWebhooksArgs>;
  /**
   * Whether users can be redirected to any port of `localhost`. Declare `false` in production. Default: `true`. Updated
   * in place.
   */
  readonly allowLocalhost?: pulumi.Input<boolean>;
  /**
   * Whether deleting this resource also deletes the schema `neon_auth` with all users, which otherwise stay in the
   * database. It has an effect once `pulumi up` has recorded it. Default: `false`.
   */
  readonly deleteData?: pulumi.Input<boolean>;
  /**
   * Adopts an existing integration instead of enabling one, and applies the declared arguments to it. The id of the
   * branch adopts its integration and fails if it has none. `true` adopts it, or enables Neon Auth if the branch has
   * none: declare it for a branch whose parent has Neon Auth, which a new branch inherits. Setting or removing `adopt`
   * later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const neonAuthDefinition: ResourceDefinition = {
  kind: "NeonAuth",
  id: ["projectId", "branchId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    authProvider: "plain",
    databaseName: "plain",
    name: "plain",
    emailAndPassword: "plain",
    emailProvider: "plain",
    emailProviderPassword: "secret",
    plugins: "plain",
    webhooks: "plain",
    allowLocalhost: "plain",
    deleteData: "plain",
    authProviderProjectId: "plain",
    baseUrl: "plain",
    jwksUrl: "plain",
    pubClientKey: "plain",
    secretServerKey: "secret",
    createdAt: "plain",
  },
  absences: {
    emailProviderPassword: { reason: "The program declares none." },
    pubClientKey: { reason: "Only the provider `stack` has keys, and Neon returns them when it is enabled." },
    secretServerKey: { reason: "Only the provider `stack` has keys, and Neon returns them when it is enabled." },
  },
};

/**
 * Neon Auth for a branch: the sign-in of an application's users, who are kept in the schema `neon_auth` of a database
 * of the branch.
 *
 * A new branch inherits the integration of its parent, with the configuration and URLs of its own: declare
 * `adopt: true` there. The services that users can sign in with are {@link NeonAuthOauthProvider}, the domains that
 * they can be redirected to {@link NeonAuthTrustedDomain}. With `plugins.oauthProvider`, it is itself an OAuth
 * provider: the applications that its users can sign in to are {@link NeonAuthOauthClient}.
 *
 * Neon API: `GET`, `POST` and `DELETE /projects/{project_id}/branches/{branch_id}/auth`, and below it `/plugins`,
 * `/config`, `/email_and_password`, `/email_provider`, `/allow_localhost` and `/webhooks`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   name: "Shop",
 *   emailAndPassword: { enabled: true, requireEmailVerification: true },
 *   allowLocalhost: false,
 * });
 * // The application's NEON_AUTH_BASE_URL.
 * export const baseUrl = auth.baseUrl;
 * ```
 *
 * @example
 * ```ts
 * // E-mails from a server of your own, links to sign in, and a webhook.
 * new neon.NeonAuth("sign-in-staging", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   adopt: true,
 *   emailProvider: {
 *     type: "standard",
 *     host: "smtp.example.com",
 *     port: 587,
 *     username: "shop",
 *     senderEmail: "shop@example.com",
 *     senderName: "Shop",
 *   },
 *   emailProviderPassword: config.requireSecret("smtpPassword"),
 *   plugins: { magicLink: { enabled: true, expiresIn: 15 } },
 *   webhooks: { enabled: true, webhookUrl: "https://shop.example.com/hooks", enabledEvents: ["user.created"] },
 * });
 * ```
 *
 * @example
 * ```ts
 * // The users sign in to an MCP server. Both pages are of your application.
 * const shop = "https://shop.example.com";
 * const accounts = new neon.Project("accounts", { regionId: "aws-eu-central-1" });
 * const issuer = new neon.NeonAuth("issuer", {
 *   projectId: accounts.id,
 *   branchId: accounts.defaultBranchId,
 *   plugins: {
 *     oauthProvider: {
 *       enabled: true,
 *       loginPage: `${shop}/sign-in`,
 *       consentPage: `${shop}/consent`,
 *       mcp: { resource: "https://mcp.shop.example.com/mcp", clientIdMetadataDocuments: true },
 *     },
 *   },
 * });
 * new neon.NeonAuthTrustedDomain("pages", { projectId: accounts.id, branchId: issuer.branchId, domain: shop });
 * ```
 */
export class NeonAuth extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** The provider of the sign-in. */
  declare readonly authProvider: pulumi.Output<NeonAuthProvider>;
  /** Name of the database that has the schema `neon_auth` with the users. */
  declare readonly databaseName: pulumi.Output<string>;
  /** Name of the application in e-mails to its users. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** How users sign in with an e-mail address and a password. */
  declare readonly emailAndPassword: pulumi.Output<pulumi.Unwrap<NeonAuthEmailAndPasswordArgs> | undefined>;
  /** The server that sends the e-mails. */
  declare readonly emailProvider: pulumi.Output<pulumi.Unwrap<NeonAuthEmailProviderArgs> | undefined>;
  /** The declared value. Secret. */
  declare readonly emailProviderPassword: pulumi.Output<string | undefined>;
  /** Organizations, magic links, phone numbers, and Neon Auth as an OAuth provider. */
  declare readonly plugins: pulumi.Output<pulumi.Unwrap<NeonAuthPluginsArgs> | undefined>;
  /** The webhook that Neon calls. */
  declare readonly webhooks: pulumi.Output<pulumi.Unwrap<NeonAuthWebhooksArgs> | undefined>;
  /** Whether users can be redirected to any port of `localhost`. */
  declare readonly allowLocalhost: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly deleteData: pulumi.Output<boolean | undefined>;
  /** Id of the project at the provider of the sign-in. */
  declare readonly authProviderProjectId: pulumi.Output<string>;
  /** URL that the application sends its users' requests to: its `NEON_AUTH_BASE_URL`. */
  declare readonly baseUrl: pulumi.Output<string | undefined>;
  /** URL of the keys that verify the users' tokens (JWT). */
  declare readonly jwksUrl: pulumi.Output<string>;
  /** Key for the application's pages. Only `stack` has one. Absent after an adoption: Neon returns it once. */
  declare readonly pubClientKey: pulumi.Output<string | undefined>;
  /** Key for the application's server. Only `stack` has one. Absent after an adoption: Neon returns it once. Secret. */
  declare readonly secretServerKey: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: NeonAuthArgs, opts?: pulumi.CustomResourceOptions) {
    super(neonAuthDefinition, name, args, opts);
  }

  /** Reads an existing Neon Auth integration without managing it. The id has the form `<projectId>/<branchId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NeonAuth {
    return Resource.existing(NeonAuth, neonAuthDefinition, name, id, opts);
  }

  /** Returns whether a value is a `NeonAuth`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is NeonAuth {
    return Resource.isOfKind(value, "NeonAuth");
  }
}

true satisfies SameInputs<NeonAuthArgs, (typeof neonAuth)["inputs"]>;
