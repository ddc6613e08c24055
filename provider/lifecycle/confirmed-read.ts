import { isNotFound, NeonError } from "../../api/core/errors";
import type { Reads } from "../call/requests";
import { ruleFor, same } from "../kind/field-rules";
import type { Values } from "../values";
import { notAsInState, notTheSame, otherInState } from "./errors";
import type { Work } from "./work";

/**
 * Reads the object of the state. A refresh also takes another one that has its id by now; any other call leaves it alone.
 *
 * @throws NeonError if it is another one
 */
export async function readSame(work: Work, state: Values): Promise<Values | undefined> {
  const { kind } = work;
  const found = await kind.read(work, state);
  // The answer to a creation may tell the time differently from what the platform reports afterwards.
  if (found === undefined || isSame(work, state, found) || work.progress.hasCreated) return found;
  if (!work.isRefresh) throw notTheSame(kind, state, found);
  work.warn(otherInState(kind, state, found));
  return found;
}

/** Reads an object for the state. What only a list has said is read alone before anything is concluded from it, or warned of. */
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

/** Whether an object is the one in the state, not another one that was created later and has its id. */
export function isSame({ kind: { identity } }: Work, state: Values, found: Values): boolean {
  if (identity === undefined || identity.isSetting === true) return true;
  const [before, now] = [state[identity.by], found[identity.by]];
  return before === undefined || same({ equality: "instant" }, before, now);
}

/** What has the id of the object by now, if that is another one. */
export async function otherOfSameId(work: Work, state: Values): Promise<Values | undefined> {
  const { identity } = work.kind;
  if (identity === undefined || identity.isSetting === true || state[identity.by] === undefined) return undefined;
  const now = await identity.read(work, state);
  const isOther = now !== undefined && !same({ equality: "instant" }, state[identity.by], now);
  return isOther ? { ...state, [identity.by]: now } : undefined;
}

/** From now on, changes of the call reach only the object of this state. */
export function guardObject(work: Work, state: Values): void {
  const { kind } = work;
  work.overtaken = async () => {
    const other = await otherOfSameId(work, state);
    return other && { by: "object", error: notTheSame(kind, state, other) };
  };
}

/** The same of a delete. One of a setting is sent again only while that is as in the state: another program can have set it since. */
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
 * Reads an object. That it is gone is believed only after a second read, if its list does not have it, either, and only of an
 * account that could see it: otherwise the object would be created again.
 */
export async function confirmedRead(work: Work, state: Values): Promise<Values | undefined> {
  return (await readSame(work, state)) ?? readAgain(work, state);
}

/** Whether a call failed because its object is gone: a 404, confirmed by a read. */
export async function isGone(work: Work, error: unknown): Promise<boolean> {
  const state = work.progress.object?.outputs;
  if (!isNotFound(error) || state === undefined) return false;
  const found = await readAgain(work, state).catch((cause: unknown) => {
    // This key cannot see what the object belongs to.
    if (NeonError.isInstance(cause) && cause.kind === "invalid") throw cause;
    return state;
  });
  return found === undefined;
}

/** The second evidence that an object is gone; the object, if it is there after all. */
async function readAgain(work: Work, state: Values): Promise<Values | undefined> {
  const { result } = await work.requests.reading("confirmed", () => readSame(work, state));
  if (result === undefined) await work.assertVisible();
  return result;
}
