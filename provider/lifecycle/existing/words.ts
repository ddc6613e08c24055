import { invalid, NeonError, summaryOf } from "../../../api/core/errors";
import { segmentsOf } from "../../kind/id";
import { adjustments } from "../../kind/differences";
import { canOmit, withArticle } from "../../kind/input-problems";
import { presentAt, ruleFor } from "../../kind/field-rules";
import type { AnyKind } from "../../kind/kind";
import { uniqueInputs } from "../../kind/natural-key";
import { titleOf } from "../../ownership/claim";
import { formerUrns } from "../../ownership/ownership-tag";
import { atPath, type Values } from "../../values";
import { appearedAt } from "../appeared-at";
import { instead } from "../errors";
import type { Work } from "../work";
import { type Maker, mayBeMoved } from "./maker";
import { unreportedInputs } from "./obstacles";
import { type Candidate, isForeign } from "./verdict";

// The messages for the user about a verdict.

/** The call of the new resource. */
type Caller = Pick<Work, "kind" | "call">;

// An object is adopted

/**
 * The text of a preview about an adopted object: the changes that the adoption makes and, if the setting for a whole
 * run adopts it, what created the object. Undefined if there is nothing to report.
 */
export function adoptionText(caller: Caller, inputs: Values, found: Candidate): string | undefined {
  const { kind } = caller;
  const { outputs } = found;
  const object = `${kind.noun} ${kind.id(outputs)}`;
  const changed = adjustments(kind, outputs, inputs);
  const isUnread = (path: string): boolean =>
    ruleFor(kind.rules, path).content !== undefined && presentAt(kind.rules, outputs, path) === undefined;
  const changes = `Adopting the ${object} changes it: ${withPresentValues(changed, outputs, isUnread)}.`;
  const isDeclared = inputs["adopt"] !== undefined;
  if (isDeclared && changed.length === 0) return undefined;
  const origin = isDeclared ? undefined : originText(caller, found);
  const unreported = unreportedInputs(kind, inputs, outputs).map((path) => `\`${path}\``);
  return [
    changed.length === 0 ? `The ${object} is adopted.` : changes,
    ...(origin === undefined ? [] : [`It was ${origin}.`]),
    ...(unreported.length === 0 ? [] : [`Neon does not report ${unreported.join(", ")}, which counts as declared.`]),
  ].join(" ");
}

// Nothing is adopted

/** No object has the id that `adopt` names. */
export function absent({ noun }: AnyKind, adopt: string, { recovery }: Candidate): NeonError {
  return recovery === undefined
    ? invalid(
        `There is no ${noun} "${adopt}" to adopt, or this API key cannot see it. Correct \`adopt\`, or use a key that can see the ${noun}.`,
      )
    : invalid(`The ${noun} "${adopt}" cannot be adopted, because it was deleted`, { fix: recovery });
}

/** Several objects have the name. None is adopted, because a guess could be wrong. */
export function several({ noun, id, uniqueBy }: AnyKind, all: readonly Candidate[]): NeonError {
  const ids = all.map(({ outputs }) => id(outputs)).join(", ");
  const fix = `Adopt one of them by its id${createAnother(uniqueBy.length > 0)}.`;
  return invalid(`There are ${all.length} ${noun}s of this name: ${ids}`, { fix });
}

/** The object differs from the program and cannot be changed to match it. */
export function notAdoptable(kind: AnyKind, inputs: Values, { outputs, fixed = [] }: Candidate): NeonError {
  const isById = typeof inputs["adopt"] === "string";
  const omit = canOmit(kind.inputs(), inputs, fixed) ? ", or omit the property" : isById ? ", or correct `adopt`" : "";
  const create = isById ? "" : createAnother(uniqueInputs(kind, inputs).length > 0);
  return invalid(
    `The ${kind.noun} ${kind.id(outputs)} cannot be adopted: the program declares another value for ${withPresentValues(fixed, outputs)}, which cannot be changed in place. Declare the present value${omit}${create}.`,
  );
}

/** How to create another object of the same name, if the platform allows that. */
function createAnother(isUnique: boolean): string {
  return isUnique ? "" : ", or declare `adopt: false` to create another one";
}

/**
 * Lists paths, each with the value that the platform reports if it is a single one. The declared value is not shown,
 * because it may be a secret.
 *
 * @param isUnread whether the present content at a path cannot be compared, so that the declared one is sent even if
 * both are equal
 */
export function withPresentValues(
  paths: readonly string[],
  outputs: Values,
  isUnread: (path: string) => boolean = () => false,
): string {
  const described = paths.map((path) => {
    const value = atPath(outputs, path);
    if (isUnread(path)) return `\`${path}\` (sent even if it is equal, because Neon does not report it)`;
    const isSingle = ["string", "number", "boolean"].includes(typeof value);
    return isSingle ? `\`${path}\` (now ${JSON.stringify(value)})` : `\`${path}\``;
  });
  return described.join(", ");
}

/** The object to adopt was never finished, and cannot be. */
export function neverUsable({ noun }: AnyKind, id: string): NeonError {
  return invalid(`The ${noun} ${id} cannot be adopted: its creation failed, and it never becomes usable`, {
    fix: "Delete it, then run the same command again.",
  });
}

// Nothing is created

/** Nothing was created, because an object of the same natural key exists that no resource of this run has. */
export class ConflictError extends NeonError {}

/** @param error the platform's answer to the creation */
export function alreadyExists(caller: Caller, inputs: Values, found: Candidate, error?: unknown): ConflictError {
  const { kind } = caller;
  const { noun, defaultName = "name", alternative = instead(kind) } = kind;
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isNamed = kind.uniqueBy.includes(defaultName) || !isUnique;
  const what = isNamed ? `${withArticle(noun).replace(/^a/, "A")} with this ${defaultName}` : `This ${noun}`;
  const reason = error === undefined ? "" : ` (${summaryOf(error)})`;
  const otherwise = isUnique
    ? alternative
    : "declare another name, or `adopt: false` if the other one is another stack's";
  return new ConflictError("invalid", `${what} already exists: ${described(caller, found)}${reason}`, error, {
    fix: `${ifReplaced(kind, isUnique)}${ifMoved(caller, found)}${takeOver(kind, found)} Otherwise ${otherwise}.`,
  });
}

/** How to take over an object. If a tag names another resource, only `adopt` with the id does. */
function takeOver(kind: AnyKind, { outputs, maker }: Candidate): string {
  if (maker?.by === "this-project") return "To manage it, declare `adopt: true`.";
  if (maker?.by === "parent-branch") {
    const { ofCopies } = kind.listing ?? {};
    return `To manage it, declare \`adopt: true\`${ofCopies === undefined ? "" : `, and ${ofCopies}`}.`;
  }
  if (!isForeign(maker)) return "To take it over, run `NEON_ADOPT=true pulumi up`.";
  const id = segmentsOf(kind.id(outputs)).at(-1) ?? "";
  return `Only if nothing else manages it, take it over: declare \`adopt: ${JSON.stringify(id)}\`.`;
}

/**
 * The advice in case the engine replaces the object without asking the provider and therefore creates the new one
 * first.
 */
function ifReplaced({ noun, replacement }: AnyKind, isUnique: boolean): string {
  if (replacement?.isFinal === true) {
    return `If it is tainted, run \`pulumi state untaint\`: once deleted, this ${noun} can never be created again. `;
  }
  const what = isUnique ? "it" : `the ${noun}`;
  return `If this run replaces ${what} (\`--replace\`, a taint), it needs the resource option \`deleteBeforeReplace: true\`. `;
}

/** The advice in case the object belongs to a resource of this stack that has another URN in the state. */
function ifMoved({ call: { urn } }: Caller, { maker, former }: Candidate): string {
  if (!mayBeMoved(maker)) return "";
  // Most resources are moved from the top level of the program into a component.
  const [likely = urn] = formerUrns(urn, [], undefined);
  const alias = former ?? (likely === urn ? "<its former URN>" : likely);
  const where = former === undefined ? ", with the URN that `pulumi stack --show-urns` shows" : "";
  return `If the program has moved or renamed this resource, declare its resource option \`aliases: [${JSON.stringify(alias)}]\`${where}. `;
}

// Another object is created

/** Warns of a similar object that exists besides the one that is created. */
export function beside(caller: Caller, found: Candidate): string {
  const { noun, secretOnce, tagOf } = caller.kind;
  if (tagOf !== undefined) {
    const unless = isForeign(found.maker)
      ? ""
      : ", unless you run `NEON_ADOPT=true pulumi up`, which takes this one over";
    return `There is ${withArticle(noun)} of the same name: ${described(caller, found)}. Another one is created${unless}. ${ifMoved(caller, found)}If another stack manages it, declare another \`name\` here to tell the two apart.`;
  }
  const next = secretOnce === true ? "Revoke it" : "Delete it";
  return `There is already ${withArticle(noun)} like this one: ${described(caller, found)}. Another one is created. ${ifMoved(caller, found)}${next} if no resource of this program has it and nothing else uses it.`;
}

// Descriptions of an object: its id, its age and its maker

function described(caller: Caller, found: Candidate): string {
  const origin = originText(caller, found);
  return `${caller.kind.id(found.outputs)}${origin === undefined ? "" : `, ${origin}`}`;
}

/** When an object was created, and by what. Undefined if neither is known. */
export function originText(caller: Caller, { outputs, age, maker }: Candidate): string | undefined {
  const when = Number.isFinite(age) ? ` at ${appearedAt(outputs) ?? ""} (${ageText(age)})` : "";
  const by = maker === undefined ? "" : makerText(caller.kind, maker);
  return when === "" && by === "" ? undefined : `created${when}${by}`.replace(/^created and /, "");
}

function makerText({ tagOf }: AnyKind, { by, urn, parent = "" }: Maker): string {
  if (by === "unknown") return "";
  if (by === "parent-branch") return ` and inherited by this branch from its parent ${parent}`;
  if (tagOf === undefined)
    return " on a branch or in a project of a Pulumi resource that this program has not declared so far";
  const other = urn === undefined ? "another Pulumi resource" : titleOf(urn);
  return {
    "this-resource": " by an earlier run for this resource",
    "this-urn": " by a run for a resource with this URN, in this stack or in another one",
    "this-project": ` together with the project of ${other}`,
    "this-stack": ` by ${urn === undefined ? "another resource" : other} of this stack`,
    "unknown-stack": ` by ${other}`,
    "another-stack": " by a run for a resource with this URN in another stack",
    "another-resource": ` by ${other}`,
  }[by];
}

/** How long ago something was, in the largest unit that fits. */
function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return "less than a minute ago";
  const [count, unit] =
    minutes < 120
      ? [minutes, "minute"]
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / (24 * 60)), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
