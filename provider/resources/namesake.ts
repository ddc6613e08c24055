import { invalid, type NeonError } from "../../api/errors";
import type { Context } from "../call/context";
import type { ObjectKey } from "../ownership/claim";

/** The object in the state, and the one that has its name now. */
export interface Namesakes {
  /** Such as `role web`. */
  readonly object: string;
  /** What tells each of them from the other, such as `number 5`. */
  readonly saved: string;
  readonly present: string;
}

/** Warns that an object is not deleted, because it only has the name of the one in the state. */
export function warnOfNamesake(context: Context, { object, saved, present }: Namesakes): void {
  context.warn(
    `The ${object} was not deleted: it is not the one in the state (${saved}), but another one of the same name (${present}). Delete it if nothing manages it.`,
  );
}

/**
 * Handles an object that only has the name of the one in the state: a refresh warns, and takes it unless another stack
 * manages it.
 *
 * @returns whether the state is to hold it
 * @throws NeonError if the call changes the object, or resumes what an earlier one has left
 */
export async function refreshToNamesake(context: Context, key: ObjectKey, namesakes: Namesakes): Promise<boolean> {
  // The answer to a creation may tell the time differently from what the platform reports afterwards.
  if (!context.isRefresh && !context.progress.hasCreated) throw notTheSame(namesakes);
  const { object, saved, present } = namesakes;
  const isOfOtherStack = await context.isOfOtherRun(key);
  context.warn(
    isOfOtherStack
      ? `The ${object} is not the one that was in the state (${saved}), but another one of the same name (${present}), which another stack manages. The state does not hold it.`
      : `The ${object} is not the one that was in the state (${saved}), but another one of the same name (${present}). The state holds this one now. If another stack manages it, remove the resource with \`pulumi state delete\`.`,
  );
  return !isOfOtherStack;
}

/** The error of a change to an object that only has the name of the one in the state. */
export function notTheSame({ object, saved, present }: Namesakes): NeonError {
  return invalid(
    `The ${object} is not the one in the state (${saved}), but another one of the same name (${present})`,
    {
      fix: "If no other stack manages it, run `pulumi refresh`, and then `pulumi up`. Otherwise declare another name.",
    },
  );
}

/** The error of a change to an object without an identity that is not as the state holds it. */
export function notAsInState(object: string): NeonError {
  return invalid(`The ${object} is not as in the state any more: another program may have set it`, {
    fix: "If no other stack manages it, run `pulumi refresh`, and then the same command again. Otherwise remove the resource with `pulumi state delete`.",
  });
}
