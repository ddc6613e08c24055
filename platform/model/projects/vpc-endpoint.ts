import { notFound, unprocessable } from "../../http-error";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import type { OrganizationRow } from "../accounts/organization-row";
import type { ProjectRow } from "./project-row";
import { type VpcEndpointRow, vpcEndpointTable, type VpcRestrictionRow, vpcRestrictionTable } from "./vpc-endpoint-row";
import { cloudProviderOf, regions } from "./region";

/** Identifies a VPC endpoint of an organization. */
type VpcAddress = Pick<VpcEndpointRow, "region_id" | "vpc_endpoint_id">;

const maxExamples = 3;

/** Assigns a VPC endpoint to an organization, or changes its label. */
export function assignVpcEndpoint(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  address: VpcAddress,
  label: string,
): void {
  const { tables, timestamps, clock, operationTimes } = controlPlane;
  requireVpcRegion(address.region_id);
  const where = { org_id: organization.id, ...address };
  const existing = tables.vpcEndpoints.get(where);
  if (existing && existing.deleted_at !== null) {
    const { vpc_endpoint_id: id } = address;
    throw unprocessable(`VPC endpoint ${id} was deleted from the organization and cannot be added back`);
  }
  tables.vpcEndpoints.put({
    created_at: timestamps.next(),
    accepted_at: clock.now() + operationTimes.of("accept_vpc_endpoint"),
    deleted_at: null,
    ...existing,
    ...where,
    label,
  });
}

/** Deletes a VPC endpoint from its organization. It can never be assigned again. */
export function deleteVpcEndpoint(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  address: VpcAddress,
): void {
  const { vpcEndpoints } = controlPlane.tables;
  const { vpc_endpoint_id } = address;
  const existing = getVpcEndpoint(controlPlane, organization, address);
  const restricted = restrictedProjects(controlPlane, organization, existing);
  const regionCount = vpcEndpoints.count({ org_id: organization.id, vpc_endpoint_id, deleted_at: null });
  if (restricted.length > 0 && regionCount === 1) {
    throw unprocessable(`projects are restricted to VPC endpoint ${vpc_endpoint_id}: ${restricted.join(", ")}`);
  }
  vpcEndpoints.put({ ...existing, deleted_at: controlPlane.timestamps.next() });
}

/** The VPC endpoints of an organization, in one region or in all regions. */
export function listVpcEndpoints(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  regionId?: string,
): VpcEndpointRow[] {
  if (regionId !== undefined) requireVpcRegion(regionId);
  const where = { org_id: organization.id, deleted_at: null, ...(regionId !== undefined && { region_id: regionId }) };
  return tables.vpcEndpoints.list(where, "ORDER BY created_at");
}

export function getVpcEndpoint(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  address: VpcAddress,
): VpcEndpointRow {
  return tables.vpcEndpoints.getOr404("VPC endpoint", { org_id: organization.id, ...address, deleted_at: null });
}

/** A VPC endpoint in a list. */
export function vpcEndpointListItem(row: VpcEndpointRow): object {
  return publicMembers(vpcEndpointTable, row);
}

/** The VPC endpoint of a restriction in a list. */
export function vpcRestrictionListItem(row: VpcRestrictionRow): object {
  return publicMembers(vpcRestrictionTable, row);
}

/** A VPC endpoint as the API returns a single one: with its state and the projects that are restricted to it. */
export function vpcEndpointResponse(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  row: VpcEndpointRow,
): object {
  const restricted = restrictedProjects(controlPlane, organization, row);
  return {
    ...vpcEndpointListItem(row),
    state: row.accepted_at <= controlPlane.clock.now() ? "accepted" : "new",
    num_restricted_projects: restricted.length,
    example_restricted_projects: restricted.slice(0, maxExamples),
  };
}

/** Restricts connections to a project to a VPC endpoint of its organization, or changes the label of the restriction. */
export function setVpcRestriction(
  controlPlane: ControlPlane,
  project: ProjectRow,
  vpcEndpointId: string,
  label: string,
): void {
  const { tables } = controlPlane;
  const isAssigned =
    project.org_id !== undefined &&
    tables.vpcEndpoints.get({ org_id: project.org_id, vpc_endpoint_id: vpcEndpointId, deleted_at: null });
  if (!isAssigned) {
    throw unprocessable(`VPC endpoint ${vpcEndpointId} is not assigned to the organization of the project`);
  }
  tables.vpcRestrictions.put({ project_id: project.id, vpc_endpoint_id: vpcEndpointId, label });
}

export function removeVpcRestriction({ tables }: ControlPlane, project: ProjectRow, vpcEndpointId: string): void {
  const where = { project_id: project.id, vpc_endpoint_id: vpcEndpointId };
  tables.vpcRestrictions.remove(tables.vpcRestrictions.getOr404("VPC endpoint restriction", where));
}

export function listVpcRestrictions({ tables }: ControlPlane, project: ProjectRow): VpcRestrictionRow[] {
  return tables.vpcRestrictions.list({ project_id: project.id }, "ORDER BY vpc_endpoint_id");
}

/** The projects of an organization that are restricted to a VPC endpoint. */
function restrictedProjects(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  { vpc_endpoint_id }: VpcEndpointRow,
): string[] {
  return tables.vpcRestrictions
    .list({ vpc_endpoint_id }, "ORDER BY project_id")
    .map(({ project_id: id }) => id)
    .filter((id) => tables.projects.get({ id, org_id: organization.id, deleted_at: null }) !== undefined);
}

/** Regions on Azure have no VPC endpoints. */
function requireVpcRegion(regionId: string): void {
  const isKnown = regions.some(({ region_id: id }) => id === regionId);
  if (!isKnown) throw notFound("region");
  if (cloudProviderOf(regionId) !== "aws") throw unprocessable(`region ${regionId} has no VPC endpoints`);
}
