import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse } from "./wire";

/** A VPC endpoint in a list. */
export const vpcEndpoint = z.looseObject({
  vpc_endpoint_id: z
    .string()
    .describe("Id that the cloud provider gave the VPC endpoint, such as `vpce-1234567890abcdef0`."),
  label: z.string().describe("Display name."),
});
export type VpcEndpoint = z.infer<typeof vpcEndpoint>;

/** A VPC endpoint that is assigned to an organization. */
const vpcEndpointDetails = z.looseObject({
  ...vpcEndpoint.shape,
  /** `new` until the platform accepts the connection, then `accepted`. */
  state: z.string(),
  num_restricted_projects: z.number().optional(),
  example_restricted_projects: z.array(z.string()).optional(),
});
export type VpcEndpointDetails = z.infer<typeof vpcEndpointDetails>;

/** The body that assigns a VPC endpoint or changes its label. */
export const vpcEndpointAssignment = z.object({ label: z.string() });

const vpcEndpointList = z.looseObject({ endpoints: z.array(vpcEndpoint) });
const vpcEndpointWithRegion = z.looseObject({ ...vpcEndpoint.shape, region_id: z.string() });
const vpcEndpointsOfAllRegions = z.looseObject({ endpoints: z.array(vpcEndpointWithRegion) });

const assignmentPath = (orgId: string, regionId: string, vpcEndpointId: string): string =>
  path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${vpcEndpointId}`;

/** Requests for the VPC endpoints that are assigned to an organization. */
export const vpcEndpointAssignments = {
  listAll: (orgId: string) => request("GET", path`/organizations/${orgId}/vpc/vpc_endpoints`, vpcEndpointsOfAllRegions),
  list: (orgId: string, regionId: string) =>
    request("GET", path`/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints`, vpcEndpointList),
  get: (orgId: string, regionId: string, vpcEndpointId: string) =>
    request("GET", assignmentPath(orgId, regionId, vpcEndpointId), vpcEndpointDetails),
  /** Assigns a VPC endpoint, or changes its label. */
  set: (orgId: string, regionId: string, vpcEndpointId: string, label: string) =>
    request("POST", assignmentPath(orgId, regionId, vpcEndpointId), emptyResponse, { body: { label } }),
  delete: (orgId: string, regionId: string, vpcEndpointId: string) =>
    request("DELETE", assignmentPath(orgId, regionId, vpcEndpointId), emptyResponse),
};

/** Requests for the VPC endpoints that a project's connections are restricted to. */
export const vpcEndpointRestrictions = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/vpc_endpoints`, vpcEndpointList),
  /** Restricts the project to a VPC endpoint, or changes the label of the restriction. */
  set: (projectId: string, vpcEndpointId: string, label: string) =>
    request("POST", path`/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`, emptyResponse, { body: { label } }),
  delete: (projectId: string, vpcEndpointId: string) =>
    request("DELETE", path`/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`, emptyResponse),
};
