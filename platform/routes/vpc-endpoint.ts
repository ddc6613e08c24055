import { organizationAdmin, organizationMember, projectMember } from "../http/authorization";
import { emptyBody } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  assignVpcEndpoint,
  deleteVpcEndpoint,
  getVpcEndpoint,
  listVpcEndpoints,
  listVpcRestrictions,
  removeVpcRestriction,
  setVpcRestriction,
  vpcEndpointListItem,
  vpcEndpointResponse,
  vpcRestrictionListItem,
} from "../model/projects/vpc-endpoint";
import * as published from "../published/requests";

const addressOf = (parameter: (name: string) => string): { region_id: string; vpc_endpoint_id: string } => ({
  region_id: parameter("region_id"),
  vpc_endpoint_id: parameter("vpc_endpoint_id"),
});

export const vpcEndpointPaths: ApiPaths = {
  "/organizations/:org_id/vpc/vpc_endpoints": {
    GET: allow(organizationMember, ({ controlPlane, organization }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization).map((row) => ({
        ...vpcEndpointListItem(row),
        region_id: row.region_id,
      })),
    })),
  },
  "/organizations/:org_id/vpc/region/:region_id/vpc_endpoints": {
    GET: allow(organizationMember, ({ controlPlane, organization, parameter }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization, parameter("region_id")).map(vpcEndpointListItem),
    })),
  },
  "/organizations/:org_id/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id": {
    GET: allow(organizationMember, ({ controlPlane, organization, parameter }) => {
      const vpcEndpoint = getVpcEndpoint(controlPlane, organization, addressOf(parameter));
      return vpcEndpointResponse(controlPlane, organization, vpcEndpoint);
    }),
    POST: allow(
      { ...organizationAdmin, ...published.assignOrganizationVPCEndpoint },
      ({ controlPlane, organization, parameter, body }) => {
        assignVpcEndpoint(controlPlane, organization, addressOf(parameter), body.label);
        return emptyBody;
      },
    ),
    DELETE: allow(organizationAdmin, ({ controlPlane, organization, parameter }) => {
      deleteVpcEndpoint(controlPlane, organization, addressOf(parameter));
      return emptyBody;
    }),
  },
  "/projects/:project_id/vpc_endpoints": {
    GET: allow(projectMember, ({ controlPlane, project }) => ({
      endpoints: listVpcRestrictions(controlPlane, project).map(vpcRestrictionListItem),
    })),
  },
  "/projects/:project_id/vpc_endpoints/:vpc_endpoint_id": {
    POST: allow(
      { ...projectMember, ...published.assignProjectVPCEndpoint },
      ({ controlPlane, project, parameter, body }) => {
        setVpcRestriction(controlPlane, project, parameter("vpc_endpoint_id"), body.label);
        return emptyBody;
      },
    ),
    DELETE: allow(projectMember, ({ controlPlane, project, parameter }) => {
      removeVpcRestriction(controlPlane, project, parameter("vpc_endpoint_id"));
      return emptyBody;
    }),
  },
};
