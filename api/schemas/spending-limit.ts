import { z } from "zod";

import { path, request } from "../request";
import { emptyResponse } from "./wire";

/** The body that sets the monthly spending limit of an organization. */
export const spendingLimitSet = z.object({ spending_limit_cents: z.int().min(1) });

const spendingLimit = z.looseObject({ spending_limit_cents: z.number().nullable().optional() });

/** Requests for the monthly spending limit of an organization. */
export const spendingLimits = {
  /** Without a limit, there is no amount. */
  get: (orgId: string) => request("GET", path`/organizations/${orgId}/billing/spending_limit`, spendingLimit),
  set: (orgId: string, cents: number) =>
    request("PUT", path`/organizations/${orgId}/billing/spending_limit`, spendingLimit, {
      body: { spending_limit_cents: cents },
    }),
  delete: (orgId: string) => request("DELETE", path`/organizations/${orgId}/billing/spending_limit`, emptyResponse),
};
