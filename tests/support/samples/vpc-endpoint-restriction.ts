import { inProject, noText } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import type { Stage } from "../stage";
import { posting } from "./object";

/** Assigns a VPC endpoint to the organization of this stage. */
export async function assignedVpcEndpoint(stage: Stage): Promise<string> {
  const vpcEndpointId = stage.name("vpce");
  const path = `/organizations/${await stage.platform.firstOrganization()}/vpc/region/aws-us-east-2/vpc_endpoints/${vpcEndpointId}`;
  await stage.platform.call("POST", path, { label: "office" });
  return vpcEndpointId;
}

/** The restriction of a project to one VPC endpoint. */
export const vpcEndpointRestriction: KindSample = {
  kind: "VpcEndpointRestriction",
  creates: ({ projectId, vpcEndpointId }) => [
    posting(`/projects/${String(projectId)}/vpc_endpoints/${String(vpcEndpointId)}`, { label: "head office only" }),
  ],
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
    return { createsFirst: { projectId: id, vpcEndpointId: await assignedVpcEndpoint(stage) } };
  },
  list: { member: "endpoints", id: "vpc_endpoint_id" },
  replaced: {
    vpcEndpointId: undefined,
  },
  readAt: { path: /\/projects\/[^/]+\/vpc_endpoints$/, isList: true },
  needs: [{ vpcEndpointId: "vpce-1234567890abcdef0", label: "x" }, "`VpcEndpointAssignment`"],
  overwritable: ({ projectId, vpcEndpointId }) => ({
    input: "label",
    us: "us",
    them: "them",
    set: ["POST", `/projects/${String(projectId)}/vpc_endpoints/${String(vpcEndpointId)}`],
    at: `/projects/${String(projectId)}/vpc_endpoints`,
    read: ({ endpoints }) => endpoints[0]?.["label"],
  }),
  invalid: [
    { ...inProject, vpcEndpointId: "vpce-1", label: "office" },
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ label: 5 }, "label", noText],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/vpc_endpoints/:vpcEndpointId",
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => ({ ...declared, vpcEndpointId: await assignedVpcEndpoint(stage) }),
  },
};
