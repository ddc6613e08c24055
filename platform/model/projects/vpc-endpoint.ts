import { notFound, unprocessable } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { pick } from "../../storage/timestamps";
import type { OrganizationRow } from "../accounts/organization-row";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { organizationAdmin, organizationMember, projectMember } from "../routing/authorization";
import { allow, type ApiPaths, emptyBody } from "../routing/route";
import type { ProjectRow } from "./project-row";
import { cloudProviderOf, regions } from "./region";

/** A VPC endpoint that is assigned to an organization, or was assigned until it was deleted. */
export interface VpcEndpointRow {
  org_id: string;
  region_id: string;
  vpc_endpoint_id: string;
  label: string;
  created_at: string;
  /** The time at which the state changes from `new` to `accepted`. */
  accepted_at: number;
  /** A deleted VPC endpoint can never be assigned again. */
  deleted_at: string | null;
}

/** Restricts connections to a project to a VPC endpoint. */
export interface VpcRestrictionRow {
  project_id: string;
  vpc_endpoint_id: string;
  label: string;
}

export const vpcEndpointTable: RowTable<VpcEndpointRow> = {
  name: "vpc_endpoints",
  within: "platform",
  columns: ["deleted_at"],
  primaryKey: ["org_id", "region_id", "vpc_endpoint_id"],
  indexes: ["org_id, created_at"],
  latest: "created_at",
};

export const vpcRestrictionTable: RowTable<VpcRestrictionRow> = {
  name: "vpc_restrictions",
  within: "project",
  primaryKey: ["project_id", "vpc_endpoint_id"],
  indexes: ["vpc_endpoint_id"],
};

/** Identifies a VPC endpoint of an organization. */
type VpcAddress = Pick<VpcEndpointRow, "region_id" | "vpc_endpoint_id">;

const addressOf = (parameter: (name: string) => string): VpcAddress => ({
  region_id: parameter("region_id"),
  vpc_endpoint_id: parameter("vpc_endpoint_id"),
});

export const vpcEndpointPaths: ApiPaths = {
  "/organizations/:org_id/vpc/vpc_endpoints": {
    GET: allow(organizationMember, ({ controlPlane, organization }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization).map((row) => ({
        ...pick(row, ["vpc_endpoint_id", "label"]),
        region_id: row.region_id,
      })),
    })),
  },
  "/organizations/:org_id/vpc/region/:region_id/vpc_endpoints": {
    GET: allow(organizationMember, ({ controlPlane, organization, parameter }) => ({
      endpoints: listVpcEndpoints(controlPlane, organization, parameter("region_id")).map((row) =>
        pick(row, ["vpc_endpoint_id", "label"]),
      ),
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
    GET: allow(projectMember, ({ controlPlane: { tables }, project }) => ({
      endpoints: tables.vpcRestrictions
        .list({ project_id: project.id }, "ORDER BY vpc_endpoint_id")
        .map((row) => pick(row, ["vpc_endpoint_id", "label"])),
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
    DELETE: allow(projectMember, ({ controlPlane: { tables }, project, parameter }) => {
      const where = { project_id: project.id, vpc_endpoint_id: parameter("vpc_endpoint_id") };
      tables.vpcRestrictions.remove(tables.vpcRestrictions.getOr404("VPC endpoint restriction", where));
      return emptyBody;
    }),
  },
};

const maxExamples = 3;

/** Assigns a VPC endpoint to an organization, or changes its label. */
function assignVpcEndpoint(
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
function deleteVpcEndpoint(controlPlane: ControlPlane, organization: OrganizationRow, address: VpcAddress): void {
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
function listVpcEndpoints(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  regionId?: string,
): VpcEndpointRow[] {
  if (regionId !== undefined) requireVpcRegion(regionId);
  const where = { org_id: organization.id, deleted_at: null, ...(regionId !== undefined && { region_id: regionId }) };
  return tables.vpcEndpoints.list(where, "ORDER BY created_at");
}

function getVpcEndpoint({ tables }: ControlPlane, organization: OrganizationRow, address: VpcAddress): VpcEndpointRow {
  return tables.vpcEndpoints.getOr404("VPC endpoint", { org_id: organization.id, ...address, deleted_at: null });
}

/** A VPC endpoint as the API returns a single one: with its state and the projects that are restricted to it. */
function vpcEndpointResponse(controlPlane: ControlPlane, organization: OrganizationRow, row: VpcEndpointRow) {
  const restricted = restrictedProjects(controlPlane, organization, row);
  return {
    ...pick(row, ["vpc_endpoint_id", "label"]),
    state: row.accepted_at <= controlPlane.clock.now() ? "accepted" : "new",
    num_restricted_projects: restricted.length,
    example_restricted_projects: restricted.slice(0, maxExamples),
  } satisfies Answer<vendor.VpcEndpointDetails>;
}

/** Restricts connections to a project to a VPC endpoint of its organization, or changes the label of the restriction. */
function setVpcRestriction(
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
