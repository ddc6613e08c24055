import { projectApiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { keyExists, revokeKey } from "./key";

/** A key for one project of an organization. */
export const projectApiKey: Sample = {
  kind: "ProjectApiKey",
  definition,
  declare: async (stage) => {
    const orgId = await stage.platform.firstOrganization();
    const { id } = await stage.project({ org_id: orgId });
    return { orgId, projectId: id, name: stage.name("deploy"), rotateTrigger: "spring" };
  },
  inPlace: () => [],
  replaces: async ({ orgId, name }, stage) => {
    const { id } = await stage.project({ org_id: orgId });
    return [
      { input: "orgId", to: "org-other-000001", deletesFirst: false },
      { input: "projectId", to: id, deletesFirst: false },
      { input: "name", to: `${String(name)}-renamed`, deletesFirst: false },
      { input: "rotateTrigger", to: "summer", deletesFirst: false },
    ];
  },
  remove: revokeKey,
  exists: keyExists,
  adopt: ({ keyId }) => String(keyId),
  lostOnAdoption: ["key"],
};
