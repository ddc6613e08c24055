import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import {
  vpcEndpoint,
  type VpcEndpoint,
  vpcEndpointAssignment,
  vpcEndpointRestrictions,
} from "../../api/schemas/vpc-endpoint";
import { type Collection, wholeList } from "../call/collection";

import { adopt, cloudIdInput, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import type { OutputsOf } from "../kind/outputs";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    vpcEndpointId: cloudIdInput.meta({ note: "The VPC endpoint must be assigned to the project's organization." }),
    label: vpcEndpointAssignment.shape.label,
    adopt,
  }),
);
export type VpcEndpointRestrictionInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => z.object({ ...ofProject, ...camelShape(vpcEndpoint.shape) });
export type VpcEndpointRestrictionOutputs = OutputsOf<typeof outputs>;

/** The restriction of a project to connections through a VPC endpoint. */
export const vpcEndpointRestriction = listedKind<
  VpcEndpoint,
  VpcEndpointRestrictionInputs,
  VpcEndpointRestrictionOutputs
>({
  name: "VpcEndpointRestriction",
  noun: "VPC endpoint restriction",
  inputs,
  outputs,
  identifiedBy: ["projectId", "vpcEndpointId"],
  setting: {
    input: "label",
    request: ({ projectId, vpcEndpointId, label }) => vpcEndpointRestrictions.set(projectId, vpcEndpointId, label),
    silent: true,
    explain: (error, { projectId, vpcEndpointId }) => {
      if (!hasStatus(error, 400, 404, 409, 412, 422)) return error;
      // The usual reason is a VPC endpoint that is not assigned to the project's organization.
      return explained(
        `The project ${projectId} was not restricted to the VPC endpoint ${vpcEndpointId}`,
        error,
        "A VPC endpoint has to be assigned to the project's organization first. Declare a `VpcEndpointAssignment`, and use its output `vpcEndpointId` here, so that Pulumi creates it first.",
      );
    },
  },

  collection: ({ projectId = "" }) => restrictionsOf(projectId),
  outputsOf: ({ vpc_endpoint_id: vpcEndpointId, label }, { projectId = "" }) => ({ projectId, vpcEndpointId, label }),

  deletion: ({ projectId, vpcEndpointId }) => ({
    what: "delete the restriction",
    object: `restriction to ${vpcEndpointId}`,
    request: vpcEndpointRestrictions.delete(projectId, vpcEndpointId),
    silent: true,
  }),
});

function restrictionsOf(projectId: string): Collection<VpcEndpoint> {
  return wholeList({
    list: vpcEndpointRestrictions.list(projectId),
    items: (answer) => answer.endpoints,
    keyOf: (one) => one.vpc_endpoint_id,
    parent: projects.get(projectId),
  });
}
