// Generated from provider/resources/spending-limit.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { spendingLimit } from "../../provider/resources/spending-limit";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link SpendingLimit}. */
export interface SpendingLimitArgs {
  /**
   * Id of the organization. Default: the provider's `orgId`. Without it, the property is required. Changing it replaces
   * the spending limit.
   */
  readonly orgId?: pulumi.Input<string>;
  /** Amount per month in US cents, at least 1. Updated in place. */
  readonly spendingLimitCents: pulumi.Input<number>;
  /**
   * `true`, or the id of the organization, adopts its existing limit and overwrites it with the declared one. If
   * omitted, creating the resource fails if the organization has a limit. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const spendingLimitDefinition: ResourceDefinition = {
  kind: "SpendingLimit",
  id: ["orgId"],
  outputs: { orgId: "plain", spendingLimitCents: "plain" },
};

/**
 * The amount per month at which Neon notifies an organization by e-mail: at 80% and at 100%. Nothing is suspended when
 * it is reached. An organization has one limit, on the plans Launch and Scale. Destroying the resource removes it.
 *
 * Neon API: `GET`, `PUT` and `DELETE /organizations/{org_id}/billing/spending_limit`.
 *
 * @example
 * ```ts
 * new neon.SpendingLimit("budget", { orgId: "org-quiet-river-302709", spendingLimitCents: 50_000 });
 * ```
 */
export class SpendingLimit extends Resource {
  /** Id of the organization. */
  declare readonly orgId: pulumi.Output<string>;
  /** Amount per month in US cents, at least 1. */
  declare readonly spendingLimitCents: pulumi.Output<number>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: SpendingLimitArgs, opts?: pulumi.CustomResourceOptions) {
    super(spendingLimitDefinition, name, args, opts);
  }

  /** Reads an existing spending limit without managing it. The id has the form `<orgId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): SpendingLimit {
    return Resource.existing(SpendingLimit, spendingLimitDefinition, name, id, opts);
  }

  /** Returns whether a value is a `SpendingLimit`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is SpendingLimit {
    return Resource.isOfKind(value, "SpendingLimit");
  }
}

true satisfies SameInputs<SpendingLimitArgs, (typeof spendingLimit)["inputs"]>;
