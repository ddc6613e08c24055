import { invalid, isNotFound, summaryOf } from "../../api/errors";
import type { Request } from "../../api/request";
import type { Context } from "../call/context";
import type { Defaults } from "../kind/kind";

/** The organization of a resource: the declared one, or the one of the provider's settings. */
export function organizationOf(defaults: Defaults, declared: string | undefined): string {
  const orgId = declared ?? defaults.orgId;
  if (orgId !== undefined) return orgId;
  // `check` requires it, but the settings can have changed since.
  throw invalid("orgId is required: declare it, or set neon:orgId");
}

/**
 * Reads from an organization. A 404 fails instead of counting as absence: the API key may be unable to see the
 * organization.
 */
export async function readOrganization<Answer>(
  context: Pick<Context, "read" | "visibility">,
  orgId: string,
  request: Request<Answer>,
): Promise<Answer> {
  try {
    return await context.read(request);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw invalid(
      `Organization ${orgId} was not found, but this API key may be unable to see it: the key belongs to ${(await context.visibility.keyOwner()) ?? "another account"} (${summaryOf(error)})`,
      {
        cause: error,
        fix: "Use a key of one of the organization's members. If the organization was deleted, remove its resources from the state with `pulumi state delete`.",
      },
    );
  }
}
