import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { posting } from "./object";

/** Somebody's access to a project. */
export const projectPermission: KindSample = {
  kind: "ProjectPermission",
  creates: ({ projectId, email }) => [posting(`/projects/${String(projectId)}/permissions`, { email })],
  declare: async (stage) => {
    const { id } = await stage.project();
    return { projectId: id, email: `${stage.name("guest")}@example.com` };
  },
  inPlace: () => [],
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return { createsFirst: { projectId: id, email: `${stage.name("guest")}@example.com` } };
  },
  list: { member: "project_permissions" },
  adopt: () => true,
  replaced: {
    email: /^Changing `email` replaces this project permission\. The old permission is revoked/,
  },
  readAt: { path: /\/permissions$/, isList: true },
  invalid: [
    { ...inProject, email: "ann@example.com" },
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ email: undefined }, "email", "is required"],
      [{ email: "" }, "email", "must be an e-mail address"],
      [{ email: `${"x".repeat(250)}@x.example` }, "email", /at most 256 characters/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/permissions/:permissionId",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, email: `${stage.name("guest")}@example.com` }),
  },
};
