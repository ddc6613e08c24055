import { z } from "zod";

import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import { type ProjectMember, projectMemberRoleSet, projectMembers } from "../../api/schemas/project-member";
import { type Collection, pagedList } from "../call/collection";
import { adopt, idInput, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    memberId: idInput.describe("Id of the member in the organization, as `memberId` of an `OrganizationMember`."),
    role: projectMemberRoleSet.shape.role,
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
  });
export type ProjectMemberRoleOutputs = OutputsOf<typeof outputs>;

/** The role of a member of the organization in one of its projects. */
export const projectMemberRole = listedKind<ProjectMember, ProjectMemberRoleInputs, ProjectMemberRoleOutputs>({
  name: "ProjectMemberRole",
  noun: "project member role",
  inputs,
  outputs,
  identifiedBy: ["projectId", "memberId"],
  needs: [
    {
      status: 404,
      fix: "The project does not exist, or its organization has no such member. Use the output `memberId` of an `OrganizationMember`, or of `getOrganizationMembers`. A person who is invited becomes a member when the invitation is accepted.",
    },
  ],
  setting: {
    input: "role",
    request: ({ projectId, memberId, role }) => projectMembers.setRole(projectId, memberId, { role }),
  },

  collection: ({ projectId = "" }) => membersOf(projectId),
  outputsOf: ({ member_id: memberId, project_role: role = "" }, { projectId = "" }) => ({ projectId, memberId, role }),

  deletion: ({ projectId, memberId }) => ({
    what: "remove role in the project",
    object: `role of member ${memberId}`,
    request: projectMembers.removeRole(projectId, memberId),
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
