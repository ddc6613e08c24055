import { invalid, isNotFound, summaryOf } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import type { Context } from "../call/context";

/**
 * Reads from an organization. A 404 is an error and does not mean absence, because the API key may be unable to see the
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
