import { z } from "zod";

import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import { type ProjectMember, projectMemberRoleSet, projectMembers } from "../../api/schemas/project-member";
import { type Collection, pagedList } from "../call/collection";
import { adopt, idInput, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";

/** An input that confirms a change of the user's own role. */
function confirmation(of: string) {
  return z
    .boolean()
    .optional()
    .meta({ description: `Whether ${of}. Exists in Pulumi only.`, default: false });
}

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    memberId: idInput.describe("Id of the member in the organization, as `memberId` of an `OrganizationMember`."),
    role: projectMemberRoleSet.shape.role,
    confirmSelfDemotion: confirmation("to give the user of the API key a lower role. Neon refuses that otherwise"),
    confirmSelfLockout: confirmation(
      "to delete this resource if the user of the API key can then no longer manage the project. Neon refuses that otherwise. Set it with `pulumi up` before you destroy the resource",
    ),
    adopt: adopt.describe(
      "`true`, or the member's id, adopts the existing role and overwrites it with the declared one. If omitted, creating the resource fails if the member has a role in the project.",
    ),
  }),
);
export type ProjectMemberRoleInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...only(inputs().shape, "projectId", "memberId"),
    role: z.string().describe("Role in the project: `viewer`, `editor`, `admin`."),
    ...only(inputs().shape, "confirmSelfDemotion", "confirmSelfLockout"),
  });
export type ProjectMemberRoleOutputs = OutputsOf<typeof outputs>;

/** The role of a member of the organization in one of its projects. */
export const projectMemberRole = listedKind<ProjectMember, ProjectMemberRoleInputs, ProjectMemberRoleOutputs>({
  name: "ProjectMemberRole",
  noun: "project member role",
  inputs,
  outputs,
  identifiedBy: ["projectId", "memberId"],
  rules: {
    confirmSelfDemotion: { platform: "unaware", onRemove: "clear", unset: "false" },
    confirmSelfLockout: { platform: "unaware", onRemove: "clear", unset: "false" },
  },
  needs: [
    {
      status: 422,
      message: /confirm_self_demotion/,
      fix: "If that is meant, declare `confirmSelfDemotion: true`.",
    },
    {
      status: 404,
      fix: "The project does not exist, or its organization has no such member. Use the output `memberId` of an `OrganizationMember`, or of `getOrganizationMembers`. A person who is invited becomes a member when the invitation is accepted.",
    },
  ],
  setting: {
    input: "role",
    carries: ["confirmSelfDemotion"],
    request: ({ projectId, memberId, role, confirmSelfDemotion }) =>
      projectMembers.setRole(projectId, memberId, { role }, confirmSelfDemotion === true ? true : undefined),
  },

  collection: ({ projectId = "" }) => membersOf(projectId),
  outputsOf: ({ member_id: memberId, project_role: role = "" }, { projectId = "" }) => ({ projectId, memberId, role }),

  deletion: ({ projectId, memberId, confirmSelfLockout }) => ({
    what: "remove role in the project",
    object: `role of member ${memberId}`,
    request: projectMembers.removeRole(projectId, memberId, confirmSelfLockout === true ? true : undefined),
    explain: (error) =>
      hasStatus(error, 422) && error.reason.includes("confirm_self_lockout")
        ? explained(
            `The role of member ${memberId} was not removed: it is the one of this API key's user`,
            error,
            "If that is meant, set `confirmSelfLockout: true`, run `pulumi up`, then delete it.",
          )
        : error,
    confirms: (answer) => (answer as ProjectMember).project_role === undefined,
  }),

  adopted: (_, { projectId, memberId }, named) =>
    Promise.resolve(named === memberId ? { projectId, memberId } : undefined),
});

/** The members that have a role in the project itself. All others only have their role in the organization. */
function membersOf(projectId: string): Collection<ProjectMember> {
  const list = projectMembers.list(projectId);
  const hasRole = ({ project_role: role }: ProjectMember): boolean => role !== undefined;
  return pagedList({
    list: {
      ...list,
      items: (page) => list.items(page).filter(hasRole),
      omitted: (page) => list.items(page).filter((one) => !hasRole(one)).length,
    },
    keyOf: ({ member_id: id }) => id,
    parent: projects.get(projectId),
  });
}
