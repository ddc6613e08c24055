import type { ControlPlane } from "../control-plane";
import type { OrganizationRow } from "./organization-row";
import { requirePlan } from "./limits";

/** The monthly spending limit of an organization, as the API returns it. */
export function getSpendingLimit(organization: OrganizationRow): object {
  requirePlan(organization.plan, "launch", "spending limits");
  return { spending_limit_cents: organization.spending_limit_cents ?? null };
}

/** Sets or removes the limit. It only alerts: computes are not suspended. */
export function setSpendingLimit(
  controlPlane: ControlPlane,
  organization: OrganizationRow,
  cents: number | undefined,
): OrganizationRow {
  requirePlan(organization.plan, "launch", "spending limits");
  const changed = { ...organization, spending_limit_cents: cents };
  controlPlane.tables.organizations.put(changed);
  return changed;
}
