import type * as pulumi from "@pulumi/pulumi";

import type {
  VpcEndpointRestrictionInputs,
  VpcEndpointRestrictionOutputs,
} from "../../provider/resources/vpc-endpoint-restriction";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a project's restriction to a VPC endpoint. */
export interface VpcEndpointRestrictionArgs {
  /** The project to restrict. A change replaces the restriction. */
  readonly projectId: pulumi.Input<string>;
  /** The VPC endpoint, assigned to the project's organization before. A change replaces the restriction. */
  readonly vpcEndpointId: pulumi.Input<string>;
  /** What people call it. Changed in place. */
  readonly label: pulumi.Input<string>;
  /**
   * Takes over the restriction instead of making one: with its id, or with `true` if the project is restricted to this
   * VPC endpoint already. What is declared is then applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = { projectId: true, vpcEndpointId: true, label: true } as const;
const self: ResourceClass = { kind: "VpcEndpointRestriction", outputs: Object.keys(outputs), secrets: [] };

/**
 * A VPC endpoint from which a project accepts connections; with at least one, it accepts none from other VPCs.
 *
 * @example
 * ```ts
 * const office = new neon.VpcEndpointAssignment("office", {
 *   regionId: "aws-eu-central-1",
 *   vpcEndpointId: "vpce-1234567890abcdef0",
 *   label: "office",
 * });
 * new neon.VpcEndpointRestriction("office-only", {
 *   projectId: project.id,
 *   vpcEndpointId: office.vpcEndpointId,
 *   label: "office only",
 * });
 * ```
 */
export class VpcEndpointRestriction extends Resource {
  /** The project that is restricted. */
  declare readonly projectId: pulumi.Output<string>;
  /** The VPC endpoint it accepts connections from. */
  declare readonly vpcEndpointId: pulumi.Output<string>;
  /** What people call it. */
  declare readonly label: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: VpcEndpointRestrictionArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
  }

  /** A restriction that exists, without managing it. Its id is that of the project and that of the VPC endpoint, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VpcEndpointRestriction {
    const segment = segmentsOf(id, "<project>/<VPC endpoint>");
    // Its label is told by the platform.
    const args: Partial<VpcEndpointRestrictionArgs> = { projectId: segment(0), vpcEndpointId: segment(1) };
    return new VpcEndpointRestriction(name, args as VpcEndpointRestrictionArgs, { ...opts, id });
  }

  /** Whether this is such a restriction, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is VpcEndpointRestriction {
    return Resource.isOfType(value, typeToken("VpcEndpointRestriction"));
  }
}

true satisfies SameInputs<VpcEndpointRestrictionArgs, VpcEndpointRestrictionInputs>;
true satisfies SameNames<keyof typeof outputs, VpcEndpointRestrictionOutputs>;
