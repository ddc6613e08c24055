import type { ProjectPermissions } from "@neondatabase/api-client";

import { projectPermission as definition } from "../../../provider/resources/project-permission";
import type { Sample } from "../sample";

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
    return [
      { input: "projectId", to: id, deletesFirst: false },
      { input: "email", to: `${stage.name("guest")}@example.com`, deletesFirst: false },
    ];
  },
  remove: async (stage, { projectId, permissionId }) => {
    await stage.platform.call("DELETE", `/projects/${String(projectId)}/permissions/${String(permissionId)}`);
  },
  exists: async (stage, { projectId, permissionId }) => {
    const { body } = await stage.platform.call("GET", `/projects/${String(projectId)}/permissions`);
    const { project_permissions } = body as unknown as ProjectPermissions;
    return project_permissions.some(({ id, revoked_at }) => id === permissionId && revoked_at === undefined);
  },
  adopt: () => true,
};
