// Generated from provider/resources/neon-auth-oauth-client.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { neonAuthOauthClient } from "../../provider/resources/neon-auth-oauth-client";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link NeonAuthOauthClient}. */
export interface NeonAuthOauthClientArgs {
  /** Id of the project. Changing it replaces the OAuth client. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the branch. Its Neon Auth has to be an OAuth provider: use the output `branchId` of a {@link NeonAuth} with
   * `plugins.oauthProvider`, so that Pulumi enables that first. Changing it replaces the OAuth client.
   */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the client, which the consent page can show. Names are not unique. Default: the resource's logical name.
   * Updated in place.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * `confidential` for an application on a server, which has a secret; `public` for one in a browser or on a device,
   * which cannot keep a secret. Changing it replaces the OAuth client.
   */
  readonly type: pulumi.Input<"confidential" | "public">;
  /**
   * URLs that users can be sent back to, in any order. At least one. Each is an https URL, or an http URL of
   * `localhost`, `127.0.0.1` or `[::1]` if `allowLocalhost` of the {@link NeonAuth} is not `false`. Updated in place.
   */
  readonly redirectUris: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Identifiers of the APIs and the MCP server that the client can get tokens for, in any order. Each has to be the
   * `mcp.resource` or one of the `resources` of `plugins.oauthProvider`. Updated in place.
   */
  readonly resources: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether users are not asked for consent. Default: `false`. Updated in place. */
  readonly skipConsent?: pulumi.Input<boolean>;
  /** Whether the client is disabled. Default: `false`. Updated in place. */
  readonly disabled?: pulumi.Input<boolean>;
  /**
   * Any string. Changing it, or adding it later, rotates the secret in place: the client keeps its id and gets another
   * secret, and the old one stops working at once. Creating or adopting the resource does not do so, and removing the
   * property has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Id of an existing client to adopt instead of registering one. Its output `clientSecret` is then absent until a
   * change of `rotateTrigger`, because Neon returns a secret once. Fails if the client does not exist. Setting or
   * removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string>;
}

const neonAuthOauthClientDefinition: ResourceDefinition = {
  kind: "NeonAuthOauthClient",
  id: ["projectId", "branchId", "clientId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    type: "plain",
    redirectUris: "plain",
    resources: "plain",
    skipConsent: "plain",
    disabled: "plain",
    rotateTrigger: "plain",
    clientId: "fromId",
    clientSecret: "secret",
    createdAt: "plain",
  },
  absences: {
    clientSecret: {
      reason:
        "Neon returns a client's secret once, and this one was adopted or imported. Change `rotateTrigger` to give it another secret.",
      unless: { output: "type", value: "public", reason: "A public client has no secret." },
    },
  },
};

/**
 * An application that the users of a branch's {@link NeonAuth} can sign in to: the application gets a token for your
 * API or your MCP server. This is the other direction than {@link NeonAuthOauthProvider}, a service that users sign in
 * to your own application with. Neon's API for both the clients and the setting `plugins.oauthProvider` is in beta.
 *
 * Neon assigns `clientId`, and returns `clientSecret` when it registers a client of the type `confidential`. The state
 * stores the secret encrypted. To rotate it, change `rotateTrigger`: the id stays, and the old secret stops working
 * before the application has the new one. For a rotation without that gap, declare a second client, and remove the
 * first one when nothing uses it.
 *
 * Deleting a client does not revoke the tokens that it has already got: they are valid until they expire. To stop a
 * client for a while, declare `disabled: true`.
 *
 * Neon does not say whether a new branch has the clients of its parent. Where it has them, adopt one by its `clientId`.
 *
 * Neon API: `GET` and `POST /projects/{project_id}/branches/{branch_id}/auth/oauth-provider/clients`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}/auth/oauth-provider/clients/{client_id}`, and
 * `POST /projects/{project_id}/branches/{branch_id}/auth/oauth-provider/clients/{client_id}/rotate_secret`.
 *
 * @example
 * ```ts
 * const issuer = new neon.NeonAuth("issuer", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   plugins: {
 *     oauthProvider: {
 *       enabled: true,
 *       loginPage: "https://shop.example.com/sign-in",
 *       consentPage: "https://shop.example.com/consent",
 *       resources: ["https://api.shop.example.com"],
 *     },
 *   },
 * });
 * const partner = new neon.NeonAuthOauthClient("partner", {
 *   projectId: project.id,
 *   branchId: issuer.branchId,
 *   type: "confidential",
 *   redirectUris: ["https://partner.example.com/callback"],
 *   resources: ["https://api.shop.example.com"],
 * });
 * export const clientId = partner.clientId;
 * export const clientSecret = partner.requireOutput("clientSecret");
 * ```
 */
export class NeonAuthOauthClient extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the client, which the consent page can show. Names are not unique. */
  declare readonly name: pulumi.Output<string>;
  /**
   * `confidential` for an application on a server, which has a secret; `public` for one in a browser or on a device,
   * which cannot keep a secret.
   */
  declare readonly type: pulumi.Output<string>;
  /** URLs that users can be sent back to, in any order. */
  declare readonly redirectUris: pulumi.Output<string[]>;
  /** Identifiers of the APIs and the MCP server that the client can get tokens for, in any order. */
  declare readonly resources: pulumi.Output<string[]>;
  /** Whether users are not asked for consent. */
  declare readonly skipConsent: pulumi.Output<boolean>;
  /** Whether the client is disabled. */
  declare readonly disabled: pulumi.Output<boolean>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** Id of the client, which Neon assigns. */
  declare readonly clientId: pulumi.Output<string>;
  /**
   * Secret of the client. Absent for a public client, and for one that was adopted or imported, until a change of
   * `rotateTrigger`. Secret.
   */
  declare readonly clientSecret: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: NeonAuthOauthClientArgs, opts?: pulumi.CustomResourceOptions) {
    super(neonAuthOauthClientDefinition, name, args, opts);
  }

  /** Reads an existing OAuth client without managing it. The id has the form `<projectId>/<branchId>/<clientId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NeonAuthOauthClient {
    return Resource.existing(NeonAuthOauthClient, neonAuthOauthClientDefinition, name, id, opts);
  }

  /** Returns whether a value is a `NeonAuthOauthClient`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is NeonAuthOauthClient {
    return Resource.isOfKind(value, "NeonAuthOauthClient");
  }
}

true satisfies SameInputs<NeonAuthOauthClientArgs, (typeof neonAuthOauthClient)["inputs"]>;
