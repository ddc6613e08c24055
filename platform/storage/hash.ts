import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The stored form of a secret that is only ever compared. A fast hash without salt is enough: the platform's secrets are
 * long and random.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A range of hashes that includes a given hash. An index lookup by range reveals less about a hash than a lookup by equality. */
export function hashRange(hash: string): readonly [from: string, to: string] {
  const start = hash.slice(0, 16);
  return [start, `${start}~`];
}

/** Compares two hashes in constant time. */
export function isEqualHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
