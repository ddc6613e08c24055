import { NeonError } from "../../api/core/errors";
import { regions } from "../../api/schemas/region";
import type { Context } from "../call/context";
import type { Problem } from "../call/services";
import { closestName } from "../closest-name";
import type { Values } from "../values";

/** Reports a declared `regionId` that does not exist. Checks only new and changed values. */
export async function regionProblems(
  context: Context,
  { regionId, orgId = context.orgId }: Values,
  before: Values | undefined,
): Promise<readonly Problem[]> {
  if (typeof regionId !== "string" || regionId === before?.["regionId"]) return [];
  const known = await regionIds(context, typeof orgId === "string" ? orgId : undefined);
  if (known.length === 0 || known.includes(regionId)) return [];
  const meant = closestName(regionId, known) ?? known.find((one) => one.endsWith(`-${regionId}`));
  const hint = meant === undefined ? `There are ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return [{ property: "regionId", reason: `there is no region "${regionId}". ${hint}` }];
}

/**
 * The ids of the available regions. Empty if they cannot be read: an invalid region then fails the request that uses
 * it.
 */
async function regionIds(context: Context, orgId: string | undefined): Promise<readonly string[]> {
  try {
    return (await context.read(regions.list(orgId))).regions.map(({ region_id: id }) => id);
  } catch (error) {
    if (NeonError.isInstance(error)) return [];
    throw error;
  }
}
