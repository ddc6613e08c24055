import { createHash, randomBytes } from "node:crypto";

/** A new id of a creation, an adoption or a change. It is random, so that no other one has it. */
export function newId(): string {
  return randomBytes(8).toString("hex");
}

/** The hash that stands in the state for an input that it does not hold. A text is such a hash already. */
export function hashOfInput(input: unknown): string {
  if (typeof input === "string") return input;
  const members = Object.entries(input ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return hashOf(JSON.stringify(members));
}

/** A hash of texts that may be secret or private. It tells the texts apart without showing them. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}
