import { vpcEndpointAssignment } from "../../api/schemas/vpc-endpoint";
import { organizationAdmin, organizationMember, projectMember } from "../http/authorization";
import { emptyBody } from "../http/response";
import { route } from "../http/route";
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
} from "../model/projects/vpc-endpoint";

const organizationVpcPath = "/organizations/:org_id/vpc";
const regionPath = `${organizationVpcPath}/region/:region_id/vpc_endpoints`;
const projectPath = "/projects/:project_id/vpc_endpoints";

const addressOf = (parameter: (name: string) => string): { regionId: string; vpcEndpointId: string } => ({
  regionId: parameter("region_id"),
  vpcEndpointId: parameter("vpc_endpoint_id"),
});

export const vpcEndpointRoutes = [
  route({
    method: "GET",
    path: `${organizationVpcPath}/vpc_endpoints`,
    authorization: organizationMember,
    handle: ({ controlPlane, organization }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization).map((row) => ({
        ...vpcEndpointListItem(row),
        region_id: row.region_id,
      })),
    }),
  }),
  route({
    method: "GET",
    path: regionPath,
    authorization: organizationMember,
    handle: ({ controlPlane, organization, parameter }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization, parameter("region_id")).map(vpcEndpointListItem),
    }),
  }),
  route({
    method: "GET",
    path: `${regionPath}/:vpc_endpoint_id`,
    authorization: organizationMember,
    handle: ({ controlPlane, organization, parameter }) => {
      const vpcEndpoint = getVpcEndpoint(controlPlane, organization, addressOf(parameter));
      return vpcEndpointResponse(controlPlane, organization, vpcEndpoint);
    },
  }),
  route({
    method: "POST",
    path: `${regionPath}/:vpc_endpoint_id`,
    authorization: organizationAdmin,
    body: vpcEndpointAssignment,
    handle: ({ controlPlane, organization, parameter, body }) => {
      assignVpcEndpoint(controlPlane, organization, addressOf(parameter), body.label);
      return emptyBody;
    },
  }),
  route({
    method: "DELETE",
    path: `${regionPath}/:vpc_endpoint_id`,
    authorization: organizationAdmin,
    handle: ({ controlPlane, organization, parameter }) => {
      deleteVpcEndpoint(controlPlane, organization, addressOf(parameter));
      return emptyBody;
    },
  }),
  route({
    method: "GET",
    path: projectPath,
    authorization: projectMember,
    handle: ({ controlPlane, project }) => ({
      endpoints: listVpcRestrictions(controlPlane, project).map(vpcEndpointListItem),
    }),
  }),
  route({
    method: "POST",
    path: `${projectPath}/:vpc_endpoint_id`,
    authorization: projectMember,
    body: vpcEndpointAssignment,
    handle: ({ controlPlane, project, parameter, body }) => {
      setVpcRestriction(controlPlane, project, parameter("vpc_endpoint_id"), body.label);
      return emptyBody;
    },
  }),
  route({
    method: "DELETE",
    path: `${projectPath}/:vpc_endpoint_id`,
    authorization: projectMember,
    handle: ({ controlPlane, project, parameter }) => {
      removeVpcRestriction(controlPlane, project, parameter("vpc_endpoint_id"));
      return emptyBody;
    },
  }),
];
