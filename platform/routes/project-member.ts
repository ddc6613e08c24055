import { z } from "zod";

import { projectMember, projectOwner } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { cursorOf, formatCursor } from "../http/validation";
import {
  listProjectMembers,
  projectMemberResponse,
  projectRoleResponse,
  removeProjectRole,
  setProjectRole,
} from "../model/projects/project-member";
import { flag, wholeNumber } from "../published/values";

const pageQuery = z.object({
  /** When the last member of the page before joined. */
  cursor: cursorOf(z.string(), "members").default(""),
  limit: wholeNumber(1, 500).default(100),
});

const roleSet = z.object({ role: z.enum(["viewer", "editor", "admin"]) });

/** Only the newer of the two published documents has these. */
export const projectMemberPaths: ApiPaths = {
  "/projects/:project_id/members": {
    GET: allow({ ...projectMember, query: pageQuery }, ({ controlPlane, project, query: { cursor, limit } }) => {
      const members = listProjectMembers(controlPlane, project)
        .filter(({ joined_at }) => joined_at > cursor)
        .slice(0, limit);
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
    DELETE: allow(
      { ...projectOwner, query: z.object({ confirm_self_lockout: flag.default(false) }) },
      ({ controlPlane, project, parameter }) =>
        projectRoleResponse(controlPlane, project, removeProjectRole(controlPlane, project, parameter("member_id"))),
    ),
  },
};
