import { NeonError, summaryOf } from "../../../api/core/errors";
import type { AnyKind } from "../../kind/kind";
import { segmentsOf } from "../../kind/id";
import { withArticle } from "../../kind/input-problems";
import { uniqueInputs } from "../../kind/natural-key";
import { titleOf } from "../../ownership/claim";
import { formerUrns } from "../../ownership/ownership-tag";
import type { Values } from "../../values";
import { appearedAt } from "../appeared-at";
import { instead } from "../errors";
import type { Work } from "../work";
import { formerUrnOf, isForeign, type Maker, mayBeMoved } from "./maker";

// What a user reads of what is there already.

/** What has made an object, in words. */
function makerText({ kind }: Work, { by, urn, parent = "" }: Maker): string {
  if (by === "parent-branch") return `and inherited by this branch from its parent ${parent}`;
  if (kind.tagOf === undefined)
    return "on a branch or in a project of a Pulumi resource that this program has not declared so far";
  const other = urn === undefined ? "another Pulumi resource" : titleOf(urn);
  return {
    "this-resource": "by an earlier run for this resource",
    "this-urn": "by a run for a resource with this URN, in this stack or in another one",
    "this-project": `together with the project of ${other}`,
    "this-stack": `by ${urn === undefined ? "another resource" : other} of this stack`,
    "unknown-stack": `by ${other}`,
    "another-stack": "by a run for a resource with this URN in another stack",
    "another-resource": `by ${other}`,
  }[by];
}

/** An object: its id, when it was created, and what has made it, as far as that is known. */
function describedNamesake(work: Work, outputs: Values, maker?: Maker): string {
  const origin = originText(work, outputs, maker);
  return `${work.kind.id(outputs)}${origin === undefined ? "" : `, ${origin}`}`;
}

/** When an object was created, and what has made it. Undefined if neither is known. */
export function originText(work: Work, outputs: Values, maker?: Maker): string | undefined {
  const age = ageOf(work, outputs);
  const when = Number.isFinite(age) ? ` at ${appearedAt(outputs) ?? ""} (${ageText(age)})` : "";
  const by = maker === undefined ? "" : ` ${makerText(work, maker)}`;
  return when === "" && by === "" ? undefined : `created${when}${by}`.replace(/^created and /, "");
}

/** The age of an object in milliseconds. NaN if it is not known. */
export function ageOf({ serverClock }: Work, outputs: Values): number {
  return serverClock.now().getTime() - Date.parse(appearedAt(outputs) ?? "");
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

/** Nothing was created: there is an object of the same natural key that no resource of this run has. */
export class ConflictError extends NeonError {}

export function alreadyExists(
  work: Work,
  inputs: Values,
  found: Values,
  maker: Maker | undefined,
  error?: unknown,
): ConflictError {
  const { kind } = work;
  const { noun, defaultName = "name" } = kind;
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isNamed = kind.uniqueBy.includes(defaultName) || !isUnique;
  const what = isNamed ? `${withArticle(noun).replace(/^a/, "A")} with this ${defaultName}` : `This ${noun}`;
  const reason = error === undefined ? "" : ` (${summaryOf(error)})`;
  const { alternative = instead(kind) } = kind;
  const otherwise = isUnique
    ? alternative
    : "declare another name, or `adopt: false` if the other one is another stack's";
  const described = describedNamesake(work, found, maker);
  return new ConflictError("invalid", `${what} already exists: ${described}${reason}`, error, {
    fix: `${ifReplaced(kind, inputs)}${ifMoved(work, found, maker)}${takeOver(kind, found, maker)} Otherwise ${otherwise}.`,
  });
}

/** How to take over an object: what a tag calls another resource's, only with its id. */
function takeOver(kind: AnyKind, found: Values, maker: Maker | undefined): string {
  if (maker?.by === "this-project") return "To manage it, declare `adopt: true`.";
  if (maker?.by === "parent-branch") {
    const { ofCopies } = kind.listing ?? {};
    return `To manage it, declare \`adopt: true\`${ofCopies === undefined ? "" : `, and ${ofCopies}`}.`;
  }
  if (!isForeign(maker)) return "To take it over, run `NEON_ADOPT=true pulumi up`.";
  const id = segmentsOf(kind.id(found)).at(-1) ?? "";
  return `Only if nothing else manages it, take it over: declare \`adopt: ${JSON.stringify(id)}\`.`;
}

/** What to do if the engine replaces the object without asking the provider: it creates the new one first. */
function ifReplaced(kind: AnyKind, inputs: Values): string {
  if (kind.replacement?.isFinal === true) {
    return `If it is tainted, run \`pulumi state untaint\`: once deleted, this ${kind.noun} can never be created again. `;
  }
  const what = uniqueInputs(kind, inputs).length > 0 ? "it" : `the ${kind.noun}`;
  return `If this run replaces ${what} (\`--replace\`, a taint), it needs the resource option \`deleteBeforeReplace: true\`. `;
}

/** What to do if the object belongs to a resource of this stack that has another URN in the state. */
function ifMoved(work: Work, found: Values, maker: Maker | undefined): string {
  if (!mayBeMoved(maker)) return "";
  const { urn } = work.call;
  const known = formerUrnOf(work, found, maker);
  // Most are moved from the top of the program into a component.
  const [likely = urn] = formerUrns(urn, [], undefined);
  const alias = known ?? (likely === urn ? "<its former URN>" : likely);
  const where = known === undefined ? ", with the URN that `pulumi stack --show-urns` shows" : "";
  return `If the program has moved or renamed this resource, declare its resource option \`aliases: [${JSON.stringify(alias)}]\`${where}. `;
}

/** An object of the same name that a run for this resource may have made: another one is created. */
export function createdBefore(work: Work, found: Values, maker: Maker | undefined): string {
  const unless = isForeign(maker) ? "" : ", unless you run `NEON_ADOPT=true pulumi up`, which takes this one over";
  return `There is ${withArticle(work.kind.noun)} of the same name: ${describedNamesake(work, found, maker)}. Another one is created${unless}. ${ifMoved(work, found, maker)}If another stack manages it, declare another \`name\` here to tell the two apart.`;
}

/** An object of the same name, of a kind of which there can be any number: another one is created. */
export function existsBeside(work: Work, outputs: Values): string {
  const { kind } = work;
  const next = kind.secretOnce === true ? "Revoke it" : "Delete it";
  return `There is already ${withArticle(kind.noun)} like this one: ${describedNamesake(work, outputs)}. Another one is created. ${ifMoved(work, outputs, undefined)}${next} if no resource of this program has it and nothing else uses it.`;
}
