import { projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { advisorIssues } from "../model/branches/advisor";
import * as published from "../published/requests";

export const advisorPaths: ApiPaths = {
  "/projects/:project_id/advisors": {
    GET: allow(
      { ...projectMember, ...published.getProjectAdvisorSecurityIssues },
      async ({ controlPlane, project, query }) => ({
        issues: await advisorIssues(controlPlane, project, query),
      }),
    ),
  },
};
