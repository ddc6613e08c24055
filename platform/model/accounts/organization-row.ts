import type { RowTable } from "../containment";
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

export const organizationTable: RowTable<OrganizationRow> = {
  name: "organizations",
  within: "platform",
  indexes: ["created_at"],
  latest: "created_at",
};
