import { organizationApiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { key } from "./object";

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
  replaces: ({ name }) => ({
    createsFirst: { orgId: "org-other-000001", name: `${String(name)}-renamed`, rotateTrigger: "summer" },
  }),
  ...key,
  adopt: ({ orgId, keyId }) => `${String(orgId)}/${String(keyId)}`,
  lostOnAdoption: ["key"],
};
