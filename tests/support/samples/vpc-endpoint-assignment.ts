import type { Values } from "../provider-server";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { posting } from "./object";

const pathOf = ({ orgId, regionId, vpcEndpointId }: Values): string =>
  `/organizations/${String(orgId)}/vpc/region/${String(regionId)}/vpc_endpoints/${String(vpcEndpointId)}`;

/** A VPC endpoint of an organization. */
export const vpcEndpointAssignment: KindSample = {
  kind: "VpcEndpointAssignment",
  creates: ({ orgId, vpcEndpointId }) => [
    posting(`/organizations/${String(orgId)}/vpc/region/aws-eu-central-1/vpc_endpoints/${String(vpcEndpointId)}`, {
      label: "head office",
    }),
  ],
  declare: async (stage) => ({
    orgId: await stage.platform.firstOrganization(),
    regionId: "aws-eu-central-1",
    vpcEndpointId: stage.name("vpce"),
    label: "office",
  }),
  inPlace: () => [
    {
      input: "label",
      to: "head office",
      sends: [
        {
          method: "POST",
          path: /\/vpc\/region\/aws-eu-central-1\/vpc_endpoints\/vpce-\d+$/,
          body: { label: "head office" },
        },
      ],
    },
  ],
  replaces: (_, stage) => ({
    createsFirst: { orgId: "org-other-000001", regionId: "aws-us-east-2", vpcEndpointId: stage.name("vpce") },
  }),
  replacement: {
    declare: (declared, stage) => ({ ...declared, vpcEndpointId: stage.name("vpce") }),
    reason:
      /was not assigned to organization org-\S+ \(POST .*\)\. A VPC endpoint that was deleted from an organization can never be added to it again\. .* create another VPC endpoint and declare that one/,
  },
  adopt: () => true,
  replaced: {
    vpcEndpointId: /can never be assigned to its organization again/,
  },
  overwritable: (outputs) => ({
    input: "label",
    us: "us",
    them: "them",
    set: ["POST", pathOf(outputs)],
    read: ({ label }) => label,
  }),
  readAt: { path: /\/region\/[^/]+\/vpc_endpoints\/[^/?]+$/ },
  invalid: [
    { orgId: "org-quiet-river-302709", regionId: "aws-us-east-2", vpcEndpointId: "vpce-1", label: "office" },
    [
      [{ regionId: undefined }, "regionId", "is required"],
      [{ vpcEndpointId: "" }, "vpcEndpointId", /at least 1/],
      [{ regionId: "azure-eastus2" }, "regionId", "must be a region of AWS: those of Azure have no VPC endpoints"],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/organizations/:orgId/vpc/region/:regionId/vpc_endpoints/:vpcEndpointId",
    twice: "the same",
    isNamed: false,
    once: true,
    another: (declared, stage) => ({ ...declared, vpcEndpointId: stage.name("vpce") }),
  },
};
