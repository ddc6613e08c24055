import { projectApiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { key } from "./object";

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
    return {
      createsFirst: {
        orgId: "org-other-000001",
        projectId: id,
        name: `${String(name)}-renamed`,
        rotateTrigger: "summer",
      },
    };
  },
  ...key,
  adopt: ({ keyId }) => String(keyId),
  lostOnAdoption: ["key"],
};
