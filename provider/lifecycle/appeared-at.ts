import type { Values } from "../values";

/**
 * When an object appeared, as the platform reports it, if it does: for a permission, when it was granted; for
 * everything else, when it was created.
 */
export function appearedAt({ createdAt, grantedAt = createdAt }: Values): string | undefined {
  return typeof grantedAt === "string" ? grantedAt : undefined;
}
