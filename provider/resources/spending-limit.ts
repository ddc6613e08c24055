import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { spendingLimits, spendingLimitSet } from "../../api/schemas/spending-limit";
import type { Context } from "../call/context";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { adopt, ofOrganization, organizationOf } from "../kind/inputs";
import type { Kind } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
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
export const spendingLimit: Kind<SpendingLimitInputs, SpendingLimitOutputs> = {
  name: "SpendingLimit",
  noun: "spending limit",
  inputs,
  outputs,
  rules: { orgId: { onChange: "replace", unset: "orgId" } },
  uniqueBy: ["orgId"],
  ...identifiedBy("orgId"),
  identity: { by: "spendingLimitCents", isSetting: true, read: (context, { orgId }) => readLimit(context, orgId) },

  create: ({ orgId: declared, spendingLimitCents }, defaults) => {
    const orgId = organizationOf(defaults, declared);
    return creation({
      what: "set spending limit",
      request: spendingLimits.set(orgId, spendingLimitCents),
      repeatable: true,
      outputs: () => ({ orgId, spendingLimitCents }),
      // The platform would replace an existing limit without an error.
      overwrites: true,
    });
  },

  read: async (context, { orgId = "" }) => {
    const cents = await readLimit(context, orgId);
    return cents === undefined ? undefined : { orgId, spendingLimitCents: cents };
  },

  update: async (context, { orgId }, { spendingLimitCents }, changes) => {
    if (!changes.has("spendingLimitCents")) return;
    await context.change({
      what: "change spending limit",
      project: undefined,
      request: spendingLimits.set(orgId, spendingLimitCents),
      applies: ["spendingLimitCents"],
      done: async () => (await readLimit(context, orgId)) === spendingLimitCents,
    });
  },

  remove: async (context, { orgId }) => {
    const object = `spending limit of ${orgId}`;
    await deleteObject(context, {
      what: "delete spending limit",
      object,
      project: undefined,
      request: spendingLimits.delete(orgId),
      silent: true,
      exists: async () => (await readLimit(context, orgId)) !== undefined,
    });
  },

  adopted: (context, declared, orgId) =>
    Promise.resolve(orgId === organizationOf(context, declared.orgId) ? { orgId } : undefined),

  listing: { of: "organization" },
};

/** The limit in cents, `undefined` if there is none. Fails if this key cannot see the organization. */
async function readLimit(context: Context, orgId: string): Promise<number | undefined> {
  const { spending_limit_cents: cents } = await readOrganization(context, orgId, spendingLimits.get(orgId));
  return cents ?? undefined;
}
