import { notFound } from "../http-error";
import { hashesNear, hashOf, isSameHash } from "../storage/hash";
import { newKey } from "../storage/ids";
import type { ControlPlane } from "./control-plane";
import { nextNumber } from "./number";
import type { ApiKeyRow } from "./rows";
import { fullName } from "./user";

/** Whose a key is: a user's, or else an organization's, made by a user. */
export type KeyHolder = Pick<ApiKeyRow, "user_id" | "org_id" | "project_id">;

/** Makes a key; its secret is in the answer and nowhere else. */
export function createKey(plane: ControlPlane, holder: KeyHolder, name: string): { key: string; row: ApiKeyRow } {
  const { apiKeys } = plane.tables;
  const key = newKey();
  const row: ApiKeyRow = {
    id: nextNumber(plane, "apiKey"),
    hash: hashOf(key),
    name,
    ...holder,
    created_at: plane.stamps.next(),
    last_used_at: null,
    last_used_from_addr: "",
    revoked_at: null,
  };
  apiKeys.put(row);
  return { key, row };
}

/** The key with this secret, unless it was revoked. */
export function findKey({ tables }: ControlPlane, secret: string): ApiKeyRow | undefined {
  const hash = hashOf(secret);
  const near = tables.apiKeys.list({ revoked_at: null }, "AND hash BETWEEN ? AND ?", ...hashesNear(hash));
  return near.find((row) => isSameHash(row.hash, hash));
}

/** Whose keys are meant: those of a user's own, or of an organization and of its single projects. */
export type KeyRing = { readonly user_id: string; readonly org_id: null } | { readonly org_id: string };

/** Ends a key's validity at once and for good. */
export function revokeKey(plane: ControlPlane, ring: KeyRing, id: number): ApiKeyRow {
  const found = plane.tables.apiKeys.get({ id, ...ring, revoked_at: null });
  if (!found) throw notFound("API key");
  return revoke(plane, found);
}

/** Ends the validity of all keys that are for a project alone. */
export function revokeKeysOfProject(plane: ControlPlane, projectId: string): void {
  for (const row of plane.tables.apiKeys.list({ project_id: projectId, revoked_at: null })) revoke(plane, row);
}

/** The keys of a ring that are valid, oldest first. */
export function keysOf({ tables, keyUse }: ControlPlane, ring: KeyRing): ApiKeyRow[] {
  const valid = tables.apiKeys.list({ ...ring, revoked_at: null }, "ORDER BY created_at");
  return valid.map((row) => keyUse.latest(row));
}

/** A key as the answer to its creation shows it: the only one with its secret. */
export function createdAnswer({ key, row }: { key: string; row: ApiKeyRow }): object {
  const { id, name, created_at, user_id, project_id } = row;
  return { id, key, name, created_at, created_by: user_id, ...(project_id !== undefined && { project_id }) };
}

/** A key as the list shows it: its maker in full. */
export function keyEntry({ tables }: ControlPlane, row: ApiKeyRow): object {
  const user = tables.users.get({ id: row.user_id });
  return {
    ...shown(row),
    created_by: { id: row.user_id, name: user ? fullName(user) : "", image: user?.image ?? "" },
  };
}

/** A key as the answer to its revocation shows it: its maker by id. */
export function revokedAnswer(row: ApiKeyRow): object {
  return { ...shown(row), created_by: row.user_id, revoked: row.revoked_at !== null };
}

function shown({ id, name, created_at, last_used_at, last_used_from_addr, project_id }: ApiKeyRow): object {
  const project = project_id === undefined ? {} : { project_id };
  return { id, name, created_at, last_used_at, last_used_from_addr, ...project };
}

function revoke(plane: ControlPlane, row: ApiKeyRow): ApiKeyRow {
  const revoked = { ...plane.keyUse.latest(row), revoked_at: plane.stamps.next() };
  plane.tables.apiKeys.put(revoked);
  return revoked;
}
