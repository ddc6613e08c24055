import { organizationAdmin, organizationMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getSpendingLimit, setSpendingLimit } from "../model/accounts/spending-limit";
import * as published from "../published/requests";

export const spendingLimitPaths: ApiPaths = {
  "/organizations/:org_id/billing/spending_limit": {
    GET: allow(organizationMember, ({ organization }) => getSpendingLimit(organization)),
    PUT: allow(
      { ...organizationAdmin, ...published.setOrganizationSpendingLimit },
      ({ controlPlane, organization, body }) =>
        getSpendingLimit(setSpendingLimit(controlPlane, organization, body.spending_limit_cents)),
    ),
    DELETE: allow(organizationAdmin, ({ controlPlane, organization }) => {
      setSpendingLimit(controlPlane, organization, undefined);
      return {};
    }),
  },
};
