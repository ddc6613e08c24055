import { badRequest, unprocessable } from "../../http-error";
import { wholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";
import { hasChildren } from "./branch-state";

const dayMs = 86_400_000;
const maxExpiryDays = 30;

/**
 * Sets, keeps (`undefined`) or clears (`null`) the time at which a branch is deleted.
 *
 * @throws HttpError 400 if the time is out of range, 422 if the branch cannot expire.
 */
export function withExpiry(
  controlPlane: ControlPlane,
  branch: BranchRow,
  expiresAt: string | null | undefined,
): BranchRow {
  if (expiresAt === undefined) return branch;
  if (expiresAt === null) return { ...branch, expires_at: undefined, ttl_interval_seconds: undefined };
  const now = controlPlane.clock.now();
  const expiry = Date.parse(expiresAt);
  if (expiry <= now) throw badRequest("expires_at must be in the future");
  if (expiry > now + maxExpiryDays * dayMs) {
    throw badRequest(`expires_at must be at most ${maxExpiryDays} days ahead`);
  }
  if (branch.protected) throw protectedAndExpiring();
  if (branch.default) throw unprocessable("the default branch cannot expire");
  if (branch.first) throw unprocessable("the root branch the project was created with cannot expire");
  if (hasChildren(controlPlane, branch)) throw unprocessable("a branch with children cannot expire");
  const seconds = Math.round((expiry - now) / 1000);
  return { ...branch, expires_at: wholeSeconds(expiry), ttl_interval_seconds: seconds };
}

/** Restarts the interval after which a branch expires. */
export function withRenewedExpiry({ clock }: ControlPlane, branch: BranchRow): BranchRow {
  const { ttl_interval_seconds: seconds } = branch;
  if (branch.expires_at === undefined || seconds === undefined) return branch;
  return { ...branch, expires_at: wholeSeconds(clock.now() + seconds * 1000) };
}

/** @throws HttpError 422 if the branch expires, because the default branch must not expire */
export function requireLasting({ expires_at }: BranchRow): void {
  if (expires_at !== undefined) throw unprocessable("a branch that expires cannot be the default one");
}

export function protectedAndExpiring(): Error {
  return unprocessable("a protected branch cannot expire");
}
