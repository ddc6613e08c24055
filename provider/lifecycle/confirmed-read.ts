import { isNotFound, NeonError } from "../../api/core/errors";
import type { Reads } from "../call/requests";
import { ruleFor, same } from "../kind/field-rules";
import type { Values } from "../values";
import { notAsInState, notTheSame, otherInState } from "./errors";
import type { Work } from "./work";

/**
 * Reads the object in the state. A refresh accepts another object that now has the same id; any other call refuses it.
 *
 * @throws NeonError if another object has the id
 */
export async function readSame(work: Work, state: Values): Promise<Values | undefined> {
  const { kind } = work;
  const found = await kind.read(work, state);
  // The response to a creation can give another time than later reads.
  if (found === undefined || isSame(work, state, found) || work.progress.hasCreated) return found;
  if (!work.isRefresh) throw notTheSame(kind, state, found);
  work.warn(otherInState(kind, state, found));
  return found;
}

/**
 * Reads an object for the state. A result from a list is confirmed by a read of the object alone before it causes a
 * change or a warning.
 */
export async function readConfirmed<Result>(
  work: Work,
  reads: Reads,
  read: () => Promise<Result>,
  isKnown: (result: Result) => boolean,
): Promise<Result> {
  const { requests } = work;
  const warnings: string[] = [];
  work.unconfirmed = warnings;
  const { result, isListed } = await requests.reading(reads, read).finally(() => {
    work.unconfirmed = undefined;
  });
  if (isListed && (warnings.length > 0 || !isKnown(result))) return (await requests.reading("alone", read)).result;
  for (const warning of warnings) work.warn(warning);
  return result;
}

/** Whether a found object is the one in the state, not one that was created later and has the same id. */
export function isSame({ kind: { identity } }: Work, state: Values, found: Values): boolean {
  if (identity === undefined || identity.isSetting === true) return true;
  const [before, now] = [state[identity.by], found[identity.by]];
  return before === undefined || same({ equality: "instant" }, before, now);
}

/** The other object that now has the id of the object, if there is one. */
export async function otherOfSameId(work: Work, state: Values): Promise<Values | undefined> {
  const { identity } = work.kind;
  if (identity === undefined || identity.isSetting === true || state[identity.by] === undefined) return undefined;
  const now = await identity.read(work, state);
  const isOther = now !== undefined && !same({ equality: "instant" }, state[identity.by], now);
  return isOther ? { ...state, [identity.by]: now } : undefined;
}

/** Limits the changes of the call, from now on, to the object in this state. */
export function guardObject(work: Work, state: Values): void {
  const { kind } = work;
  work.overtaken = async () => {
    const other = await otherOfSameId(work, state);
    return other && { by: "object", error: notTheSame(kind, state, other) };
  };
}

/**
 * Limits the delete of the call to the object in this state. The delete of a setting is repeated only while its value
 * is as in the state, because another program can have set it since.
 */
export function guardDeletion(work: Work, state: Values): void {
  const { kind } = work;
  const { identity, rules } = kind;
  if (identity?.isSetting !== true) {
    guardObject(work, state);
    return;
  }
  work.overtaken = async () => {
    const now = await identity.read(work, state);
    const isAsInState = now === undefined || same(ruleFor(rules, identity.by), now, state[identity.by]);
    return isAsInState ? undefined : { by: "setting", error: notAsInState(kind, state) };
  };
}

/**
 * Reads an object. It counts as gone only after a second read, if its list does not have it either and the account
 * could see it. Otherwise, a wrong answer would create the object again.
 */
export async function confirmedRead(work: Work, state: Values): Promise<Values | undefined> {
  return (await readSame(work, state)) ?? readAgain(work, state);
}

/** Whether a call failed because its object is gone: the error is a 404, and a read confirms it. */
export async function isGone(work: Work, error: unknown): Promise<boolean> {
  const state = work.progress.object?.outputs;
  if (!isNotFound(error) || state === undefined) return false;
  const found = await readAgain(work, state).catch((cause: unknown) => {
    // This key cannot see the object's project.
    if (NeonError.isInstance(cause) && cause.kind === "invalid") throw cause;
    return state;
  });
  return found === undefined;
}

/** Reads the object a second time, to confirm that it is gone. Returns it if it exists after all. */
async function readAgain(work: Work, state: Values): Promise<Values | undefined> {
  const { result } = await work.requests.reading("confirmed", () => readSame(work, state));
  if (result === undefined) await work.assertVisible();
  return result;
}
