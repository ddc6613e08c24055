import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import type { ControlPlane } from "../control-plane";
import { organizationAdmin, organizationMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { requirePlan } from "./limits";
import type { OrganizationRow } from "./organization-row";

/** The monthly spending limit of an organization. It only alerts: computes are not suspended. */
export const spendingLimitPaths: ApiPaths = {
  "/organizations/:org_id/billing/spending_limit": {
    GET: allow(organizationMember, ({ organization }) => spendingLimitResponse(organization)),
    PUT: allow(
      { ...organizationAdmin, ...published.setOrganizationSpendingLimit },
      ({ controlPlane, organization, body }) =>
        spendingLimitResponse(setSpendingLimit(controlPlane, organization, body.spending_limit_cents)),
    ),
    DELETE: allow(organizationAdmin, ({ controlPlane, organization }) => {
      setSpendingLimit(controlPlane, organization, undefined);
      return {};
    }),
  },
};

function spendingLimitResponse({ plan, spending_limit_cents }: OrganizationRow) {
  requirePlan(plan, "launch", "spending limits");
  return { spending_limit_cents: spending_limit_cents ?? null } satisfies Answer<vendor.SpendingLimitResponse>;
}

function setSpendingLimit(
  { tables }: ControlPlane,
  organization: OrganizationRow,
  spending_limit_cents: number | undefined,
): OrganizationRow {
  requirePlan(organization.plan, "launch", "spending limits");
  const changed = { ...organization, spending_limit_cents };
  tables.organizations.put(changed);
  return changed;
}
