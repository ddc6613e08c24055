import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import {
  isGranted,
  permissionGrant,
  permissions,
  type ProjectPermission,
  projectPermission as wirePermission,
} from "../../api/schemas/project-permission";
import { wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { adopt, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import type { OutputsOf } from "../kind/outputs";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    email: permissionGrant.shape.email,
    adopt,
  }),
);
export type ProjectPermissionInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, grantedToEmail, grantedAt } = camelShape(wirePermission.shape);
  return z.object({ ...ofProject, email: grantedToEmail, permissionId: id, grantedAt });
};
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
      // Neon does not specify what a second grant does. A second permission would have to be revoked separately.
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
