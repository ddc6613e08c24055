// Generated from provider/resources/vpc-endpoint-assignment.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { vpcEndpointAssignment } from "../../provider/resources/vpc-endpoint-assignment";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link VpcEndpointAssignment}. */
export interface VpcEndpointAssignmentArgs {
  /**
   * Id of the organization. Default: the provider's `orgId`. Without it, the property is required. Changing it replaces
   * the VPC endpoint assignment.
   */
  readonly orgId?: pulumi.Input<string>;
  /** Region of the VPC endpoint, such as `aws-eu-central-1`. Changing it replaces the VPC endpoint assignment. */
  readonly regionId: pulumi.Input<string>;
  /**
   * Id that the cloud provider gave the VPC endpoint, such as `vpce-1234567890abcdef0`. Changing it replaces the VPC
   * endpoint assignment.
   */
  readonly vpcEndpointId: pulumi.Input<string>;
  /** Display name. Updated in place. */
  readonly label: pulumi.Input<string>;
  /**
   * Adopts an existing VPC endpoint assignment instead of creating one, and applies the declared arguments to it. An id
   * adopts that VPC endpoint assignment and fails if it does not exist. `true` adopts the VPC endpoint assignment with
   * this `vpcEndpointId`, or creates one if there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const vpcEndpointAssignmentDefinition: ResourceDefinition = {
  kind: "VpcEndpointAssignment",
  id: ["orgId", "regionId", "vpcEndpointId"],
  outputs: { orgId: "plain", regionId: "plain", vpcEndpointId: "plain", label: "plain" },
};

/**
 * Assigns a VPC endpoint to an organization, so that its projects can be restricted to it.
 *
 * Deleting or replacing the assignment is permanent: Neon does not allow you to assign a VPC endpoint again after it
 * was deleted from an organization. To keep it, set Pulumi's option `protect` or `retainOnDelete`.
 *
 * Neon API: `POST` and `DELETE /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}`.
 *
 * @example
 * ```ts
 * const office = new neon.VpcEndpointAssignment(
 *   "office",
 *   { regionId: "aws-eu-central-1", vpcEndpointId: "vpce-1234567890abcdef0", label: "office" },
 *   { retainOnDelete: true },
 * );
 * ```
 *
 * @example
 * ```ts
 * // One that exists: by its id.
 * const existing = new neon.VpcEndpointAssignment("branch-office", {
 *   regionId: "aws-eu-central-1",
 *   vpcEndpointId: "vpce-1234567890abcdef1",
 *   label: "branch office",
 *   adopt: true,
 * });
 * ```
 */
export class VpcEndpointAssignment extends Resource {
  /** Id of the organization. */
  declare readonly orgId: pulumi.Output<string>;
  /** Region of the VPC endpoint, such as `aws-eu-central-1`. */
  declare readonly regionId: pulumi.Output<string>;
  /** Id that the cloud provider gave the VPC endpoint, such as `vpce-1234567890abcdef0`. */
  declare readonly vpcEndpointId: pulumi.Output<string>;
  /** Display name. */
  declare readonly label: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: VpcEndpointAssignmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(vpcEndpointAssignmentDefinition, name, args, opts);
  }

  /**
   * Reads an existing VPC endpoint assignment without managing it. The id has the form
   * `<orgId>/<regionId>/<vpcEndpointId>`.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VpcEndpointAssignment {
    return Resource.existing(VpcEndpointAssignment, vpcEndpointAssignmentDefinition, name, id, opts);
  }

  /** Returns whether a value is a `VpcEndpointAssignment`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is VpcEndpointAssignment {
    return Resource.isOfKind(value, "VpcEndpointAssignment");
  }
}

true satisfies SameInputs<VpcEndpointAssignmentArgs, (typeof vpcEndpointAssignment)["inputs"]>;
