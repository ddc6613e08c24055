import type { Values } from "../provider-server";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";

const pathOf = ({ orgId }: Values): string => `/organizations/${String(orgId)}/billing/spending_limit`;

const setting: readonly ExpectedRequest[] = [
  { method: "PUT", path: /\/billing\/spending_limit$/, body: { spending_limit_cents: 7000 } },
];

/** The limit of an organization of its own. */
export const spendingLimit: KindSample = {
  kind: "SpendingLimit",
  creates: () => setting,
  declare: async (stage) => ({ orgId: await stage.platform.organization(), spendingLimitCents: 5000 }),
  inPlace: () => [{ input: "spendingLimitCents", to: 7000, sends: setting }],
  replaces: async (_, stage) => ({ createsFirst: { orgId: await stage.platform.organization() } }),
  remove: async (stage, outputs) => void (await stage.platform.call("DELETE", pathOf(outputs))),
  exists: async (stage, outputs) => {
    const { body } = await stage.platform.call("GET", pathOf(outputs));
    return typeof (body as unknown as Values)["spending_limit_cents"] === "number";
  },
  adopt: () => true,
  replaced: {
    orgId: undefined,
  },
  overwritable: (outputs) => ({
    input: "spendingLimitCents",
    us: 5_000,
    them: 7_000,
    set: ["PUT", pathOf(outputs)],
    read: (body) => body["spending_limit_cents"],
  }),
  invalid: [
    { orgId: "org-quiet-river-302709", spendingLimitCents: 5000 },
    [
      [{ spendingLimitCents: 0.5 }, "spendingLimitCents", /^must be a whole number$/],
      [{ spendingLimitCents: -1 }, "spendingLimitCents", /at least/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/organizations/:orgId/spending_limit/:orgId",
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => ({ ...declared, orgId: await stage.platform.organization() }),
  },
};
