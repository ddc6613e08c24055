// Generated from provider/resources/jwks-url.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { jwksUrl } from "../../provider/resources/jwks-url";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link JwksUrl}. */
export interface JwksUrlArgs {
  /** Id of the project. Changing it replaces the JWKS URL. */
  readonly projectId: pulumi.Input<string>;
  /** URL of the key set. It must start with `https://`. Changing it replaces the JWKS URL. */
  readonly jwksUrl: pulumi.Input<string>;
  /**
   * Name of the authentication provider that issues the tokens, such as `Clerk` or `Auth0`. Changing it replaces the
   * JWKS URL.
   */
  readonly providerName: pulumi.Input<string>;
  /** Id of the branch that the JWKS URL applies to. Default: all branches. Changing it replaces the JWKS URL. */
  readonly branchId?: pulumi.Input<string>;
  /** Audience that a token must have. Default: any audience. Changing it replaces the JWKS URL. */
  readonly jwtAudience?: pulumi.Input<string>;
  /**
   * Names of the Postgres roles that a token can use. At most 10 entries. Default: chosen by Neon. Changing them
   * replaces the JWKS URL.
   *
   * @deprecated Neon uses it only for its older row-level security.
   */
  readonly roleNames?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Whether Neon does not create missing roles. Default: `false`. Neon does not return it. Changing it replaces the
   * JWKS URL.
   *
   * @deprecated Neon uses it only for its older row-level security.
   */
  readonly skipRoleCreation?: pulumi.Input<boolean>;
  /**
   * Adopts an existing JWKS URL instead of creating one. An id adopts that JWKS URL and fails if it does not exist.
   * `true` adopts the JWKS URL with this `jwksUrl`, or creates one if there is none. Setting or removing `adopt` later
   * has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const jwksUrlDefinition: ResourceDefinition = {
  kind: "JwksUrl",
  id: ["projectId", "jwksId"],
  outputs: {
    projectId: "plain",
    jwksUrl: "plain",
    providerName: "plain",
    branchId: "plain",
    jwtAudience: "plain",
    roleNames: "plain",
    skipRoleCreation: "plain",
    jwksId: "fromId",
    createdAt: "plain",
  },
};

/**
 * A JWKS URL of a project. Its keys verify the tokens (JWT) of the project's users.
 *
 * Neon API: `POST /projects/{project_id}/jwks`, `GET /projects/{project_id}/jwks`,
 * `DELETE /projects/{project_id}/jwks/{jwks_id}`.
 *
 * @example
 * ```ts
 * new neon.JwksUrl("clerk", {
 *   projectId: project.id,
 *   jwksUrl: "https://clerk.example.com/.well-known/jwks.json",
 *   providerName: "Clerk",
 * });
 * ```
 *
 * @example
 * ```ts
 * // For one branch, and for tokens of one audience.
 * new neon.JwksUrl("sign-in", {
 *   projectId: project.id,
 *   branchId: staging.branchId,
 *   jwksUrl: "https://sign-in.example.com/.well-known/jwks.json",
 *   providerName: "Example",
 *   jwtAudience: "shop",
 * });
 * ```
 */
export class JwksUrl extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** URL of the key set. */
  declare readonly jwksUrl: pulumi.Output<string>;
  /** Name of the authentication provider that issues the tokens, such as `Clerk` or `Auth0`. */
  declare readonly providerName: pulumi.Output<string>;
  /** Id of the branch that the JWKS URL applies to. Absent if it applies to all branches. */
  declare readonly branchId: pulumi.Output<string | undefined>;
  /** Audience that a token must have. Absent if a token can have any audience. */
  declare readonly jwtAudience: pulumi.Output<string | undefined>;
  /**
   * Names of the Postgres roles that a token can use.
   *
   * @deprecated Neon uses it only for its older row-level security.
   */
  declare readonly roleNames: pulumi.Output<string[] | undefined>;
  /**
   * The declared value.
   *
   * @deprecated Neon uses it only for its older row-level security.
   */
  declare readonly skipRoleCreation: pulumi.Output<boolean | undefined>;
  /** Id of the JWKS URL. */
  declare readonly jwksId: pulumi.Output<string>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: JwksUrlArgs, opts?: pulumi.CustomResourceOptions) {
    super(jwksUrlDefinition, name, args, opts);
  }

  /** Reads an existing JWKS URL without managing it. The id has the form `<projectId>/<jwksId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): JwksUrl {
    return Resource.existing(JwksUrl, jwksUrlDefinition, name, id, opts);
  }

  /** Returns whether a value is a `JwksUrl`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is JwksUrl {
    return Resource.isOfKind(value, "JwksUrl");
  }
}

true satisfies SameInputs<JwksUrlArgs, (typeof jwksUrl)["inputs"]>;
