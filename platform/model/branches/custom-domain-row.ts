import type { TableDefinition } from "../../storage/table";

/** What a check of the DNS records of a domain can find. */
export const dnsStatuses = ["pending", "ok", "misconfigured", "caa_blocked"] as const;

/** A domain that leads to a function. No two branches have the same. */
export interface CustomDomainRow {
  domain: string;
  project_id: string;
  branch_id: string;
  entity_type: string;
  entity_id: string;
  /** There is no DNS here: it stays as it is until somebody sets it. */
  dns_status: (typeof dnsStatuses)[number];
  created_at: string;
}

export const customDomainTable: TableDefinition<CustomDomainRow> = {
  name: "custom_domains",
  public: ["domain", "entity_type", "entity_id"],
  columns: ["domain", "project_id", "branch_id", "created_at"],
  primaryKey: ["domain"],
  indexes: ["project_id", "branch_id"],
  latest: "created_at",
};
