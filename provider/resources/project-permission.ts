import { z } from "zod";

import { isGranted, permissionGrant, permissions, type ProjectPermission } from "../../api/schemas/project-permission";
import { projects } from "../../api/schemas/project";
import { type Collection, onePage, type Reader } from "../call/collection";
import { identifiedBy } from "../kind/id";
import { type Kind, namesakes } from "../kind/kind";
import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { deleteObject } from "../call/delete-object";
import { listOf } from "./list-of";

const inputs = z.strictObject({
  projectId: idInput,
  ...permissionGrant.shape,
  adopt: adopt.optional(),
});
export type ProjectPermissionInputs = z.infer<typeof inputs>;

export interface ProjectPermissionOutputs extends Omit<ProjectPermissionInputs, "adopt"> {
  readonly permissionId: string;
  readonly grantedAt: string;
}

/** The access of another account to a project. */
export const projectPermission: Kind<ProjectPermissionInputs, ProjectPermissionOutputs> = {
  name: "ProjectPermission",
  noun: "project permission",
  version: 1,
  inputs,
  rules: { projectId: { onChange: "replace" }, email: { onChange: "replace", equality: "caseless" } },
  secrets: {},
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
      overwrites: true,
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
      exists: async () => (await listGranted(context, projectId)).some(({ id }) => id === permissionId),
    });
  },

  namesakes: (_, { projectId, email }) =>
    namesakes({
      collection: permissionsOf(projectId),
      matches: ({ granted_to_email: other }) => other.toLowerCase() === email.toLowerCase(),
      outputs: (one) => permissionOutputs(projectId, one),
    }),
};

/** The permissions of a project that are not revoked, none if the project does not exist. */
async function listGranted(reader: Reader, projectId: string): Promise<readonly ProjectPermission[]> {
  const answer = await listOf(reader, reader.read(permissions.list(projectId)), projects.get(projectId));
  return (answer?.project_permissions ?? []).filter(isGranted);
}

function permissionsOf(projectId: string): Collection<ProjectPermission> {
  return {
    name: `permissions/${projectId}`,
    projectId,
    pages: (reader) => onePage(() => listGranted(reader, projectId)),
    keyOf: ({ id }) => id,
  };
}

function permissionOutputs(projectId: string, found: ProjectPermission): ProjectPermissionOutputs {
  return { projectId, permissionId: found.id, email: found.granted_to_email, grantedAt: found.granted_at };
}
