import { onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { KindSample } from "../sample";
import type { Stage } from "../stage";
import { until } from "../until";
import { branchPath, elsewhere, newBranch, onAnotherRoot, posting, root } from "./object";

const pathOf = (outputs: Values): string => `${branchPath(outputs)}/realtime`;
const shop = "https://shop.example.com";
const local = "http://localhost:3000";

/** The state after all changes are applied. */
async function settled(stage: Stage, outputs: Values): Promise<Values> {
  let state: Values = {};
  await until(async () => {
    state = (await stage.platform.call("GET", pathOf(outputs))).body as unknown as Values;
    return state["pending"] !== true;
  });
  return state;
}

/** Live queries from the pages of a shop. */
export const realtime: KindSample = {
  kind: "Realtime",
  posted: {},
  creates: (declared) => [posting(pathOf(declared), { allowed_origins: [shop, local] })],
  declare: async (stage) => ({ ...(await newBranch(stage)), allowedOrigins: [shop], rotateTrigger: "spring" }),
  inPlace: (declared) => [
    {
      input: "allowedOrigins",
      to: [shop, local],
      sends: [posting(pathOf(declared), { allowed_origins: [shop, local] })],
    },
    { input: "rotateTrigger", to: "summer", sends: [posting(`${pathOf(declared)}/rotate_secret`)] },
  ],
  replaces: async ({ projectId }, stage) => ({ createsFirst: await elsewhere(stage, projectId, root) }),
  remove: async (stage, outputs) => {
    await stage.platform.call("DELETE", pathOf(outputs));
    await settled(stage, outputs);
  },
  exists: async (stage, outputs) => (await settled(stage, outputs))["enabled"] === true,
  replaced: {
    branchId: /^Enabling Realtime turns on logical replication for the whole project, which cannot be turned off again/,
  },
  overwritable: (outputs) => ({
    input: "allowedOrigins",
    us: [shop],
    them: [local],
    set: ["POST", pathOf(outputs)],
    read: ({ pending, allowed_origins }) => (pending === true ? undefined : allowed_origins),
  }),
  needs: [{ branchId: "br-no-such-1" }, "Neon does not offer Realtime in the region of the project"],
  secrets: ["secret"],
  invalid: [
    { ...onBranch, allowedOrigins: [shop, local, "https://10.0.0.1:8443"] },
    [
      [{ branchId: undefined }, "branchId", "is required"],
      ...[
        "shop.example.com",
        "ftp://shop.example.com",
        `${shop}/`,
        `${shop}/pages`,
        `${shop}?a=1`,
        `${shop}:port`,
        "https://ann@shop.example.com ",
        "https://",
        "",
      ].map(
        (origin) => [{ allowedOrigins: [shop, origin] }, "allowedOrigins.1", /^must be an origin such as/] as const,
      ),
      [{ allowedOrigins: ["*", shop] }, "allowedOrigins", /^must not have other origins besides `\*`/],
      [{ allowedOrigins: shop }, "allowedOrigins", /^must be an array/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/realtime",
    twice: "the same",
    isNamed: false,
    another: onAnotherRoot,
  },
};
