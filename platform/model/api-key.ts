import { createHash, timingSafeEqual } from "node:crypto";

import type { ControlPlane } from "../control-plane";
import { newKey } from "../ids";
import { notFound } from "../refusal";
import { nextNumber } from "./number";
import type { ApiKeyRow, UserRow } from "./rows";
import { fullName } from "./user";

/** Makes a key; its secret is in the answer and nowhere else. */
export function createKey(plane: ControlPlane, user: UserRow, name: string): { key: string; row: ApiKeyRow } {
  const { apiKeys } = plane.tables;
  const key = newKey();
  const row: ApiKeyRow = {
    id: nextNumber(plane, "apiKey"),
    hash: hashOf(key),
    name,
    user_id: user.id,
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
  const found = tables.apiKeys.get({ hash, revoked_at: null });
  return found && timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash)) ? found : undefined;
}

/** Ends a key's validity at once and for good. */
export function revokeKey(plane: ControlPlane, user: UserRow, id: number): ApiKeyRow {
  const { apiKeys } = plane.tables;
  const found = apiKeys.get({ id, user_id: user.id, revoked_at: null });
  if (!found) throw notFound("API key");
  const revoked = { ...plane.keyUse.latest(found), revoked_at: plane.stamps.next() };
  apiKeys.put(revoked);
  return revoked;
}

/** The keys of a user that are valid, oldest first. */
export function keysOf({ tables, keyUse }: ControlPlane, user: UserRow): ApiKeyRow[] {
  const valid = tables.apiKeys.list({ user_id: user.id, revoked_at: null }, "ORDER BY created_at");
  return valid.map((row) => keyUse.latest(row));
}

/** A key as the list shows it: its maker in full. */
export function keyEntry(row: ApiKeyRow, user: UserRow): object {
  return { ...shown(row), created_by: { id: user.id, name: fullName(user), image: user.image } };
}

/** A key as the answer to its revocation shows it: its maker by id. */
export function revokedAnswer(row: ApiKeyRow): object {
  return { ...shown(row), created_by: row.user_id, revoked: row.revoked_at !== null };
}

function shown({ id, name, created_at, last_used_at, last_used_from_addr }: ApiKeyRow): object {
  return { id, name, created_at, last_used_at, last_used_from_addr };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
