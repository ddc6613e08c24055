import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { spendingLimits, spendingLimitSet } from "../../api/schemas/spending-limit";
import type { Context } from "../call/context";
import { adopt, ofOrganization, organizationOf } from "../kind/inputs";
import { only, type OutputsOf } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { readOrganization } from "./organization";

const inputs = lazy(() =>
  z.strictObject({
    ...ofOrganization,
    ...camelShape(spendingLimitSet.shape),
    adopt: adopt.describe(
      "`true`, or the id of the organization, adopts its existing limit and overwrites it with the declared one. If omitted, creating the resource fails if the organization has a limit.",
    ),
  }),
);
export type SpendingLimitInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    orgId: z.string().describe("Id of the organization."),
    ...only(inputs().shape, "spendingLimitCents"),
  });
export type SpendingLimitOutputs = OutputsOf<typeof outputs>;

/** The amount per month at which an organization is notified. */
export const spendingLimit = singletonKind<number, SpendingLimitInputs, SpendingLimitOutputs>({
  name: "SpendingLimit",
  noun: "spending limit",
  inputs,
  outputs,
  identifiedBy: ["orgId"],
  setting: {
    input: "spendingLimitCents",
    request: ({ orgId, spendingLimitCents }) => spendingLimits.set(orgId, spendingLimitCents),
  },

  find: (context, { orgId = "" }) => readLimit(context, orgId),
  outputsOf: (spendingLimitCents, { orgId = "" }) => ({ orgId, spendingLimitCents }),

  deletion: ({ orgId }) => ({
    object: `spending limit of ${orgId}`,
    request: spendingLimits.delete(orgId),
    silent: true,
  }),

  adopted: (context, declared, orgId) =>
    Promise.resolve(orgId === organizationOf(context, declared.orgId) ? { orgId } : undefined),
});

/** The limit in cents, `undefined` if there is none. Fails if this key cannot see the organization. */
async function readLimit(context: Context, orgId: string): Promise<number | undefined> {
  const { spending_limit_cents: cents } = await readOrganization(context, orgId, spendingLimits.get(orgId));
  return cents ?? undefined;
}
