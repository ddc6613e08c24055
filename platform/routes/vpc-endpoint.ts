import { vpcEndpointAssignment } from "../../api/schemas/vpc-endpoint";
import { administers, inOrganization, inProject } from "../http/authorization";
import { emptyBody, route } from "../http/route";
import {
  assignVpcEndpoint,
  deleteVpcEndpoint,
  liftRestriction,
  restrictionsOf,
  restrictProject,
  vpcEndpointDetails,
  vpcEndpointEntry,
  vpcEndpointOf,
  vpcEndpointsOf,
} from "../model/vpc-endpoint";

const organizationVpc = "/organizations/:org_id/vpc";
const inRegion = `${organizationVpc}/region/:region_id/vpc_endpoints`;
const ofProject = "/projects/:project_id/vpc_endpoints";

type Parameter = (name: string) => string;
const addressIn = (parameter: Parameter): { regionId: string; vpcEndpointId: string } => ({
  regionId: parameter("region_id"),
  vpcEndpointId: parameter("vpc_endpoint_id"),
});

export const vpcEndpointRoutes = [
  route({
    method: "GET",
    path: `${organizationVpc}/vpc_endpoints`,
    scope: inOrganization,
    handle: ({ plane, organization }) => ({
      endpoints: vpcEndpointsOf(plane, organization()).map((row) => ({
        ...vpcEndpointEntry(row),
        region_id: row.region_id,
      })),
    }),
  }),
  route({
    method: "GET",
    path: inRegion,
    scope: inOrganization,
    handle: ({ plane, organization, parameter }) => ({
      endpoints: vpcEndpointsOf(plane, organization(), parameter("region_id")).map(vpcEndpointEntry),
    }),
  }),
  route({
    method: "GET",
    path: `${inRegion}/:vpc_endpoint_id`,
    scope: inOrganization,
    handle: ({ plane, organization: find, parameter }) => {
      const organization = find();
      return vpcEndpointDetails(plane, organization, vpcEndpointOf(plane, organization, addressIn(parameter)));
    },
  }),
  route({
    method: "POST",
    path: `${inRegion}/:vpc_endpoint_id`,
    scope: administers,
    body: vpcEndpointAssignment,
    handle: ({ plane, organization, parameter, body }) => {
      assignVpcEndpoint(plane, organization(), addressIn(parameter), body.label);
      return emptyBody;
    },
  }),
  route({
    method: "DELETE",
    path: `${inRegion}/:vpc_endpoint_id`,
    scope: administers,
    handle: ({ plane, organization, parameter }) => {
      deleteVpcEndpoint(plane, organization(), addressIn(parameter));
      return emptyBody;
    },
  }),
  route({
    method: "GET",
    path: ofProject,
    scope: inProject,
    handle: ({ plane, project }) => ({ endpoints: restrictionsOf(plane, project()).map(vpcEndpointEntry) }),
  }),
  route({
    method: "POST",
    path: `${ofProject}/:vpc_endpoint_id`,
    scope: inProject,
    body: vpcEndpointAssignment,
    handle: ({ plane, project, parameter, body }) => {
      restrictProject(plane, project(), parameter("vpc_endpoint_id"), body.label);
      return emptyBody;
    },
  }),
  route({
    method: "DELETE",
    path: `${ofProject}/:vpc_endpoint_id`,
    scope: inProject,
    handle: ({ plane, project, parameter }) => {
      liftRestriction(plane, project(), parameter("vpc_endpoint_id"));
      return emptyBody;
    },
  }),
];
