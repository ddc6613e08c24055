import { invalid, type NeonError } from "../../api/errors";
import type { Context } from "../call/context";
import type { ObjectKey } from "../ownership/claim";

/** What tells two objects of one name apart. */
type Identity = { readonly createdAt: string } | { readonly number: number };

/** Warns that an object is not deleted, because it only has the name of the one in the state. */
export function warnOfNamesake(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} was not deleted: it is not the one in the state (${described(saved)}), but another one of the same name (${described(present)}). Delete it if nothing manages it.`,
  );
}

/**
 * Handles an object that only has the name of the one in the state: a refresh warns, and takes it unless another stack
 * manages it.
 *
 * @returns whether the state is to hold it
 * @throws NeonError if the call changes the object, or resumes what an earlier one has left
 */
export async function refreshToNamesake(
  context: Context,
  object: string,
  key: ObjectKey,
  saved: Identity,
  present: Identity,
): Promise<boolean> {
  // The answer to a creation may tell the time differently from what the platform reports afterwards.
  if (!context.isRefresh && !context.progress.hasCreated) throw notTheSame(object, saved, present);
  const isOfOtherStack = await context.isOfOtherRun(key);
  const warn = isOfOtherStack ? warnOfOtherStack : warnOfAnother;
  warn(context, object, saved, present);
  return !isOfOtherStack;
}

/** Warns that from now on the state holds another object than before. */
function warnOfAnother(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} is not the one that was in the state (${described(saved)}), but another one of the same name (${described(present)}). The state holds this one now. If another stack manages it, remove the resource with \`pulumi state delete\`.`,
  );
}

/** Warns that the object in the state is gone, and that another stack has created another one of the same name. */
function warnOfOtherStack(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} is not the one that was in the state (${described(saved)}), but another one of the same name (${described(present)}), which another stack manages. The state does not hold it.`,
  );
}

/** The error of a change to an object that only has the name of the one in the state. */
export function notTheSame(object: string, saved: Identity, present: Identity): NeonError {
  return invalid(
    `The ${object} is not the one in the state (${described(saved)}), but another one of the same name (${described(present)})`,
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

function described(identity: Identity): string {
  return "number" in identity ? `number ${identity.number}` : `created at ${identity.createdAt}`;
}
