import { createHash, randomBytes } from "node:crypto";

/** The id of a creation, an adoption or a change: random, so that nothing else has it. */
export function newId(): string {
  return randomBytes(8).toString("hex");
}

/** A hash of texts that may be secret or private: it tells them apart without showing them. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}
