import { notFound, unprocessable } from "../http-error";
import type { ControlPlane } from "./control-plane";
import { platformOf, regions } from "./region";
import type { OrganizationRow, ProjectRow, VpcEndpointRow, VpcRestrictionRow } from "./rows";

/** Where a VPC endpoint is in an organization. */
interface VpcAddress {
  readonly regionId: string;
  readonly vpcEndpointId: string;
}

const mostExamples = 3;

/** Assigns a VPC endpoint to an organization, or gives it another label. */
export function assignVpcEndpoint(
  plane: ControlPlane,
  organization: OrganizationRow,
  { regionId, vpcEndpointId }: VpcAddress,
  label: string,
): void {
  const { tables, stamps, clock, operationTime } = plane;
  requireVpcRegion(regionId);
  const where = { org_id: organization.id, region_id: regionId, vpc_endpoint_id: vpcEndpointId };
  const present = tables.vpcEndpoints.get(where);
  if (present && present.deleted_at !== null) {
    throw unprocessable(`VPC endpoint ${vpcEndpointId} was deleted from the organization and cannot be added back`);
  }
  tables.vpcEndpoints.put({
    created_at: stamps.next(),
    accepted_at: clock.now() + operationTime("accept_vpc_endpoint"),
    deleted_at: null,
    ...present,
    ...where,
    label,
  });
}

/** Deletes a VPC endpoint from its organization, for good. */
export function deleteVpcEndpoint(plane: ControlPlane, organization: OrganizationRow, address: VpcAddress): void {
  const present = vpcEndpointOf(plane, organization, address);
  const restricted = restrictedProjects(plane, organization, present);
  if (restricted.length > 0 && sameIdCount(plane, organization, present) === 1) {
    throw unprocessable(`projects are restricted to VPC endpoint ${present.vpc_endpoint_id}: ${restricted.join(", ")}`);
  }
  plane.tables.vpcEndpoints.put({ ...present, deleted_at: plane.stamps.next() });
}

/** The VPC endpoints of an organization, in one region or in all. */
export function vpcEndpointsOf(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  regionId?: string,
): VpcEndpointRow[] {
  if (regionId !== undefined) requireVpcRegion(regionId);
  const where = { org_id: organization.id, deleted_at: null, ...(regionId !== undefined && { region_id: regionId }) };
  return tables.vpcEndpoints.list(where, "ORDER BY created_at");
}

export function vpcEndpointOf(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  { regionId, vpcEndpointId }: VpcAddress,
): VpcEndpointRow {
  const where = { org_id: organization.id, region_id: regionId, vpc_endpoint_id: vpcEndpointId, deleted_at: null };
  const found = tables.vpcEndpoints.get(where);
  if (!found) throw notFound("VPC endpoint");
  return found;
}

/** A VPC endpoint in the list of one region. */
export function vpcEndpointEntry({ vpc_endpoint_id, label }: VpcEndpointRow | VpcRestrictionRow): object {
  return { vpc_endpoint_id, label };
}

/** A VPC endpoint with what is known of it. */
export function vpcEndpointDetails(plane: ControlPlane, organization: OrganizationRow, row: VpcEndpointRow): object {
  const restricted = restrictedProjects(plane, organization, row);
  return {
    ...vpcEndpointEntry(row),
    state: row.accepted_at <= plane.clock.now() ? "accepted" : "new",
    num_restricted_projects: restricted.length,
    example_restricted_projects: restricted.slice(0, mostExamples),
  };
}

/** Lets a project be reached through a VPC endpoint of its organization only, or gives the restriction another label. */
export function restrictProject(plane: ControlPlane, project: ProjectRow, vpcEndpointId: string, label: string): void {
  const { tables } = plane;
  const isAssigned =
    project.org_id !== undefined &&
    tables.vpcEndpoints.get({ org_id: project.org_id, vpc_endpoint_id: vpcEndpointId, deleted_at: null });
  if (!isAssigned) {
    throw unprocessable(`VPC endpoint ${vpcEndpointId} is not assigned to the organization of the project`);
  }
  tables.vpcRestrictions.put({ project_id: project.id, vpc_endpoint_id: vpcEndpointId, label });
}

export function liftRestriction({ tables }: ControlPlane, project: ProjectRow, vpcEndpointId: string): void {
  const where = { project_id: project.id, vpc_endpoint_id: vpcEndpointId };
  if (!tables.vpcRestrictions.get(where)) throw notFound("VPC endpoint restriction");
  tables.vpcRestrictions.remove(where);
}

export function restrictionsOf({ tables }: ControlPlane, project: ProjectRow): VpcRestrictionRow[] {
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

/** In how many regions an organization has a VPC endpoint of this id. */
function sameIdCount(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  { vpc_endpoint_id }: VpcEndpointRow,
): number {
  return tables.vpcEndpoints.count({ org_id: organization.id, vpc_endpoint_id, deleted_at: null });
}

/** There are no VPC endpoints in Azure's regions. */
function requireVpcRegion(regionId: string): void {
  const isKnown = regions.some(({ region_id: id }) => id === regionId);
  if (!isKnown) throw notFound("region");
  if (platformOf(regionId) !== "aws") throw unprocessable(`region ${regionId} has no VPC endpoints`);
}
