// Generated from provider/resources/vpc-endpoint-restriction.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { vpcEndpointRestriction } from "../../provider/resources/vpc-endpoint-restriction";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link VpcEndpointRestriction}. */
export interface VpcEndpointRestrictionArgs {
  /** Id of the project. Changing it replaces the VPC endpoint restriction. */
  readonly projectId: pulumi.Input<string>;
  /**
   * Id that the cloud provider gave the VPC endpoint, such as `vpce-1234567890abcdef0`. The VPC endpoint must be
   * assigned to the project's organization. Changing it replaces the VPC endpoint restriction.
   */
  readonly vpcEndpointId: pulumi.Input<string>;
  /** Display name. Updated in place. */
  readonly label: pulumi.Input<string>;
  /**
   * Adopts an existing VPC endpoint restriction instead of creating one, and applies the declared arguments to it. An
   * id adopts that VPC endpoint restriction and fails if it does not exist. `true` adopts the VPC endpoint restriction
   * with this `vpcEndpointId`, or creates one if there is none. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const vpcEndpointRestrictionDefinition: ResourceDefinition = {
  kind: "VpcEndpointRestriction",
  id: ["projectId", "vpcEndpointId"],
  outputs: { projectId: "plain", vpcEndpointId: "plain", label: "plain" },
};

/**
 * Restricts a project to connections from a VPC endpoint. A project with at least one restriction accepts no
 * connections from other VPCs.
 *
 * Neon API: `POST` and `DELETE /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}`.
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
 *
 * @example
 * ```ts
 * // No connections from public addresses: only from the VPC endpoint.
 * const internal = new neon.Project("internal", { settings: { blockPublicConnections: true } });
 * new neon.VpcEndpointRestriction("internal-only", {
 *   projectId: internal.id,
 *   vpcEndpointId: "vpce-1234567890abcdef0",
 *   label: "internal only",
 * });
 * ```
 */
export class VpcEndpointRestriction extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id that the cloud provider gave the VPC endpoint, such as `vpce-1234567890abcdef0`. */
  declare readonly vpcEndpointId: pulumi.Output<string>;
  /** Display name. */
  declare readonly label: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: VpcEndpointRestrictionArgs, opts?: pulumi.CustomResourceOptions) {
    super(vpcEndpointRestrictionDefinition, name, args, opts);
  }

  /**
   * Reads an existing VPC endpoint restriction without managing it. The id has the form `<projectId>/<vpcEndpointId>`.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): VpcEndpointRestriction {
    return Resource.existing(VpcEndpointRestriction, vpcEndpointRestrictionDefinition, name, id, opts);
  }

  /** Returns whether a value is a `VpcEndpointRestriction`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is VpcEndpointRestriction {
    return Resource.isOfKind(value, "VpcEndpointRestriction");
  }
}

true satisfies SameInputs<VpcEndpointRestrictionArgs, (typeof vpcEndpointRestriction)["inputs"]>;
