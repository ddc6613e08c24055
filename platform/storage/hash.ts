import { createHash, timingSafeEqual } from "node:crypto";

/**
 * What is kept of a secret that only has to be recognized again. It needs neither salt nor many rounds: the platform's
 * secrets are random and too long to be guessed.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Where among hashes those begin and end that can be this one: an index tells no more of it than that. */
export function hashesNear(hash: string): readonly [from: string, to: string] {
  const beginning = hash.slice(0, 16);
  return [beginning, `${beginning}~`];
}

/** Whether two hashes are the same, in a time that does not tell how far they are. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
