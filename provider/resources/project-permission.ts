import { z } from "zod";

import { ignoreNotFound } from "../../api/errors";
import { lazy } from "../../api/lazy";
import { isGranted, permissionGrant, permissions, type ProjectPermission } from "../../api/schemas/project-permission";
import { type Collection, onePage, type Reader } from "../call/collection";
import { identifiedBy } from "../kind/id";
import type { Kind } from "../kind/kind";
import type { OutputsOf } from "../kind/outputs";
import { AlreadyThereError } from "../call/conflict";
import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { deleteObject } from "../call/delete-object";

const inputs = lazy(() =>
  z.strictObject({
    projectId: idInput.describe("Id of the project to share."),
    email: permissionGrant.shape.email.describe(
      "Email address of the account to share the project with, 1 to 256 characters.",
    ),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing permission instead of creating one. An id adopts that permission and fails if it does not exist. `true` adopts the one for this email address, or creates it if there is none. Setting or removing `adopt` later has no effect.",
      ),
  }),
);
export type ProjectPermissionInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    projectId: inputs().shape.projectId.describe("Id of the shared project."),
    email: inputs().shape.email.describe("Email address of the account."),
    permissionId: z.string().describe("Id of the permission."),
    grantedAt: z.string().describe("Time at which access was granted (ISO 8601, UTC)."),
  });
export type ProjectPermissionOutputs = OutputsOf<typeof outputs>;

/** The access of another account to a project. */
export const projectPermission: Kind<ProjectPermissionInputs, ProjectPermissionOutputs> = {
  name: "ProjectPermission",
  noun: "project permission",
  version: 1,
  inputs,
  outputs,
  rules: { projectId: { onChange: "replace" }, email: { onChange: "replace", equality: "caseless" } },
  uniqueBy: ["projectId", "email"],
  replacement: { loss: "The old permission is revoked." },
  ...identifiedBy("projectId", "permissionId"),

  create: ({ projectId, email }) =>
    creation({
      what: "grant access to the project",
      request: () => permissions.grant(projectId, email),
      repeatable: false,
      outputs: (answer) => permissionOutputs(projectId, answer),
      // How the platform answers a second grant is not specified. A second permission would have to be revoked separately.
      assertFree: async (context) => {
        if (!(await listGranted(context, projectId)).some(isFor(email))) return;
        throw new AlreadyThereError(`Project ${projectId} already grants access to this e-mail address.`);
      },
    }),

  read: async (context, { projectId = "", permissionId = "" }) => {
    const found = await context.readOne(permissionsOf(projectId), permissionId);
    return found && permissionOutputs(projectId, found);
  },

  remove: async (context, { projectId, permissionId }) => {
    await deleteObject(context, {
      object: `permission ${permissionId}`,
      what: "revoke access to the project",
      project: projectId,
      request: permissions.revoke(projectId, permissionId),
      exists: async () => (await listGrantedOrNone(context, projectId)).some(({ id }) => id === permissionId),
    });
  },

  find: async (context, { projectId, email }) => {
    const found = (await listGrantedOrNone(context, projectId)).find(isFor(email));
    return found && { projectId, permissionId: found.id };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, email }) =>
      (await listGrantedOrNone(context, projectId))
        .filter(isFor(email))
        .map(({ id, granted_at: createdAt }) => ({ createdAt, found: { projectId, permissionId: id } })),
  },
};

/** Whether a permission is for this e-mail address, in upper or lower case. */
function isFor(email: string): (permission: ProjectPermission) => boolean {
  return ({ granted_to_email }) => granted_to_email.toLowerCase() === email.toLowerCase();
}

/** The permissions of a project that are not revoked. */
async function listGranted(reader: Reader, projectId: string): Promise<readonly ProjectPermission[]> {
  const { project_permissions } = await reader.read(permissions.list(projectId));
  return project_permissions.filter(isGranted);
}

/** The same, none if the project does not exist. */
async function listGrantedOrNone(reader: Reader, projectId: string): Promise<readonly ProjectPermission[]> {
  return (await ignoreNotFound(listGranted(reader, projectId))) ?? [];
}

function permissionsOf(projectId: string): Collection<ProjectPermission> {
  return {
    name: `permissions/${projectId}`,
    projectId,
    pages: (reader) => onePage(() => listGrantedOrNone(reader, projectId)),
    keyOf: ({ id }) => id,
  };
}

function permissionOutputs(projectId: string, found: ProjectPermission): ProjectPermissionOutputs {
  return { projectId, permissionId: found.id, email: found.granted_to_email, grantedAt: found.granted_at };
}
