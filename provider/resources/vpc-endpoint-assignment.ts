import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus, ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  vpcEndpoint,
  type VpcEndpoint,
  vpcEndpointAssignment as assignmentBody,
  vpcEndpointAssignments,
} from "../../api/schemas/vpc-endpoint";
import type { Context } from "../call/context";
import { adopt, cloudIdInput, ofOrganization } from "../kind/inputs";
import { only, type OutputsOf } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { readOrganization } from "./organization";
import { regionProblems } from "./region";

const inputs = lazy(() =>
  z.strictObject({
    ...ofOrganization,
    regionId: cloudIdInput
      .refine((id) => !id.startsWith("azure-"), "must be a region of AWS: those of Azure have no VPC endpoints")
      .describe("Region of the VPC endpoint, such as `aws-eu-central-1`."),
    vpcEndpointId: cloudIdInput,
    label: assignmentBody.shape.label,
    adopt,
  }),
);
export type VpcEndpointAssignmentInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    orgId: z.string().describe("Id of the organization."),
    ...only(inputs().shape, "regionId"),
    ...camelShape(vpcEndpoint.shape),
  });
export type VpcEndpointAssignmentOutputs = OutputsOf<typeof outputs>;

type Address = Pick<VpcEndpointAssignmentOutputs, "orgId" | "regionId" | "vpcEndpointId">;

/**
 * The assignment of a VPC endpoint to an organization. The organization can then restrict projects to that endpoint.
 */
export const vpcEndpointAssignment = singletonKind<
  VpcEndpoint,
  VpcEndpointAssignmentInputs,
  VpcEndpointAssignmentOutputs
>({
  name: "VpcEndpointAssignment",
  noun: "VPC endpoint assignment",
  inputs,
  outputs,
  identifiedBy: ["orgId", "regionId", "vpcEndpointId"],
  replacement: {
    loss: "The old VPC endpoint can never be assigned to its organization again, even if you revert this change.",
    isFinal: true,
  },
  setting: {
    input: "label",
    request: ({ orgId, regionId, vpcEndpointId, label }) =>
      vpcEndpointAssignments.set(orgId, regionId, vpcEndpointId, label),
    silent: true,
    explain: (error, { orgId, vpcEndpointId }) => {
      if (!hasStatus(error, 400, 409, 410, 412, 422)) return error;
      // The endpoint may have been deleted before, which the platform does not always say.
      return explained(
        `The VPC endpoint ${vpcEndpointId} was not assigned to organization ${orgId}`,
        error,
        "A VPC endpoint that was deleted from an organization can never be added to it again. If this one was deleted, create another VPC endpoint and declare that one.",
      );
    },
  },
  preview: { problems: regionProblems },

  find: readDetails,
  outputsOf: ({ label }, { orgId = "", regionId = "", vpcEndpointId = "" }) => ({
    orgId,
    regionId,
    vpcEndpointId,
    label,
  }),

  deletion: ({ orgId, regionId, vpcEndpointId }) => ({
    what: "delete assignment",
    object: `assignment of ${vpcEndpointId}`,
    request: vpcEndpointAssignments.delete(orgId, regionId, vpcEndpointId),
    silent: true,
  }),

  listing: {
    list: async ({ read }, { orgId }) =>
      (await read(vpcEndpointAssignments.listAll(orgId))).endpoints.map(({ region_id, vpc_endpoint_id }) => ({
        address: { regionId: region_id, vpcEndpointId: vpc_endpoint_id },
      })),
  },
});

/**
 * An assigned VPC endpoint, or `undefined` if it is not assigned. If the single request does not find it, the list of
 * its region decides. Fails if this key cannot see the organization.
 */
async function readDetails(
  context: Context,
  { orgId = "", regionId = "", vpcEndpointId = "" }: Partial<Address>,
): Promise<VpcEndpoint | undefined> {
  const found = await ignoreNotFound(context.read(vpcEndpointAssignments.get(orgId, regionId, vpcEndpointId)));
  if (found !== undefined) return found;
  const { endpoints } = await readOrganization(context, orgId, vpcEndpointAssignments.list(orgId, regionId));
  return endpoints.find(({ vpc_endpoint_id: id }) => id === vpcEndpointId);
}
