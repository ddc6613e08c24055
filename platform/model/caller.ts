import { forbidden } from "../http-error";
import { findKey } from "./api-key";
import type { ControlPlane } from "./control-plane";
import type { ApiKeyRow, Author, OrganizationRow, UserRow } from "./rows";
import { fullName } from "./user";

/** Who asks, by the kind of the key. */
export type Caller = PersonalCaller | OrganizationCaller | ProjectCaller;

/** A user, with a key for everything that the user may see. */
export interface PersonalCaller {
  readonly kind: "personal";
  readonly key: ApiKeyRow;
  readonly user: UserRow;
}

/** An organization, with a key for all of its projects. */
export interface OrganizationCaller {
  readonly kind: "organization";
  readonly key: ApiKeyRow;
  readonly organization: OrganizationRow;
}

/** An organization, with a key for one of its projects. */
export interface ProjectCaller {
  readonly kind: "project";
  readonly key: ApiKeyRow;
  readonly organization: OrganizationRow;
  readonly projectId: string;
}

export type KeyKind = Caller["kind"];

/** What the kinds of keys are called. */
export const keyNouns: Readonly<Record<KeyKind, string>> = {
  personal: "personal API keys",
  organization: "organization API keys",
  project: "project-scoped API keys",
};

/** Who sends this secret, if it is that of a valid key. */
export function callerOf(plane: ControlPlane, secret: string): Caller | undefined {
  const { users, organizations } = plane.tables;
  const key = findKey(plane, secret);
  if (!key) return undefined;
  if (key.org_id === undefined) {
    const user = users.get({ id: key.user_id });
    return user && { kind: "personal", key, user };
  }
  const organization = organizations.get({ id: key.org_id });
  if (!organization) return undefined;
  return key.project_id === undefined
    ? { kind: "organization", key, organization }
    : { kind: "project", key, organization, projectId: key.project_id };
}

/** The user of a personal key, where the route is for no other kind. */
export function userOf(caller: Caller): UserRow {
  if (caller.kind !== "personal") throw forbidden(`this is not allowed for ${keyNouns[caller.kind]}`);
  return caller.user;
}

/** The account that a request counts for. */
export function accountOf(caller: Caller): string {
  return caller.kind === "personal" ? caller.user.id : caller.organization.id;
}

/** Whom an object names as the one who made it: a key that is nobody's own names its organization. */
export function authorOf(caller: Caller): Author {
  if (caller.kind === "personal") return { name: fullName(caller.user), image: caller.user.image };
  return { name: caller.organization.name, image: "" };
}
