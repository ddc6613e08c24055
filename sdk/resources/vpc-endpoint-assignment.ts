import type * as pulumi from "@pulumi/pulumi";

import type {
  VpcEndpointAssignmentInputs,
  VpcEndpointAssignmentOutputs,
} from "../../provider/resources/vpc-endpoint-assignment";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a VPC endpoint's assignment to an organization. */
export interface VpcEndpointAssignmentArgs {
  /** The organization. Default: `neon:orgId`; one of the two is needed. A change of what is declared replaces the assignment. */
  readonly orgId?: pulumi.Input<string>;
  /** The region of the VPC endpoint, such as `aws-eu-central-1`. A change replaces the assignment. */
  readonly regionId: pulumi.Input<string>;
  /** The id of the VPC endpoint, as its cloud gives it, such as `vpce-1234567890abcdef0`. A change replaces the assignment. */
  readonly vpcEndpointId: pulumi.Input<string>;
  /** What people call it. Changed in place. */
  readonly label: pulumi.Input<string>;
  /**
   * Takes over the assignment instead of making one: with its id, or with `true` if this VPC endpoint is assigned
   * already. What is declared is then applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  orgId: true,
  regionId: true,
  vpcEndpointId: true,
  label: true,
} as const;
const self: ResourceClass = { kind: "VpcEndpointAssignment", outputs: Object.keys(outputs), secrets: [] };

/**
 * A VPC endpoint that belongs to an organization, so that its projects can be restricted to it.
 *
 * Deleting or replacing it is final: the platform never takes a VPC endpoint back that was deleted from an organization.
 * Pulumi's option `protect` or `retainOnDelete` keeps it.
 *
 * @example
 * ```ts
 * const office = new neon.VpcEndpointAssignment(
 *   "office",
 *   { regionId: "aws-eu-central-1", vpcEndpointId: "vpce-1234567890abcdef0", label: "office" },
 *   { retainOnDelete: true },
 * );
 * ```
 */
export class VpcEndpointAssignment extends Resource {
  /** The organization it belongs to. */
  declare readonly orgId: pulumi.Output<string>;
  /** The region of the VPC endpoint. */
  declare readonly regionId: pulumi.Output<string>;
  /** The id of the VPC endpoint. */
  declare readonly vpcEndpointId: pulumi.Output<string>;
  /** What people call it. */
  declare readonly label: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: VpcEndpointAssignmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
  }

  /** An assignment that exists, without managing it. Its id is that of the organization, the region and that of the VPC endpoint, with slashes between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VpcEndpointAssignment {
    const segment = segmentsOf(id, "<organization>/<region>/<VPC endpoint>");
    // Its label is told by the platform.
    const args: Partial<VpcEndpointAssignmentArgs> = {
      orgId: segment(0),
      regionId: segment(1),
      vpcEndpointId: segment(2),
    };
    return new VpcEndpointAssignment(name, args as VpcEndpointAssignmentArgs, { ...opts, id });
  }

  /** Whether this is such an assignment, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is VpcEndpointAssignment {
    return Resource.isOfType(value, typeToken("VpcEndpointAssignment"));
  }
}

true satisfies SameInputs<VpcEndpointAssignmentArgs, VpcEndpointAssignmentInputs>;
true satisfies SameNames<keyof typeof outputs, VpcEndpointAssignmentOutputs>;
