import { advisorQuery } from "../../api/schemas/advisor";
import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { advisorIssues } from "../model/branches/advisor";

export const advisorPaths: ApiPaths = {
  "/projects/:project_id/advisors": {
    GET: allow({ ...projectMember, query: advisorQuery }, async ({ controlPlane, project, query }) => ({
      issues: await advisorIssues(controlPlane, project, query),
    })),
  },
};
