import { organizationApiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { keyExists, revokeKey } from "./key";

/** A key of an organization. */
export const organizationApiKey: Sample = {
  kind: "OrganizationApiKey",
  definition,
  declare: async (stage) => ({
    orgId: await stage.platform.firstOrganization(),
    name: stage.name("deploy"),
    rotateTrigger: "spring",
  }),
  inPlace: () => [],
  replaces: ({ name }) =>
    Promise.resolve([
      { input: "orgId", to: "org-other-000001", deletesFirst: false },
      { input: "name", to: `${String(name)}-renamed`, deletesFirst: false },
      { input: "rotateTrigger", to: "summer", deletesFirst: false },
    ]),
  remove: revokeKey,
  exists: keyExists,
  adopt: ({ orgId, keyId }) => `${String(orgId)}/${String(keyId)}`,
  lostOnAdoption: ["key"],
};
