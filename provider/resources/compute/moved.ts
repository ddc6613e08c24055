import { invalid, type NeonError } from "../../../api/core/errors";
import type { Context } from "../../call/context";
import { readEndpoint } from "./read";

/** A compute, and the branch that it belongs to as far as the state knows. */
export interface ComputeAddress {
  readonly projectId: string;
  readonly branchId: string;
  readonly endpointId: string;
}

/**
 * The branch that the compute belongs to now, if that is another one: finalizing the restore of a snapshot moves
 * computes.
 */
export async function branchItMovedTo(
  context: Context,
  { projectId, branchId, endpointId }: ComputeAddress,
): Promise<string | undefined> {
  const now = (await readEndpoint(context, projectId, endpointId))?.branch_id;
  return now === branchId ? undefined : now;
}

/** Warns that a compute is not deleted, because it belongs to another branch now. */
export function warnOfMoved(context: Context, { branchId, endpointId }: ComputeAddress, movedTo: string): void {
  context.warn(
    `The compute ${endpointId} of branch ${branchId} was not deleted: it belongs to branch ${movedTo} now. A restore of a snapshot moves it, if it is finalized.`,
  );
}

/** Instructions to manage a moved compute with a resource of its own. */
export function managedThere({ endpointId }: ComputeAddress, movedTo: string): string {
  return `Remove the resource with \`pulumi state delete\`. To manage this compute then, declare \`branchId: "${movedTo}"\` and \`adopt: "${endpointId}"\`.`;
}

/** The error of a change to a compute that belongs to another branch now. */
export function movedAway({ branchId, endpointId }: ComputeAddress, movedTo: string, fix: string): NeonError {
  return invalid(
    `The compute ${endpointId} of branch ${branchId} was not changed: it belongs to branch ${movedTo} now`,
    { fix },
  );
}
