import { hashOf, hashRange, isEqualHash } from "../../storage/hash";
import { newKey } from "../../storage/ids";
import { publicMembers } from "../../storage/table";
import { inWholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { type ApiKeyRow, apiKeyTable } from "./api-key-row";
import { nextSequenceNumber } from "../sequence";
import { fullName } from "./user";

/** The name of the keys that a sign-in creates. */
export const signInKeyName = "console sign-in";

/** Who owns a key: the organization if there is one, otherwise the user. The user is always the creator. */
type KeyOwner = Pick<ApiKeyRow, "user_id" | "org_id" | "project_id">;

/** Selects the personal keys of a user, or the keys of an organization including its project-scoped ones. */
export type KeyFilter = { readonly user_id: string; readonly org_id: null } | { readonly org_id: string };

interface CreatedKey {
  /** The secret, which only the response to this creation holds. */
  readonly key: string;
  readonly row: ApiKeyRow;
}

export function createKey(controlPlane: ControlPlane, owner: KeyOwner, name: string): CreatedKey {
  const key = newKey();
  const row: ApiKeyRow = {
    id: nextSequenceNumber(controlPlane, "apiKey"),
    hash: hashOf(key),
    name,
    ...owner,
    created_at: controlPlane.timestamps.next(),
    last_used_at: null,
    last_used_from_addr: "",
    revoked_at: null,
  };
  controlPlane.tables.apiKeys.put(row);
  return { key, row };
}

/** The key with a secret, unless it is revoked. */
export function findKey({ tables }: ControlPlane, secret: string): ApiKeyRow | undefined {
  const hash = hashOf(secret);
  const candidates = tables.apiKeys.list({ revoked_at: null }, "AND hash BETWEEN ? AND ?", ...hashRange(hash));
  return candidates.find((row) => isEqualHash(row.hash, hash));
}

/** Keys that are not revoked, oldest first. */
export function listKeys({ tables, keyUsage }: ControlPlane, filter: KeyFilter): ApiKeyRow[] {
  const valid = tables.apiKeys.list({ ...filter, revoked_at: null }, "ORDER BY created_at");
  return valid.map((row) => keyUsage.withLatest(row));
}

/** @throws HttpError 404 */
export function revokeKey(controlPlane: ControlPlane, filter: KeyFilter, id: number): ApiKeyRow {
  return revoke(controlPlane, controlPlane.tables.apiKeys.getOr404("API key", { id, ...filter, revoked_at: null }));
}

/** Revokes all project-scoped keys of a project. */
export function revokeKeysOfProject(controlPlane: ControlPlane, projectId: string): void {
  for (const row of controlPlane.tables.apiKeys.list({ project_id: projectId, revoked_at: null })) {
    revoke(controlPlane, row);
  }
}

/** A new key with its secret. */
export function createdKeyResponse({ key, row }: CreatedKey): object {
  const { id, name, created_at, user_id, project_id } = row;
  return inWholeSeconds({ id, key, name, created_at, created_by: user_id, project_id });
}

/** A key in a list: its creator is an object. */
export function keyListItem({ tables }: ControlPlane, row: ApiKeyRow): object {
  const user = tables.users.get({ id: row.user_id });
  return {
    ...publicMembers(apiKeyTable, row),
    created_by: { id: row.user_id, name: user ? fullName(user) : "", image: user?.image ?? "" },
  };
}

/** A revoked key: its creator is an id. */
export function revokedKeyResponse(row: ApiKeyRow): object {
  return { ...publicMembers(apiKeyTable, row), created_by: row.user_id, revoked: row.revoked_at !== null };
}

function revoke({ tables, keyUsage, timestamps }: ControlPlane, row: ApiKeyRow): ApiKeyRow {
  const revoked = { ...keyUsage.withLatest(row), revoked_at: timestamps.next() };
  tables.apiKeys.put(revoked);
  return revoked;
}
