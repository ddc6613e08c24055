import type { ApiKeyRow } from "./api-key-row";
import type { OrganizationRow } from "./organization-row";
import type { Author, UserRow } from "./user-row";
import { fullName } from "./user";

/** The sender of a request, by the kind of its key. */
export type Caller =
  | { readonly kind: "personal"; readonly key: ApiKeyRow; readonly user: UserRow }
  | { readonly kind: "organization"; readonly key: ApiKeyRow; readonly organization: OrganizationRow }
  | {
      readonly kind: "project";
      readonly key: ApiKeyRow;
      readonly organization: OrganizationRow;
      readonly projectId: string;
    };

export type KeyKind = Caller["kind"];

/** The id of the account that a request counts for. */
export function accountIdOf(caller: Caller): string {
  return caller.kind === "personal" ? caller.user.id : caller.organization.id;
}

/** The creator that an object names: the user, or the organization that owns the key. */
export function authorOf(caller: Caller): Author {
  if (caller.kind === "personal") return { name: fullName(caller.user), image: caller.user.image };
  return { name: caller.organization.name, image: "" };
}
