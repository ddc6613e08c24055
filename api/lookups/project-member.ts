import { z } from "zod";

import { camelObject } from "../camel-shape";
import { collect } from "../http/pagination";
import { projectMember, projectMembers } from "../schemas/project-member";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The members of the organization, with what each may do in a project. */
export const getProjectMembers = lookup("getProjectMembers", {
  args: { projectId: objectId },
  result: z.array(camelObject(projectMember)),
  list: "members",
  read: ({ client }, { projectId }) => collect(client.list(projectMembers.list(projectId))),
});
