import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The stored form of a secret that is only ever compared. A fast hash without salt is enough: the platform's secrets are
 * long and random.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two hashes in constant time. */
export function isEqualHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
