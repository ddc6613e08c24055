import { z } from "zod";

import { path, type Request } from "../request";

/** A VPC endpoint in a list. */
export const vpcEndpoint = z.looseObject({ vpc_endpoint_id: z.string(), label: z.string() });
export type VpcEndpoint = z.infer<typeof vpcEndpoint>;

/** A VPC endpoint that is assigned to an organization. */
export const vpcEndpointDetails = z.looseObject({
  ...vpcEndpoint.shape,
  /** `new` until the platform accepts the connection, then `accepted`. */
  state: z.string(),
  num_restricted_projects: z.number().optional(),
  example_restricted_projects: z.array(z.string()).optional(),
});
export type VpcEndpointDetails = z.infer<typeof vpcEndpointDetails>;

/** The body that assigns a VPC endpoint or changes its label. */
export const vpcEndpointAssignment = z.object({ label: z.string().min(1) });

const vpcEndpointList = z.looseObject({ endpoints: z.array(vpcEndpoint) });
const vpcEndpointWithRegion = z.looseObject({ ...vpcEndpoint.shape, region_id: z.string() });
const vpcEndpointsOfAllRegions = z.looseObject({ endpoints: z.array(vpcEndpointWithRegion) });
/** These requests return an empty body. */
const emptyResponse = z.unknown().transform((): object => ({}));

/** Requests for the VPC endpoints that are assigned to an organization. */
export const vpcEndpointAssignments = {
  listAll: (orgId: string): Request<z.infer<typeof vpcEndpointsOfAllRegions>> => ({
    method: "GET",
    path: path`/organizations/${orgId}/vpc/vpc_endpoints`,
    schema: vpcEndpointsOfAllRegions,
  }),
  list: (orgId: string, regionId: string): Request<z.infer<typeof vpcEndpointList>> => ({
    method: "GET",
    path: path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints`,
    schema: vpcEndpointList,
  }),
  get: (orgId: string, regionId: string, vpcEndpointId: string): Request<VpcEndpointDetails> => ({
    method: "GET",
    path: path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`,
    schema: vpcEndpointDetails,
  }),
  /** Assigns a VPC endpoint, or changes its label. */
  set: (orgId: string, regionId: string, vpcEndpointId: string, label: string): Request<object> => ({
    method: "POST",
    path: path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`,
    body: { label },
    schema: emptyResponse,
  }),
  delete: (orgId: string, regionId: string, vpcEndpointId: string): Request<object> => ({
    method: "DELETE",
    path: path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`,
    schema: emptyResponse,
  }),
};

/** Requests for the VPC endpoints that a project's connections are restricted to. */
export const vpcEndpointRestrictions = {
  list: (projectId: string): Request<z.infer<typeof vpcEndpointList>> => ({
    method: "GET",
    path: path`/projects/${projectId}/vpc_endpoints`,
    schema: vpcEndpointList,
  }),
  /** Restricts the project to a VPC endpoint, or changes the label of the restriction. */
  set: (projectId: string, vpcEndpointId: string, label: string): Request<object> => ({
    method: "POST",
    path: path`/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`,
    body: { label },
    schema: emptyResponse,
  }),
  delete: (projectId: string, vpcEndpointId: string): Request<object> => ({
    method: "DELETE",
    path: path`/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`,
    schema: emptyResponse,
  }),
};
