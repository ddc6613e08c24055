import { badKeys, inProject } from "../invalid-inputs";
import { keyFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { posting } from "./object";

/** The members that samples of API keys share. */
const key = {
  inPlace: () => [],
  list: {},
  secrets: ["key"],
  lostOnAdoption: ["key"],
} as const;

/** A personal key. */
export const apiKey: KindSample = {
  ...key,
  kind: "ApiKey",
  creates: ({ name }) => [posting("/api_keys", { key_name: name })],
  declare: (stage) => Promise.resolve({ name: stage.name("ci"), rotateTrigger: "spring" }),
  replaces: ({ name }) => ({ createsFirst: { name: `${String(name)}-renamed`, rotateTrigger: "summer" } }),
  invalid: [{}, badKeys],
  facts: { ...keyFacts, path: "/api_keys/:keyId" },
};

/** A key of an organization. */
export const organizationApiKey: KindSample = {
  ...key,
  kind: "OrganizationApiKey",
  creates: ({ orgId, name }) => [posting(`/organizations/${String(orgId)}/api_keys`, { key_name: name })],
  declare: async (stage) => ({
    orgId: await stage.platform.firstOrganization(),
    name: stage.name("deploy"),
    rotateTrigger: "spring",
  }),
  replaces: ({ name }) => ({
    createsFirst: { orgId: "org-other-000001", name: `${String(name)}-renamed`, rotateTrigger: "summer" },
  }),
  adopt: ({ orgId, keyId }) => `${String(orgId)}/${String(keyId)}`,
  invalid: [{ orgId: "org-quiet-river-302709" }, badKeys],
  facts: keyFacts,
};

/** A key for one project of an organization. */
export const projectApiKey: KindSample = {
  ...key,
  kind: "ProjectApiKey",
  creates: ({ orgId, projectId, name }) => [
    posting(`/organizations/${String(orgId)}/api_keys`, { key_name: name, project_id: projectId }),
  ],
  declare: async (stage) => {
    const orgId = await stage.platform.firstOrganization();
    const { id } = await stage.project({ org_id: orgId });
    return { orgId, projectId: id, name: stage.name("deploy"), rotateTrigger: "spring" };
  },
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
  invalid: [{ orgId: "org-quiet-river-302709", ...inProject }, badKeys],
  facts: keyFacts,
};
