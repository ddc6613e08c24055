import { z } from "zod";

import { collect } from "../http/pagination";
import { projectMember, projectMembers } from "../schemas/project-member";
import { ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The members of the organization, with the role of each in a project. */
export const getProjectMembers = lookup("getProjectMembers", () => ({
  reads: ["ProjectMemberRole"],
  args: ofProject,
  result: z.array(
    resultOf(
      projectMember,
      "ProjectMemberResult",
      "A member of the organization, with what the member may do in a project.",
    ),
  ),
  list: "members",
  read: ({ client }, { projectId }) => collect(client.list(projectMembers.list(projectId))),
}));
