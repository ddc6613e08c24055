import { z } from "zod";

import { notFound, unprocessable } from "../../http-error";
import { flag, wholeNumber } from "../../published/values";
import type { Answer, vendor } from "../../published/answers";
import type { Caller } from "../accounts/caller";
import { listMembers } from "../accounts/organization";
import { fullName } from "../accounts/user";
import type { ControlPlane } from "../control-plane";
import type { MembershipRow } from "../accounts/membership-row";
import { projectMember, projectOwner } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { cursorOf, formatCursor } from "../routing/validation";
import type { ProjectRole } from "./project-role-row";
import type { ProjectRow } from "./project-row";

const pageQuery = z.object({
  /** The time at which the last member of the previous page joined. */
  cursor: cursorOf(z.string(), "members").default(""),
  limit: wholeNumber(1, 500).default(100),
});

const roleSet = z.object({ role: z.enum(["viewer", "editor", "admin"]) });

/** Only the newer of the two published documents has these routes. */
export const projectMemberPaths: ApiPaths = {
  "/projects/:project_id/members": {
    GET: allow({ ...projectMember, query: pageQuery }, ({ controlPlane, project, query: { cursor, limit } }) => {
      const all = project.org_id === undefined ? [] : listMembers(controlPlane, project.org_id);
      const members = all.filter(({ joined_at }) => joined_at > cursor).slice(0, limit);
      const last = members.at(-1);
      return {
        project_members: members.map((row) => projectMemberResponse(controlPlane, project, row)),
        pagination: last && { next: formatCursor(last.joined_at), sort_by: "joined_at", sort_order: "asc" },
      };
    }),
  },
  "/projects/:project_id/members/:member_id/role": {
    PUT: allow(
      {
        ...projectOwner,
        body: roleSet,
        query: z.object({ confirm_self_demotion: flag.default(false) }),
      },
      ({ controlPlane, caller, project, parameter, query, body }) =>
        projectRoleResponse(
          controlPlane,
          project,
          setProjectRole(controlPlane, caller, project, parameter("member_id"), {
            role: body.role,
            isConfirmed: query.confirm_self_demotion,
          }),
        ),
    ),
    // Without a role in the project, the role in the organization counts again.
    DELETE: allow(
      { ...projectOwner, query: z.object({ confirm_self_lockout: flag.default(false) }) },
      ({ controlPlane, caller, project, parameter, query }) => {
        const member = getProjectMember(controlPlane, project, parameter("member_id"));
        const { effective_project_permission: before } = projectMemberResponse(controlPlane, project, member);
        // Administrators of the organization keep all rights.
        const locksOut = isSelf(caller, member) && before === "ADMIN" && member.role !== "admin";
        if (locksOut && !query.confirm_self_lockout) {
          throw unprocessable("you could not manage this project any more: confirm it with confirm_self_lockout");
        }
        controlPlane.tables.projectRoles.delete({ project_id: project.id, member_id: member.id });
        return projectRoleResponse(controlPlane, project, member);
      },
    ),
  },
};

/** The API's name for the permission of each role. */
const permissions = { viewer: "VIEWER", editor: "EDITOR", admin: "ADMIN" } as const;

/** Gives a member a role in a project. It counts instead of the role that the organization gives its members. */
function setProjectRole(
  controlPlane: ControlPlane,
  caller: Caller,
  project: ProjectRow,
  memberId: string,
  { role, isConfirmed }: { readonly role: ProjectRole; readonly isConfirmed: boolean },
): MembershipRow {
  const member = getProjectMember(controlPlane, project, memberId);
  if (isSelf(caller, member) && role !== "admin" && !isConfirmed) {
    throw unprocessable("this lowers your own role: confirm it with confirm_self_demotion");
  }
  controlPlane.tables.projectRoles.put({ project_id: project.id, member_id: memberId, role });
  return member;
}

function isSelf(caller: Caller, { user_id }: MembershipRow): boolean {
  return caller.kind === "personal" && caller.user.id === user_id;
}

/** A member in the list of a project, as the API returns it. */
function projectMemberResponse(controlPlane: ControlPlane, project: ProjectRow, member: MembershipRow) {
  const { tables } = controlPlane;
  const user = tables.users.get({ id: member.user_id });
  const explicit = tables.projectRoles.get({ project_id: project.id, member_id: member.id })?.role;
  const byDefault = member.role === "admin" ? "ADMIN" : "EDITOR";
  const isAdmin = member.role === "admin";
  return {
    member_id: member.id,
    user_id: member.user_id,
    email: user?.email,
    name: user && fullName(user),
    org_role: member.role,
    project_role: explicit,
    org_default_project_permission: byDefault,
    explicit_project_permission: explicit && permissions[explicit],
    // Administrators of the organization keep all rights.
    effective_project_permission: isAdmin || explicit === undefined ? byDefault : permissions[explicit],
    grant_source: isAdmin ? "org_admin_override" : explicit === undefined ? "org_role_default" : "explicit",
  } satisfies Answer<vendor.ProjectMember>;
}

/** The answer to a change of a role. */
function projectRoleResponse(controlPlane: ControlPlane, project: ProjectRow, member: MembershipRow) {
  const { grant_source: _source, ...rest } = projectMemberResponse(controlPlane, project, member);
  return {
    project_id: project.id,
    ...rest,
    credential_rotation_recommended: true,
  } satisfies Answer<vendor.ProjectMemberRoleResponse>;
}

function getProjectMember({ tables }: ControlPlane, { org_id }: ProjectRow, id: string): MembershipRow {
  const found = org_id === undefined ? undefined : tables.memberships.get({ id, org_id });
  if (!found) throw notFound("member");
  return found;
}
