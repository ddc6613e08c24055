import type { Caller } from "./caller";
import type { ControlPlane } from "./control-plane";
import { organizationLevel } from "./organization";
import { isGrantedTo } from "./project-permission";
import type { MemberRole, ProjectRow } from "./rows";

/** What a caller may do in a project, if it is visible. */
export function levelInProject(plane: ControlPlane, caller: Caller, project: ProjectRow): MemberRole | undefined {
  switch (caller.kind) {
    case "personal": {
      if (project.owner_id === caller.user.id) return "admin";
      const organization =
        project.org_id === undefined ? undefined : plane.tables.organizations.get({ id: project.org_id });
      const role = organization && organizationLevel(plane, caller, organization);
      return role ?? (isGrantedTo(plane, project.id, caller.user) ? "member" : undefined);
    }
    case "organization":
      return project.org_id === caller.organization.id ? "admin" : undefined;
    case "project":
      return project.id === caller.projectId ? "member" : undefined;
    default:
      return caller satisfies never;
  }
}
