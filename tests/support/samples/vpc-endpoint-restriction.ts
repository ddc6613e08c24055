import type { VPCEndpointsResponse } from "@neondatabase/api-client";

import { vpcEndpointRestriction as definition } from "../../../provider/resources/vpc-endpoint-restriction";
import type { Sample } from "../sample";
import type { Stage } from "../stage";

/** Assigns a VPC endpoint to the organization of this stage. */
export async function assignedVpcEndpoint(stage: Stage): Promise<string> {
  const vpcEndpointId = stage.name("vpce");
  const path = `/organizations/${await stage.platform.firstOrganization()}/vpc/region/aws-us-east-2/vpc_endpoints/${vpcEndpointId}`;
  await stage.platform.call("POST", path, { label: "office" });
  return vpcEndpointId;
}

/** A project that only one VPC reaches. */
export const vpcEndpointRestriction: Sample = {
  kind: "VpcEndpointRestriction",
  definition,
  declare: async (stage) => {
    const { id } = await stage.project({ org_id: await stage.platform.firstOrganization() });
    return { projectId: id, vpcEndpointId: await assignedVpcEndpoint(stage), label: "office only" };
  },
  inPlace: () => [
    {
      input: "label",
      to: "head office only",
      sends: [
        { method: "POST", path: /^\/projects\/[^/]+\/vpc_endpoints\/vpce-\d+$/, body: { label: "head office only" } },
      ],
    },
  ],
  replaces: async (_, stage) => {
    const { id } = await stage.project({ org_id: await stage.platform.firstOrganization() });
    return [
      { input: "projectId", to: id, deletesFirst: false },
      { input: "vpcEndpointId", to: await assignedVpcEndpoint(stage), deletesFirst: false },
    ];
  },
  remove: async (stage, { projectId, vpcEndpointId }) => {
    await stage.platform.call("DELETE", `/projects/${String(projectId)}/vpc_endpoints/${String(vpcEndpointId)}`);
  },
  exists: async (stage, { projectId, vpcEndpointId }) => {
    const { body } = await stage.platform.call("GET", `/projects/${String(projectId)}/vpc_endpoints`);
    const { endpoints } = body as unknown as VPCEndpointsResponse;
    return endpoints.some(({ vpc_endpoint_id }) => vpc_endpoint_id === vpcEndpointId);
  },
  adopt: ({ vpcEndpointId }) => String(vpcEndpointId),
};
