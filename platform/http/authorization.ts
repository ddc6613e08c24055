import { forbidden, notFound } from "../http-error";
import { levelInProject } from "../model/access";
import { type Caller, type KeyKind, keyNouns } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import { organizationLevel, visibleOrganization } from "../model/organization";
import type { MemberRole, OrganizationRow, ProjectRow } from "../model/rows";

/**
 * Whose keys a route is for. Every route says it, and it is asserted before a route reads anything of its request, so
 * that none can forget to.
 */
export type Authorization =
  /** It names no object that somebody could not see; only these kinds of keys may use it. */
  | { readonly names: "nothing"; readonly for: readonly KeyKind[] }
  /** It is about the project in its path, which the key must see. */
  | { readonly names: "project"; readonly needs: MemberRole; readonly deleted?: true }
  /** It is about the organization in its path, and not for keys of single projects. */
  | { readonly names: "organization"; readonly needs: MemberRole };

/** For every key. */
export const anyKey: Authorization = { names: "nothing", for: ["personal", "organization", "project"] };
/** For every key but those of single projects. */
export const accountKey: Authorization = { names: "nothing", for: ["personal", "organization"] };
/** About the user whose key it is. */
export const personalKey: Authorization = { names: "nothing", for: ["personal"] };
/** For everybody who sees the project. */
export const inProject: Authorization = { names: "project", needs: "member" };
/** For those to whom the project belongs. */
export const ownsProject: Authorization = { names: "project", needs: "admin" };
/** The same, for a project that may have been deleted. */
export const ownsDeletedProject: Authorization = { names: "project", needs: "admin", deleted: true };
/** For all members of the organization. */
export const inOrganization: Authorization = { names: "organization", needs: "member" };
/** For the administrators of the organization. */
export const administers: Authorization = { names: "organization", needs: "admin" };

/** The object that a path names, as far as a caller has got to it. */
export interface Reached {
  readonly project?: ProjectRow;
  readonly organization?: OrganizationRow;
}

/**
 * Lets a caller in who may use a route.
 *
 * @throws Refusal 404 for what the caller does not see, 403 for what is seen but not allowed
 */
export function authorize(
  plane: ControlPlane,
  caller: Caller,
  scope: Authorization,
  parameter: (name: string) => string,
): Reached {
  switch (scope.names) {
    case "nothing":
      if (!scope.for.includes(caller.kind)) throw notForKeysOf(caller);
      return {};
    case "project": {
      const project = plane.tables.projects.get({ id: parameter("project_id") });
      const level = project && levelInProject(plane, caller, project);
      const isHidden = project?.deleted_at !== null && scope.deleted !== true;
      if (!project || level === undefined || isHidden) throw notFound("project");
      requireLevel(caller, level, scope.needs, "project");
      return { project };
    }
    case "organization": {
      const organization = visibleOrganization(plane, caller, parameter("org_id"));
      if (caller.kind === "project") throw notForKeysOf(caller);
      requireLevel(caller, organizationLevel(plane, caller, organization), scope.needs, "organization");
      return { organization };
    }
    default:
      return scope satisfies never;
  }
}

function requireLevel(
  caller: Caller,
  level: MemberRole | undefined,
  needed: MemberRole,
  what: "project" | "organization",
): void {
  if (level === "admin" || level === needed) return;
  if (caller.kind === "project") throw notForKeysOf(caller);
  throw forbidden(
    what === "project"
      ? "only the owner of the project, or an administrator of its organization, is allowed to do this"
      : "only administrators of the organization are allowed to do this",
  );
}

function notForKeysOf({ kind }: Caller): Error {
  return forbidden(`this is not allowed for ${keyNouns[kind]}`);
}
