// Generated from provider/resources/neon-auth-trusted-domain.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { neonAuthTrustedDomain } from "../../provider/resources/neon-auth-trusted-domain";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** The provider of the branch's Neon Auth. */
export type NeonAuthProvider = "better_auth" | "stack" | "mock";

/** Arguments of a {@link NeonAuthTrustedDomain}. */
export interface NeonAuthTrustedDomainArgs {
  /** Id of the project. Changing it replaces the trusted domain. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id of the branch. It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables
   * that first. Changing it replaces the trusted domain.
   */
  readonly branchId: pulumi.Input<string>;
  /**
   * The domain as a URI with its scheme, such as `https://shop.example.com`. It has no slash at its end and no
   * password. Changing it replaces the trusted domain.
   */
  readonly domain: pulumi.Input<string>;
  /** The provider of the branch's Neon Auth. Default: `better_auth`. Changing it replaces the trusted domain. */
  readonly authProvider?: pulumi.Input<NeonAuthProvider>;
  /**
   * Adopts an existing trusted domain instead of creating one, such as one that the branch has from its parent. A
   * domain adopts that trusted domain and fails if it does not exist. `true` adopts the trusted domain with this
   * `domain`, or creates one if there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const neonAuthTrustedDomainDefinition: ResourceDefinition = {
  kind: "NeonAuthTrustedDomain",
  id: ["projectId", "branchId", "domain"],
  outputs: { projectId: "plain", branchId: "plain", domain: "plain", authProvider: "plain" },
};

/**
 * A domain that users of a branch's {@link NeonAuth} can be redirected to when they have signed in.
 *
 * Neon API: `GET`, `POST` and `DELETE /projects/{project_id}/branches/{branch_id}/auth/domains`.
 *
 * @example
 * ```ts
 * const auth = new neon.NeonAuth("sign-in", { projectId: project.id, branchId: project.defaultBranchId });
 * new neon.NeonAuthTrustedDomain("shop", {
 *   projectId: project.id,
 *   branchId: auth.branchId,
 *   domain: "https://shop.example.com",
 * });
 * ```
 */
export class NeonAuthTrustedDomain extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** The domain as a URI with its scheme, such as `https://shop.example.com`. */
  declare readonly domain: pulumi.Output<string>;
  /** The provider of the branch's Neon Auth. */
  declare readonly authProvider: pulumi.Output<NeonAuthProvider>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: NeonAuthTrustedDomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(neonAuthTrustedDomainDefinition, name, args, opts);
  }

  /**
   * Reads an existing trusted domain without managing it. The id has the form `<projectId>/<branchId>/<domain>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): NeonAuthTrustedDomain {
    return Resource.existing(NeonAuthTrustedDomain, neonAuthTrustedDomainDefinition, name, id, opts);
  }

  /** Returns whether a value is a `NeonAuthTrustedDomain`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is NeonAuthTrustedDomain {
    return Resource.isOfKind(value, "NeonAuthTrustedDomain");
  }
}

true satisfies SameInputs<NeonAuthTrustedDomainArgs, (typeof neonAuthTrustedDomain)["inputs"]>;
