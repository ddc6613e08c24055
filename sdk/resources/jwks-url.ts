import * as pulumi from "@pulumi/pulumi";

import type { JwksUrlInputs, JwksUrlOutputs } from "../../provider/resources/jwks-url";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a JWKS URL. */
export interface JwksUrlArgs {
  /** The project whose tokens are checked. A change replaces the JWKS URL. */
  readonly projectId: pulumi.Input<string>;
  /** Where the keys are; https only. A change replaces the JWKS URL. */
  readonly jwksUrl: pulumi.Input<string>;
  /** Who issues the tokens, such as `Clerk` or `Auth0`. A change replaces the JWKS URL. */
  readonly providerName: pulumi.Input<string>;
  /** The branch it holds for. Default: all branches. A change replaces the JWKS URL. */
  readonly branchId?: pulumi.Input<string>;
  /** The audience that tokens must be for. Default: any. A change replaces the JWKS URL. */
  readonly jwtAudience?: pulumi.Input<string>;
  /**
   * The roles that tokens give, at most 10. Default: the platform's. A change replaces the JWKS URL.
   *
   * @deprecated The platform takes it for its older row-level security only.
   */
  readonly roleNames?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Whether roles that are not there are left unmade. Default: `false`. Cannot be read back. A change replaces the JWKS
   * URL.
   *
   * @deprecated The platform takes it for its older row-level security only.
   */
  readonly skipRoleCreation?: pulumi.Input<boolean>;
  /**
   * Takes over a JWKS URL instead of adding one: that of this id, or with `true` that of this address if the project has
   * it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  jwksUrl: true,
  providerName: true,
  branchId: true,
  jwtAudience: true,
  roleNames: true,
  skipRoleCreation: true,
  jwksId: true,
  createdAt: true,
} as const;
const self: ResourceClass = { kind: "JwksUrl", outputs: Object.keys(outputs), secrets: [] };

/**
 * Where the keys are by which a project checks the tokens (JWT) that people sign in with. Everything in it is fixed: any
 * change replaces it, and where the address stays the same the old one is removed first.
 *
 * @example
 * ```ts
 * new neon.JwksUrl("clerk", {
 *   projectId: project.id,
 *   jwksUrl: "https://clerk.example.com/.well-known/jwks.json",
 *   providerName: "Clerk",
 * });
 * ```
 */
export class JwksUrl extends Resource {
  /** The project whose tokens are checked. */
  declare readonly projectId: pulumi.Output<string>;
  /** Where the keys are. */
  declare readonly jwksUrl: pulumi.Output<string>;
  /** Who issues the tokens. */
  declare readonly providerName: pulumi.Output<string>;
  /** The branch it holds for; left out: all of them. */
  declare readonly branchId: pulumi.Output<string | undefined>;
  /** The audience that tokens must be for. */
  declare readonly jwtAudience: pulumi.Output<string | undefined>;
  /** The roles that tokens give. */
  declare readonly roleNames: pulumi.Output<string[] | undefined>;
  /** As declared. */
  declare readonly skipRoleCreation: pulumi.Output<boolean | undefined>;
  /** The id of this JWKS URL. */
  declare readonly jwksId: pulumi.Output<string>;
  /** When it was added; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: JwksUrlArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.jwksId = this.id.apply((id) => decodeURIComponent(id.slice(id.lastIndexOf("/") + 1)));
  }

  /** A JWKS URL that exists, without managing it. Its id is that of the project and its own, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): JwksUrl {
    // Where the keys are is told by the platform.
    const args: Partial<JwksUrlArgs> = { projectId: segmentsOf(id, "<project>/<JWKS URL>")(0) };
    return new JwksUrl(name, args as JwksUrlArgs, { ...opts, id });
  }

  /** Whether this is a JWKS URL, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is JwksUrl {
    return Resource.isOfType(value, typeToken("JwksUrl"));
  }
}

true satisfies SameInputs<JwksUrlArgs, JwksUrlInputs>;
true satisfies SameNames<keyof typeof outputs, JwksUrlOutputs>;
