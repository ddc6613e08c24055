import { z } from "zod";

import { isGranted, permissionGrant, permissions, type ProjectPermission } from "../../api/schemas/project-permission";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy } from "../kind/id";
import type { Kind } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";

const inputs = z.strictObject({
  projectId: objectId,
  ...permissionGrant.shape,
  adopt: adopt.optional(),
});
/** What a program declares of a permission. */
export type ProjectPermissionInputs = z.infer<typeof inputs>;

/** What there is to know of a permission. */
export interface ProjectPermissionOutputs extends Omit<ProjectPermissionInputs, "adopt"> {
  readonly permissionId: string;
  readonly grantedAt: string;
}

/** Somebody's access to a project, by the address of their account. */
export const projectPermission: Kind<ProjectPermissionInputs, ProjectPermissionOutputs> = {
  name: "ProjectPermission",
  noun: "project permission",
  version: 1,
  inputs,
  rules: { projectId: { onChange: "replace" }, email: { onChange: "replace", equality: "caseless" } },
  controls: ["adopt"],
  secrets: [],
  uniqueBy: ["projectId", "email"],
  lossOnReplace: "The old permission is revoked.",
  ...identifiedBy("projectId", "permissionId"),

  create: async (context, { projectId, email }) => {
    // How the platform answers a second grant is not specified: two permissions would need two revocations.
    const there = (await granted(context, projectId)).find(isFor(email));
    if (there !== undefined) throw new AlreadyThereError(`Access to project ${projectId} is granted to that address.`);
    return context.create({
      what: "grant access to the project",
      request: () => permissions.grant(projectId, email),
      repeatable: false,
      record: (answer) => {
        const outputs = permissionOutputs(projectId, answer);
        return { id: projectPermission.id(outputs), outputs };
      },
    });
  },

  read: async (context, { projectId = "", permissionId }) => {
    const found = (await grantedOrGone(context, projectId)).find(({ id }) => id === permissionId);
    return found && permissionOutputs(projectId, found);
  },

  // Nothing can be changed in place.
  update: () => Promise.resolve(),

  remove: async (context, { projectId, permissionId }) => {
    await deleteObject(context, {
      object: `access to the project (${permissionId})`,
      what: "revoke access to the project",
      project: projectId,
      request: permissions.revoke(projectId, permissionId),
      isThere: async () => (await grantedOrGone(context, projectId)).some(({ id }) => id === permissionId),
    });
  },

  find: async (context, { projectId, email }, id) => {
    if (id !== undefined) return { projectId, permissionId: adoptedSegment(id, projectId) };
    const found = (await grantedOrGone(context, projectId)).find(isFor(email));
    return found && { projectId, permissionId: found.id };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, email }, since) =>
      (await grantedOrGone(context, projectId))
        .filter((one) => isFor(email)(one) && Date.parse(one.granted_at) >= since.getTime())
        .map(({ id }) => ({ projectId, permissionId: id })),
  },
};

/** Whether a permission is that of this address. Mail addresses are the same in any case. */
function isFor(email: string): (permission: ProjectPermission) => boolean {
  return ({ granted_to_email }) => granted_to_email.toLowerCase() === email.toLowerCase();
}

/** The permissions that hold. */
async function granted(context: Context, projectId: string): Promise<readonly ProjectPermission[]> {
  const { project_permissions } = await context.read(permissions.list(projectId));
  return project_permissions.filter(isGranted);
}

/** The same, none if the project itself is gone. */
async function grantedOrGone(context: Context, projectId: string): Promise<readonly ProjectPermission[]> {
  return (await present(granted(context, projectId))) ?? [];
}

function permissionOutputs(projectId: string, found: ProjectPermission): ProjectPermissionOutputs {
  return { projectId, permissionId: found.id, email: found.granted_to_email, grantedAt: found.granted_at };
}
