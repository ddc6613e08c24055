import { factOf, isNotFound, PlatformError } from "../../api/errors";
import type { Context } from "../context";

/** The organization that a program means: the one it declares, or else the account's. */
export function organizationOf(context: Context, declared: string | undefined): string {
  const orgId = declared ?? context.orgId;
  if (orgId !== undefined) return orgId;
  // `check` has asked for it; the settings can have changed since.
  throw new PlatformError("invalid", "orgId is required: declare it, or set neon:orgId.", undefined);
}

/**
 * A list of an organization's that is not found says nothing of what is in it: nothing may count as gone because a key is
 * used that does not see the organization.
 */
export function invisible(orgId: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  return new PlatformError(
    "invalid",
    `There is no organization ${orgId}, or this API key does not see it, so that nothing is known of what belongs to it (${factOf(error)})`,
    error,
    {
      mend: "Use a key of one of its members. If the organization is gone, take what belonged to it and is in the state out of there with `pulumi state delete`.",
    },
  );
}
