// Generated from provider/resources/neon-auth-oauth-provider.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { neonAuthOauthProvider } from "../../provider/resources/neon-auth-oauth-provider";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link NeonAuthOauthProvider}. */
export interface NeonAuthOauthProviderArgs {
  /** Id of the project. Changing it replaces the OAuth provider. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the branch. It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables
   * that first. Changing it replaces the OAuth provider.
   */
  readonly branchId: pulumi.Input<string>;
  /** The service, such as `google`. A branch has each of them once. Changing it replaces the OAuth provider. */
  readonly providerId: pulumi.Input<"google" | "github" | "microsoft" | "vercel">;
  /**
   * Id of the application at the service. Default: an application of Neon that projects share, which not every service
   * has. Updated in place.
   */
  readonly clientId?: pulumi.Input<string>;
  /**
   * Secret of your application at the service. The state always stores it as a secret. Its value is not read from Neon,
   * so a change that somebody else makes is not drift. Updated in place.
   */
  readonly clientSecret?: pulumi.Input<string>;
  /**
   * Id of the tenant, for `microsoft`. Its value is not read from Neon, so a change that somebody else makes is not
   * drift. Updated in place.
   */
  readonly microsoftTenantId?: pulumi.Input<string>;
  /**
   * Adopts an existing OAuth provider instead of creating one, such as one that the branch has from its parent, and
   * applies the declared arguments to it. An id adopts that OAuth provider and fails if it does not exist. `true`
   * adopts the OAuth provider with this `providerId`, or creates one if there is none. The id is the service, such as
   * `google`. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const neonAuthOauthProviderDefinition: ResourceDefinition = {
  kind: "NeonAuthOauthProvider",
  id: ["projectId", "branchId", "providerId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    providerId: "plain",
    clientId: "plain",
    clientSecret: "secret",
    microsoftTenantId: "plain",
    type: "plain",
  },
  absences: { clientSecret: { reason: "The program declares none." } },
};

/**
 * A service that users of a branch's {@link NeonAuth} can sign in with. This is the other direction than
 * {@link NeonAuthOauthClient}, an application that the users of this one can sign in to.
 *
 * Neon Auth starts with `google`, by an application of Neon: declare `adopt: true` to configure that one.
 *
 * Neon API: `GET` and `POST /projects/{project_id}/branches/{branch_id}/auth/oauth_providers`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * new neon.NeonAuthOauthProvider("github", {
 *   projectId: project.id,
 *   branchId: auth.branchId,
 *   providerId: "github",
 *   clientId: "Iv1.8a61f9b3a7aba766",
 *   clientSecret: config.requireSecret("githubClientSecret"),
 * });
 * ```
 *
 * @example
 * ```ts
 * // Google, by an application of your own.
 * new neon.NeonAuthOauthProvider("google", {
 *   projectId: project.id,
 *   branchId: auth.branchId,
 *   providerId: "google",
 *   clientId: "302709.apps.googleusercontent.com",
 *   clientSecret: config.requireSecret("googleClientSecret"),
 *   adopt: true,
 * });
 * ```
 */
export class NeonAuthOauthProvider extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** The service, such as `google`. */
  declare readonly providerId: pulumi.Output<string>;
  /** Id of the application at the service. */
  declare readonly clientId: pulumi.Output<string | undefined>;
  /** The declared value. Secret. */
  declare readonly clientSecret: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly microsoftTenantId: pulumi.Output<string | undefined>;
  /** `standard` for an application of your own, `shared` for one of Neon. */
  declare readonly type: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: NeonAuthOauthProviderArgs, opts?: pulumi.CustomResourceOptions) {
    super(neonAuthOauthProviderDefinition, name, args, opts);
  }

  /**
   * Reads an existing OAuth provider without managing it. The id has the form `<projectId>/<branchId>/<providerId>`.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NeonAuthOauthProvider {
    return Resource.existing(NeonAuthOauthProvider, neonAuthOauthProviderDefinition, name, id, opts);
  }

  /** Returns whether a value is a `NeonAuthOauthProvider`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is NeonAuthOauthProvider {
    return Resource.isOfKind(value, "NeonAuthOauthProvider");
  }
}

true satisfies SameInputs<NeonAuthOauthProviderArgs, (typeof neonAuthOauthProvider)["inputs"]>;
