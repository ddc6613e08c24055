import type { KindName } from "../../../provider/frozen-entry";
import { type Account, changesBetween, isWithin } from "../../support/account";
import type { Values } from "../../support/provider-server";
import type { Sample } from "../../support/sample";
import { pathOf } from "../../support/samples";
import { type Did, nameIn } from "../cli-events";
import { type Facts, falsehoods } from "./message-facts";

/** A resource in the state of a stack. */
export interface Held {
  readonly urn: string;
  readonly id: string;
  readonly kind: KindName;
  readonly outputs: Values;
  /** Only read, by `get` of a class. */
  readonly external?: boolean;
  /** Replaced, and still to be deleted. */
  readonly delete?: boolean;
}

/** The step of a run for a resource; `adopt` creates nothing. */
type Outcome = Did | "adopt";

/** The expected result of a run. */
export interface Expected {
  /** Resources that are not named stay unchanged. Default: whatever it does. */
  readonly did?: Readonly<Record<string, Outcome>> | undefined;
  /** Whether it may warn. Default: only about a replacement. */
  readonly warns?: boolean;
  /** Whether it succeeds. Default: it does. */
  readonly ends?: "well" | "badly" | "either";
  /** Whether resources leave the state while their objects stay. */
  readonly releases?: boolean;
  /** Its errors name both accounts. */
  readonly namesAccounts?: boolean;
}

export interface Judged extends Facts {
  readonly program: string;
  readonly held: readonly Held[];
  readonly scene: { readonly sample: Sample; readonly owner: Account; readonly stranger: Account };
}

/** Where a run has changed what it should not, or program, state and platform do not agree. */
export function* mistakes(run: Judged, expected: Expected): Generator<string> {
  yield* strayChanges(run);
  yield* strayState(run, expected);
  yield* otherSteps(run, expected);
}

/** Changes of objects that the stack does not manage. */
function* strayChanges({ before, after, heldBefore, heldAfter, foreign }: Judged): Generator<string> {
  const own = [...heldBefore, ...heldAfter];
  for (const { path, is, members } of changesBetween(before, after)) {
    const list = members.length === 0 ? "" : ` (${members.join(", ")})`;
    if (!own.some((whole) => isWithin(path, whole))) {
      yield is === "added"
        ? `created ${path}, and it is in no state`
        : `${path}, which the stack does not manage, was ${is}${list}`;
    } else if (foreign.has(path)) {
      yield `${path}, which another stack manages, was ${is}${list}`;
    }
  }
}

/** Where the state and the platform do not agree. */
function* strayState(run: Judged, { releases = false }: Expected): Generator<string> {
  const { before, after, heldBefore, heldAfter, foreign, ran, program, held } = run;
  for (const path of heldBefore) {
    if (!heldAfter.has(path) && after.has(path) && !releases)
      yield `${path} was dropped from the state, and it is still there`;
  }
  const adopts = /"adopt":|\bimport:/.test(program);
  const managed = held.filter(({ external }) => external !== true);
  for (const path of managed.map(pathOf)) {
    if (heldBefore.has(path)) continue;
    if (foreign.has(path)) yield `${path}, which is another stack's, was taken over`;
    else if (before.has(path) && !adopts) yield `${path} was taken over, and the program does not adopt it`;
  }
  if (ran.ended === "badly") return;
  for (const path of heldAfter) if (!after.has(path)) yield `${path} is in the state, and it is not there`;
  for (const one of managed) {
    const path = pathOf(one);
    const twin = managed.find((other) => other !== one && pathOf(other) === path);
    const createdAt = after.get(path)?.["created_at"];
    // An object that a killed run has created can replace it.
    const isOld = heldBefore.has(path) && createdAt !== undefined && before.get(path)?.["created_at"] === createdAt;
    if (ran.did[nameIn(one.urn)] === "replace" && isOld) yield `${path} was replaced by itself`;
    if (twin !== undefined && twin.urn < one.urn)
      yield `${nameIn(one.urn)} and ${nameIn(twin.urn)} both manage ${path}`;
    const { password } = one.outputs;
    if (one.kind === "Role" && typeof password === "string" && password !== after.get(path)?.["password"]) {
      yield `the password of ${path} in the state is not the one in force`;
    }
  }
}

/** Where the run differs from the expected result. */
function* otherSteps({ before, ran, held }: Judged, { did, ends = "well" }: Expected): Generator<string> {
  if (ends !== "either" && ran.ended !== ends) {
    yield `it ends ${ran.ended}: ${errorsOf({ ran }).join(" / ")}`;
  }
  if (did === undefined || ran.ended === "badly") return;
  const isThere = (name: string): boolean =>
    held.some((one) => nameIn(one.urn) === name && one.delete !== true && before.has(pathOf(one)));
  for (const name of new Set([...Object.keys(did), ...Object.keys(ran.did)])) {
    const actual = ran.did[name] === "create" && isThere(name) ? "adopt" : ran.did[name];
    const wanted = did[name] ?? "same";
    if (actual !== wanted) yield `${name}: ${actual ?? "nothing"} instead of ${wanted}`;
  }
}

/** The problems in the messages of a run. */
export function* misstatements(
  run: Judged,
  { did = {}, warns = false, ends = "well", namesAccounts = false }: Expected,
): Generator<string> {
  const { messages, ended } = run.ran;
  for (const message of messages) yield* falsehoods(message, run);
  if (ended === "well" && !warns && !Object.values(did).includes("replace")) {
    // An adoption sets what the platform never reports, and says so.
    const sets = run.scene.sample.sentOnAdoption !== undefined;
    const others = messages.filter(({ text }) => !sets || !text.startsWith("Adopting the "));
    for (const { is, text } of others) yield `an unexpected ${is}: ${text}`;
  }
  if (ended === "badly" && ends !== "well" && errorsOf(run).length === 0) yield "it fails without an error";
  if (namesAccounts && ended === "badly") yield* unnamedAccounts(run);
}

function* unnamedAccounts(run: Judged): Generator<string> {
  const { owner, stranger } = run.scene;
  const errors = errorsOf(run);
  const isNamed = (patterns: readonly RegExp[], names: readonly string[]): boolean =>
    errors.some((text) => patterns.some((one) => one.test(text)) || names.some((name) => text.includes(name)));
  if (!isNamed([/[Oo]rganization org-/], owner.names))
    yield `no error names the owner's account: ${errors.join(" / ")}`;
  if (!isNamed([], stranger.names)) yield `no error names the stranger's account: ${errors.join(" / ")}`;
}

function errorsOf({ ran }: Pick<Judged, "ran">): readonly string[] {
  return ran.messages.flatMap(({ is, text }) => (is === "error" ? [text] : []));
}
