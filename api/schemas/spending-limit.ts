import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse } from "./wire";

/** The body that sets the monthly spending limit of an organization. */
export const spendingLimitSet = z.object({
  spending_limit_cents: z.int().min(1).describe("Amount per month in US cents, at least 1."),
});

const spendingLimit = z.looseObject({ spending_limit_cents: z.number().nullable() });
const spendingLimitChanged = z.looseObject({ spending_limit_cents: z.number() });

const pathOf = (orgId: string): string => path`/organizations/${orgId}/billing/spending_limit`;

/** Requests for the monthly spending limit of an organization. */
export const spendingLimits = {
  /** Without a limit, the amount is `null`. A response that lacks the amount does not mean that there is no limit. */
  get: (orgId: string) => request("GET", pathOf(orgId), spendingLimit, { keepsNull: true }),
  set: (orgId: string, cents: number) =>
    request("PUT", pathOf(orgId), spendingLimitChanged, { body: { spending_limit_cents: cents } }),
  delete: (orgId: string) => request("DELETE", pathOf(orgId), emptyResponse),
};
