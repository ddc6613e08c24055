import type { TableDefinition } from "../../storage/table";
import type { Plan } from "./limits";

export interface OrganizationRow {
  id: string;
  name: string;
  handle: string;
  plan: Plan;
  projects_limit: number;
  allow_hipaa_projects: boolean;
  /** The monthly spending limit; undefined if there is none. */
  spending_limit_cents?: number | undefined;
  created_at: string;
  updated_at: string;
}

export const organizationTable: TableDefinition<OrganizationRow> = {
  name: "organizations",
  public: ["id", "name", "handle", "plan", "allow_hipaa_projects", "created_at", "updated_at"],
  columns: ["id", "created_at"],
  indexes: ["created_at"],
  latest: "created_at",
};
