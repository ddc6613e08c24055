import { changesBetween, idOf, type Objects } from "../../support/account";
import { literally } from "../../support/pattern";
import type { Message, Ran } from "../cli-events";

/** The facts about a run, which its messages are compared with. */
export interface Facts {
  readonly before: Objects;
  readonly after: Objects;
  /** The objects in the state of the stack before and after the run. */
  readonly heldBefore: ReadonlySet<string>;
  readonly heldAfter: ReadonlySet<string>;
  /** The objects that other stacks manage. */
  readonly foreign: ReadonlySet<string>;
  readonly ran: Ran;
}

const secret = /napi_\w{20,}|npg_\w{6,}|postgres(ql)?:\/\/[^\s@:"]+:[^\s@"]+@/;
const adoptAdvice = /\badopt: (?:"([^"]+)"|true)/g;
/** Advice with the condition that no other stack manages the object. */
const condition = /\b(if|unless|only)\b[^.]*\b(stack|program|nobody|nothing|no one|no other|another)\b/i;
const gone = /\b(is|was|are) gone\b|\bno longer exists?\b|\bdoes not exist\b|\bThere is no\b/;
/** A claim that admits an alternative. */
const unsure = /\bor this API key does not see\b|\bcannot see\b|\bmay\b/;
const kept = /\bis still there\b|\bnot deleted\b|\bstays\b/;
const takenOver = /\b(is|was) (taken over|adopted)\b/;
const replaced = /\b(is|was) replaced\b|\breplaces this\b/;

/** What is false in a message of a run. */
export function* falsehoods({ is, text, urn }: Message, facts: Facts): Generator<string> {
  const told = `the ${is} "${text}"`;
  if (secret.test(text)) yield `a ${is} has a secret`;
  for (const what of falseClaims(text, urn, facts)) yield `${told} ${what}`;
}

function* falseClaims(text: string, urn: string, facts: Facts): Generator<string> {
  const { before, after, heldBefore, heldAfter, foreign, ran } = facts;
  const about = mentioned(text, [...new Set([...before.keys(), ...after.keys()])]);
  for (const [, id] of text.matchAll(adoptAdvice)) {
    const objects = id === undefined ? about : [...after.keys()].filter((path) => idOf(path) === idOf(id));
    const isDeleted = [...before.keys()].some((path) => id !== undefined && idOf(path) === idOf(id));
    const saysIf = isDeleted && /\bthis run does not delete it\b/.test(text);
    if (id !== undefined && objects.length === 0 && !saysIf) yield `advises to adopt ${id}, which is not there`;
    for (const path of objects) {
      if (foreign.has(path) && !condition.test(text)) yield `advises to adopt ${path}, which is another stack's`;
    }
  }
  if (gone.test(text) && !unsure.test(text)) {
    for (const path of about) if (after.has(path)) yield `says that ${path} is gone, and it is there`;
  }
  if (kept.test(text)) {
    for (const path of about) if (!after.has(path)) yield `says that ${path} is there, and it is gone`;
  }
  if (takenOver.test(text)) {
    for (const path of about) {
      const isNew = heldAfter.has(path) && !heldBefore.has(path);
      if (after.has(path) && !isNew && heldAfter.has(path)) yield `says that ${path} was taken over, and it was not`;
    }
  }
  if (replaced.test(text) && ran.ended === "well" && !Object.values(ran.did).includes("replace")) {
    yield "says that something is replaced, and nothing was";
  }
  yield* falseNothing(text, urn, facts);
}

/** "Nothing was …", while something was. */
function* falseNothing(text: string, urn: string, { before, after, ran }: Facts): Generator<string> {
  const others = Object.entries(ran.did).filter(([name, did]) => !urn.endsWith(`::${name}`) && did !== "same");
  // The message is not about the other resources of the same run.
  if (others.length > 0) return;
  const changes = changesBetween(before, after);
  const nothing = [
    [/Nothing was (made|created)/, "added"],
    [/Nothing was (changed|modified|sent)/, "changed"],
    [/[Nn]othing was deleted/, "removed"],
  ] as const;
  for (const [claim, is] of nothing) {
    const found = claim.test(text) ? changes.find((change) => change.is === is) : undefined;
    if (found !== undefined) yield `says that nothing was ${is}, and ${found.path} was`;
  }
}

/** The objects that a text names by their ids. */
function mentioned(text: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const id = idOf(path);
    // Short names are also words.
    if (id.length < 6 && !/^\d+$/.test(id)) return false;
    return new RegExp(`(^|[^\\w-])${literally(id)}($|[^\\w-])`).test(text);
  });
}
