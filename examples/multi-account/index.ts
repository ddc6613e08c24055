import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// Settings that a provider omits, such as `apiUrl`, come from the stack's configuration.
const production = new neon.Provider("production", { apiKey: config.requireSecret("productionKey") });
const staging = new neon.Provider("staging", { apiKey: config.requireSecret("stagingKey") });

const shop = new neon.Project("shop", { historyRetentionSeconds: 86_400 }, { provider: production });
const rehearsal = new neon.Project("shop-rehearsal", { historyRetentionSeconds: 3_600 }, { provider: staging });

// A lookup uses the account of its `provider`.
const regions = neon.getRegionsOutput({}, { provider: staging });

export const productionProject = shop.id;
export const stagingProject = rehearsal.id;
export const stagingRegions = regions.apply((all) => all.map(({ regionId }) => regionId));
