import { z } from "zod";

import { collect } from "../http/pagination";
import { projectMembers } from "../schemas/project-member";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The members of the organization, with what each may do in a project. */
export const getProjectMembers = lookup("getProjectMembers", () => ({
  reads: ["ProjectMemberRole"],
  args: {
    projectId: idArgument.describe("Project of an organization."),
  },
  result: z.array(
    z
      .strictObject({
        memberId: z.string().describe("Id of the member in the organization."),
        userId: z.string().describe("Id of the member's account."),
        email: z.string().optional().describe("E-mail address of the member."),
        name: z.string().optional().describe("Name of the member."),
        orgRole: z.string().describe("Role in the organization."),
        projectRole: z
          .string()
          .optional()
          .describe("Role in the project: `viewer`, `editor`, `admin`. Absent if the one in the organization counts."),
        effectiveProjectPermission: z
          .string()
          .optional()
          .describe("What the member may do: `VIEWER`, `EDITOR`, `ADMIN`."),
        grantSource: z
          .string()
          .optional()
          .describe("What grants it: `explicit`, `org_role_default`, `org_admin_override`, `unassigned`."),
      })
      .meta({
        title: "ProjectMemberResult",
        description: "A member of the organization, with what the member may do in a project.",
      }),
  ),
  list: "members",
  read: ({ client }, { projectId }) => collect(client.list(projectMembers.list(projectId))),
}));
