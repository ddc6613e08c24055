import { z } from "zod";

import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import { isGranted, permissionGrant, permissions, type ProjectPermission } from "../../api/schemas/project-permission";
import { wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { type OutputsOf, asReported } from "../kind/outputs";

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
    ...asReported(inputs(), "projectId", "email"),
    permissionId: z.string().describe("Id of the permission."),
    grantedAt: z.string().describe("Time at which access was granted (ISO 8601, UTC)."),
  });
export type ProjectPermissionOutputs = OutputsOf<typeof outputs>;

/** The access of another account to a project. */
export const projectPermission = listedKind<ProjectPermission, ProjectPermissionInputs, ProjectPermissionOutputs>({
  name: "ProjectPermission",
  noun: "project permission",
  inputs,
  outputs,
  identifiedBy: ["projectId", "permissionId"],
  rules: { email: { onChange: "replace", equality: "caseless" } },
  uniqueBy: ["projectId", "email"],
  replacement: { loss: "The old permission is revoked." },

  create: ({ projectId, email }) =>
    creation({
      what: "grant access to the project",
      request: permissions.grant(projectId, email),
      repeatable: false,
      outputs: (answer) => permissionOutputs(projectId, answer),
      // How the platform answers a second grant is not specified. A second permission would have to be revoked separately.
      overwrites: true,
    }),

  collection: ({ projectId = "" }) =>
    wholeList({
      list: permissions.list(projectId),
      items: (answer) => answer.project_permissions.filter(isGranted),
      keyOf: ({ id }) => id,
      parent: projects.get(projectId),
    }),
  outputsOf: (found, { projectId = "" }) => permissionOutputs(projectId, found),

  deletion: ({ projectId, permissionId }) => ({
    object: `permission ${permissionId}`,
    what: "revoke access to the project",
    request: permissions.revoke(projectId, permissionId),
  }),
});

function permissionOutputs(projectId: string, found: ProjectPermission): ProjectPermissionOutputs {
  return { projectId, permissionId: found.id, email: found.granted_to_email, grantedAt: found.granted_at };
}
