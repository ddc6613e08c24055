import { forbidden, notFound } from "../../http-error";
import { getVisibleOrganization, roleInOrganization, roleInProject } from "../accounts/access";
import type { Caller, KeyKind } from "../accounts/caller";
import type { ControlPlane } from "../control-plane";
import type { MemberRole } from "../accounts/membership-row";
import type { OrganizationRow } from "../accounts/organization-row";
import type { BranchRow } from "../branches/branch-row";
import type { ProjectRow } from "../projects/project-row";

/**
 * The callers that may use a route. Every route declares them, and {@link authorize} checks the caller before the route's handler
 * runs, so that no handler can forget to check.
 */
export type Authorization =
  /** The path names no project or organization: only the kind of key matters. */
  | { readonly target: "none"; readonly keys: readonly KeyKind[] }
  /** The path names a project, or one of its branches, and the key must be able to see the project. */
  | { readonly target: "project" | "branch"; readonly role: MemberRole; readonly includeDeleted?: true }
  /** The path names an organization. Project-scoped keys are not allowed. */
  | { readonly target: "organization"; readonly role: MemberRole };

/** Every key. */
export const anyKey = {
  target: "none",
  keys: ["personal", "organization", "project"],
} as const satisfies Authorization;
/** Every key except project-scoped ones. */
export const accountKey = { target: "none", keys: ["personal", "organization"] } as const satisfies Authorization;
/** Personal keys only. */
export const personalKey = { target: "none", keys: ["personal"] } as const satisfies Authorization;
/** Everybody who can see the project. */
export const projectMember = { target: "project", role: "member" } as const satisfies Authorization;
/** Everybody who can see the project of the branch. */
export const branchMember = { target: "branch", role: "member" } as const satisfies Authorization;
/** The owner of the project, or an administrator of its organization. */
export const projectOwner = { target: "project", role: "admin" } as const satisfies Authorization;
/** The owner of a project that may be deleted, or an administrator of its organization. */
export const deletedProjectOwner = {
  target: "project",
  role: "admin",
  includeDeleted: true,
} as const satisfies Authorization;
/** All members of the organization. */
export const organizationMember = { target: "organization", role: "member" } as const satisfies Authorization;
/** The administrators of the organization. */
export const organizationAdmin = { target: "organization", role: "admin" } as const satisfies Authorization;

/** The caller of an authorized request, and the objects in its path. */
export type Authorized<Access extends Authorization> = {
  readonly none: { readonly caller: Extract<Caller, { readonly kind: KeysOf<Access> }> };
  readonly project: { readonly caller: Caller; readonly project: ProjectRow };
  readonly branch: { readonly caller: Caller; readonly project: ProjectRow; readonly branch: BranchRow };
  readonly organization: { readonly caller: Caller; readonly organization: OrganizationRow };
}[Access["target"]];

type KeysOf<Access> = Access extends { readonly keys: readonly (infer Kind)[] } ? Kind : never;

const keyKindNames: Readonly<Record<KeyKind, string>> = {
  personal: "personal API keys",
  organization: "organization API keys",
  project: "project-scoped API keys",
};

/**
 * Checks that a caller may call a route, and returns the project or organization in its path.
 *
 * @throws HttpError 404 if the caller cannot see the target, 403 if the caller can see the target but must not do this.
 */
export function authorize(
  controlPlane: ControlPlane,
  caller: Caller,
  authorization: Authorization & { readonly method: string; readonly changesNothing?: boolean },
  parameter: (name: string) => string,
): { readonly project?: ProjectRow; readonly organization?: OrganizationRow } {
  switch (authorization.target) {
    case "none":
      if (!authorization.keys.includes(caller.kind)) throw notAllowedFor(caller);
      return {};
    case "project":
    case "branch": {
      const project = controlPlane.tables.projects.getOr404("project", { id: parameter("project_id") });
      const role = roleInProject(controlPlane, caller, project);
      const isHidden = project.deleted_at !== null && authorization.includeDeleted !== true;
      if (role === undefined || isHidden) throw notFound("project");
      const changesNothing = authorization.changesNothing ?? authorization.method === "GET";
      if (role === "viewer" && (!changesNothing || authorization.role === "admin")) throw onlyReads();
      assertRole(
        caller,
        role === "viewer" ? "member" : role,
        authorization.role,
        "only the owner of the project, or an administrator of its organization, is allowed to do this",
      );
      return { project };
    }
    case "organization": {
      const organization = getVisibleOrganization(controlPlane, caller, parameter("org_id"));
      if (caller.kind === "project") throw notAllowedFor(caller);
      assertRole(
        caller,
        roleInOrganization(controlPlane, caller, organization.id),
        authorization.role,
        "only administrators of the organization are allowed to do this",
      );
      return { organization };
    }
    default:
      return authorization satisfies never;
  }
}

/** Whether a caller may change what belongs to a project that it can see. @throws HttpError 403 */
export function requireWriter(controlPlane: ControlPlane, caller: Caller, project: ProjectRow): void {
  if (roleInProject(controlPlane, caller, project) === "viewer") throw onlyReads();
}

const onlyReads = (): Error => forbidden("your role in the project only allows you to read it");

function assertRole(caller: Caller, role: MemberRole | undefined, required: MemberRole, message: string): void {
  if (role === "admin" || role === required) return;
  throw caller.kind === "project" ? notAllowedFor(caller) : forbidden(message);
}

function notAllowedFor({ kind }: Caller): Error {
  return forbidden(`this is not allowed for ${keyKindNames[kind]}`);
}
