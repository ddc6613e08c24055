import type { TableDefinition } from "../../storage/table";

/** A VPC endpoint that is assigned to an organization, or was until it was deleted. */
export interface VpcEndpointRow {
  org_id: string;
  region_id: string;
  vpc_endpoint_id: string;
  label: string;
  created_at: string;
  /** When its state changes from `new` to `accepted`. */
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

export const vpcEndpointTable: TableDefinition<VpcEndpointRow> = {
  name: "vpc_endpoints",
  public: ["vpc_endpoint_id", "label"],
  columns: ["org_id", "region_id", "vpc_endpoint_id", "created_at", "deleted_at"],
  primaryKey: ["org_id", "region_id", "vpc_endpoint_id"],
  indexes: ["org_id, created_at"],
  latest: "created_at",
};

export const vpcRestrictionTable: TableDefinition<VpcRestrictionRow> = {
  name: "vpc_restrictions",
  public: ["vpc_endpoint_id", "label"],
  columns: ["project_id", "vpc_endpoint_id"],
  primaryKey: ["project_id", "vpc_endpoint_id"],
  indexes: ["vpc_endpoint_id"],
};
