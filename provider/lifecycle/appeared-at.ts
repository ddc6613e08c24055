import type { Values } from "../values";

/** When an object appeared, in the platform's words, if it reports that: a permission is granted, everything else created. */
export function appearedAt({ createdAt, grantedAt = createdAt }: Values): string | undefined {
  return typeof grantedAt === "string" ? grantedAt : undefined;
}
