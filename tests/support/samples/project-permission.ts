import { projectPermission as definition } from "../../../provider/resources/project-permission";
import type { Sample } from "../sample";
import { listed } from "./object";

/** Somebody's access to a project. */
export const projectPermission: Sample = {
  kind: "ProjectPermission",
  definition,
  declare: async (stage) => {
    const { id } = await stage.project();
    return { projectId: id, email: `${stage.name("guest")}@example.com` };
  },
  inPlace: () => [],
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return { createsFirst: { projectId: id, email: `${stage.name("guest")}@example.com` } };
  },
  ...listed(({ projectId }) => `/projects/${String(projectId)}/permissions`, "permissionId", {
    member: "project_permissions",
  }),
  adopt: () => true,
};
