import { NeonError, summaryOf } from "../../../api/core/errors";
import type { AnyKind } from "../../kind/kind";
import { uniqueInputs } from "../../kind/natural-key";
import type { Values } from "../../values";
import { instead } from "../errors";
import type { Work } from "../work";

// What a user reads of what is there already.

/** What has made an object, as far as its tag tells. */
export type Maker = "this-resource" | "this-urn" | "another-stack" | "another-resource";

const makers: Readonly<Record<Maker, string>> = {
  "this-resource": "by an earlier run for this resource",
  "this-urn": "by a run for a resource with this URN, in this stack or in another one",
  "another-stack": "by a run for a resource with this URN in another stack",
  "another-resource": "by another Pulumi resource",
};

/** An object: its id, when it was created, and what has made it, as far as that is known. */
export function describedNamesake(work: Work, outputs: Values, maker?: Maker): string {
  const origin = originText(work, outputs, maker);
  return `${work.kind.id(outputs)}${origin === undefined ? "" : `, ${origin}`}`;
}

/** When an object was created, and what has made it. Undefined if neither is known. */
export function originText({ serverClock }: Work, outputs: Values, maker?: Maker): string | undefined {
  const { createdAt, grantedAt = createdAt } = outputs;
  const time = typeof grantedAt === "string" ? Date.parse(grantedAt) : NaN;
  const age = serverClock.now().getTime() - time;
  const when = Number.isFinite(time) ? ` at ${String(grantedAt)} (${ageText(age)})` : "";
  const by = maker === undefined ? "" : ` ${makers[maker]}`;
  return when === "" && by === "" ? undefined : `created${when}${by}`;
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

export function alreadyExists({ kind }: Work, inputs: Values, described: string, error?: unknown): ConflictError {
  const { noun, defaultName = "" } = kind;
  const what = kind.uniqueBy.includes(defaultName) ? `A ${noun} with this name` : `This ${noun}`;
  const reason = error === undefined ? "" : ` (${summaryOf(error)})`;
  const { alternative = instead(kind) } = kind;
  return new ConflictError("invalid", `${what} already exists: ${described}${reason}`, error, {
    fix: `${ifReplaced(kind, inputs)}${takeOver} Otherwise ${alternative}.`,
  });
}

const takeOver = "To take it over, run `NEON_ADOPT=true pulumi up`.";

/** What to do if the engine replaces the object without asking the provider: it creates the new one first. */
function ifReplaced(kind: AnyKind, inputs: Values): string {
  if (kind.replacement?.isFinal === true) {
    return `If it is tainted, run \`pulumi state untaint\`: once deleted, this ${kind.noun} can never be created again. `;
  }
  const what = uniqueInputs(kind, inputs).length > 0 ? "it" : `the ${kind.noun}`;
  return `If this run replaces ${what} (\`--replace\`, a taint), it needs the resource option \`deleteBeforeReplace: true\`. `;
}

/** An object of the same name that a run for this URN has made: another one is created. */
export function createdBefore(work: Work, found: Values, maker: Maker): string {
  const { noun } = work.kind;
  const unless =
    maker === "another-stack" ? "" : ", unless you run `NEON_ADOPT=true pulumi up`, which takes this one over";
  return `There is a ${noun} of the same name: ${describedNamesake(work, found, maker)}. Another one is created${unless}. If another stack manages it, declare another \`name\` here to tell the two apart.`;
}

/** An object of the same name, of a kind of which there can be any number: another one is created. */
export function existsBeside(work: Work, outputs: Values): string {
  const { kind } = work;
  const next = kind.secretOnce === true ? "Revoke it" : "Delete it";
  return `There is already ${withArticle(kind.noun)} like this one that no resource of this run has: ${describedNamesake(work, outputs)}. Another one is created. ${next} if nothing uses it.`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
