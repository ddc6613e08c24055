import { isNotFound, PlatformError, summaryOf } from "../../../api/errors";
import type { Context } from "../../kind/context";

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
export async function invisible(context: Context, orgId: string, error: unknown): Promise<unknown> {
  if (!isNotFound(error)) return error;
  return new PlatformError(
    "invalid",
    `Organization ${orgId} was not found, but this API key may be unable to see it: the key belongs to ${await context.visibility.keyOwner()} (${summaryOf(error)})`,
    error,
    {
      fix: "Use a key of one of the organization's members. If the organization was deleted, remove what belonged to it from the state with `pulumi state delete`.",
    },
  );
}
