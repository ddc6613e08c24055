import {
  asSentence,
  explained,
  hasStatus,
  HttpError,
  invalid,
  isNotFound,
  NeonError,
  summaryOf,
} from "../../api/core/errors";
import { withArticle } from "../kind/input-problems";
import type { AnyKind } from "../kind/kind";
import { isLackOf, type PreconditionRule } from "../kind/options";
import { type Claim, titleOf } from "../ownership/claim";
import { setOrganization } from "../settings/client-settings";
import type { Values } from "../values";

// The messages of failed calls, in terms of the resource. Each error is built from its arguments: nothing here sends a
// request.

/** The result of a call that failed before the platform accepted anything. */
const unchanged = {
  create: "Nothing was created.",
  update: "Nothing was changed.",
  read: "The state was not changed.",
  delete: "Nothing was deleted.",
} as const;

/** Adds that nothing has changed to the error of a call that failed before the platform accepted anything. */
export function nothingDone({ needs = [] }: AnyKind, error: unknown, verb: keyof typeof unchanged): unknown {
  if (!isOfExchange(error) || isDenied(error)) return error;
  // A killed run can have deleted the parent without recording that.
  const isParentGone = verb === "create" && isNotFound(error);
  const next = isParentGone
    ? { next: "If the program declares the missing object, run `pulumi refresh` and then `pulumi up`." }
    : {};
  const need = needs.find((one) => isLackOf(one, error));
  const isMissing = need !== undefined && (verb === "create" || verb === "update");
  return new Error(error.describe({ state: unchanged[verb], ...next, ...(isMissing && { fix: need.fix }) }), {
    cause: error,
  });
}

/** Explains the failure of a delete that the platform has accepted: what stays in the state, and what to do. */
export function deleteFailed(kind: AnyKind, id: string, accepted: boolean, error: unknown): unknown {
  const isOfOperation = NeonError.isInstance(error) && error.kind.startsWith("operation-");
  if (!isOfOperation && !accepted) return nothingDone(kind, error, "delete");
  if (!isOfOperation && !isOfExchange(error)) return error;
  const next = isDenied(error) ? "" : "Run the same command again.";
  return new Error(error.describe({ state: `The ${kind.noun} ${id} stays in the state.`, next }), { cause: error });
}

/** Whether an error belongs to a request that only reads, or that was not performed. */
function isOfExchange(error: unknown): error is NeonError {
  return NeonError.isInstance(error) && ["http", "unknown-route", "unreachable", "unreadable"].includes(error.kind);
}

/** Whether the API key was refused: it would be for every other request, too. */
export function isDenied(error: unknown): boolean {
  return hasStatus(error, 401, 403);
}

/** The advice for a request that the platform refused, as a sentence, if Pulumi users have their own way to fix it. */
export function adviceOn(error: unknown): string | undefined {
  if (!HttpError.isInstance(error)) return undefined;
  if (error.topic === "missing-organization") return setOrganization;
  const isTaken = error.topic === "already-exists" && error.method === "POST";
  return isTaken ? "If nothing else manages the existing object, take it over with `adopt`." : undefined;
}

/** The object in the state is gone, so there is nothing to update. */
export class GoneError extends NeonError {
  constructor({ noun }: AnyKind, id: string, cause?: unknown) {
    const reason = cause === undefined ? "" : ` (${summaryOf(cause)})`;
    const fix = "Run `pulumi refresh`; the next `pulumi up` then creates a new one.";
    super("invalid", `The ${noun} ${id} no longer exists${reason}. ${fix}`, cause);
  }
}

/**
 * The object to look up or import does not exist.
 *
 * @param account the owner of the API key, if it is known
 */
export function nothingToRead({ noun }: AnyKind, id: string, account: string | undefined): NeonError {
  const whose = account === undefined ? "" : `: the key belongs to ${account}`;
  return invalid(`There is no ${noun} ${id}, or this API key cannot see it${whose}. Nothing was changed`, {
    fix: "Check the id, or use an API key of the account or organization that owns it.",
  });
}

export function missingAfterCreate({ noun }: AnyKind, id: string): NeonError {
  const summary = `The platform reported that it created the ${noun} ${id}, but it cannot be found`;
  return new NeonError("outcome-unknown", summary, undefined, {
    fallback: "If it stays missing, run `pulumi refresh`; the next `pulumi up` then creates a new one.",
  });
}

/** The creation failed, and the object can never become usable. */
export function unusable(reason: string): Error {
  return new Error(asSentence(reason));
}

/**
 * Warns of an object that appeared when a creation was sent whose response is lost, and that is not the one in the
 * state.
 */
export function unrecorded({ noun, id, secretOnce }: AnyKind, found: Values): string {
  const [done, next] = secretOnce === true ? ["revoked", "Revoke"] : ["deleted", "Delete"];
  return `The ${noun} ${id(found)} appeared when a request was sent whose response is lost. It was not ${done}, because another program may have created it with the same name at that time. ${next} it if nothing uses it.`;
}

/** The platform refuses changes of an object of this kind, because a requirement is missing. */
export function unmet(
  { noun }: AnyKind,
  { what, of, fix }: PreconditionRule<Values>,
  values: Values,
  error: HttpError,
) {
  return explained(
    `Neon does not create, change or delete ${withArticle(noun)} while ${of(values)} has no ${what(values)}`,
    error,
    fix,
  );
}

/** Why the platform does not delete an object now. */
export function notDeletable(kind: AnyKind, { what, of, remains }: PreconditionRule<Values>, outputs: Values): string {
  return `Neon does not delete the ${kind.noun} ${kind.id(outputs)} while ${of(outputs)} has no ${what(outputs)}: ${remains ?? ""}.`;
}

/** Several objects appeared when a creation was sent whose response is lost. */
export function severalAppeared({ noun, id, defaultName }: AnyKind, all: readonly Values[]): NeonError {
  return invalid(
    `Several ${noun}s appeared at the same time: ${all.map(id).join(", ")}. Delete those that nothing manages${defaultName === undefined ? "" : ", or declare another name"}.`,
  );
}

export function stateOfNewerVersion({ noun }: AnyKind, written: number, readable: number): NeonError {
  return invalid(
    `The state of this ${noun} was written by a newer neon-pulumi (format ${written}; this one reads formats up to ${readable}). Upgrade the package.`,
  );
}

/** @param path the path of the missing or malformed member; empty for the whole `__neon` */
export function unreadableState({ noun }: AnyKind, id: string, path: readonly PropertyKey[]): NeonError {
  return invalid(
    `The state of the ${noun} ${id} cannot be read: its member ${path.join(".") || "__neon"} is missing or malformed. Nothing was changed. Restore the state from before; or take the resource out of it with \`pulumi state delete\`, which leaves the ${noun} alone, and declare \`adopt\` to manage it again.`,
  );
}

export function invalidId({ noun, addressNames }: AnyKind, id: string): NeonError {
  const form = addressNames.map((name) => `<${name}>`);
  return invalid(`"${id}" is not a valid ${noun} id. The form is "${form.join("/")}".`);
}

// Objects that another resource already has

/** A replacement would adopt the object that is deleted afterwards. */
export function adoptsItself({ noun }: AnyKind, adopt: string): NeonError {
  return invalid(
    `This change replaces the ${noun} ${adopt}, and \`adopt\` names the same object: the replacement would adopt the object that is deleted afterwards. Remove \`adopt\` to create a new one. If the object is already as the program declares it, remove the resource with \`pulumi state delete\`, then run the same command again to keep it.`,
  );
}

/** @param holder the claim of another resource of this run */
export function managedBy(kind: AnyKind, id: string, holder: Claim, cause?: unknown): NeonError {
  const { noun, defaultName = "", addressNames } = kind;
  const owner = titleOf(holder.urn);
  const rename =
    addressNames.at(-1) === defaultName ? `declare another \`${defaultName}\` for one of the two, or ` : "";
  const managed = `is already managed by ${owner}. Only one resource can manage it: ${rename}remove one of the two from the program or, if the two exchange names, give one of them a third name first.`;
  const part = `is declared as a part of ${owner}. Change it there.`;
  const former = `is a part of ${owner}, which no longer declares it and deletes it in this run. To keep it, set the resource option \`retainOnDelete: true\` on ${owner} for this run; with the provider plugin, remove ${owner} with \`pulumi state delete\` and import it again instead.`;
  const reason = { wanted: managed, managed, adopted: managed, part, former }[holder.as];
  return invalid(`The ${noun} ${id} ${reason}`, { cause });
}

export function partManagedBy({ noun }: AnyKind, partId: string, { urn }: Claim): NeonError {
  return invalid(
    `This ${noun} declares a part that ${titleOf(urn)} already manages (${partId}). Declare it in one place only.`,
  );
}

/** A replacement needs the name of an object that `retainOnDelete` keeps. */
export function retainedCollision({ noun, id, defaultName }: AnyKind, outputs: Values): NeonError {
  const other = defaultName === undefined ? "" : ", declare another name";
  return invalid(
    `This change replaces the ${noun} ${id(outputs)}, but \`retainOnDelete\` keeps the old one, and there can be only one of them`,
    {
      fix: `Take the change back${other}, or run \`pulumi up\` without the change and without \`retainOnDelete\` first.`,
    },
  );
}

/** The advice if somebody else has the object: another name, if the kind has one. */
export function instead({ uniqueBy, defaultName }: AnyKind): string {
  return defaultName !== undefined && uniqueBy.includes(defaultName)
    ? `declare another ${defaultName}`
    : "remove this resource from the program";
}

/** The words for another object that has the same id as the intended one. */
function anotherOne({ uniqueBy, defaultName }: AnyKind): string {
  return defaultName !== undefined && uniqueBy.includes(defaultName) ? "another one of the same name" : "another one";
}

// Another object of the same id

/** Describes, for messages, how an object differs from another one of the same id: by its number or its time. */
function told({ identity }: AnyKind, values: Values): string {
  const value = values[identity?.by ?? ""];
  return typeof value === "number" ? `number ${value}` : `created at ${String(value)}`;
}

/** Warns that the state is about to hold another object of the same id. */
export function otherInState(kind: AnyKind, saved: Values, present: Values): string {
  return `The ${kind.noun} ${kind.id(present)} is not the one that was in the state (${told(kind, saved)}), but ${anotherOne(kind)} (${told(kind, present)}). The state holds this one now. If another stack manages it, remove the resource with \`pulumi state delete\`.`;
}

/** The change would affect another object than the one in the state. */
export function notTheSame(kind: AnyKind, saved: Values, present: Values): NeonError {
  return invalid(
    `The ${kind.noun} ${kind.id(saved)} is not the one in the state (${told(kind, saved)}), but ${anotherOne(kind)} (${told(kind, present)})`,
    {
      fix: `If no other stack manages it, run \`pulumi refresh\`, and then \`pulumi up\`. Otherwise ${instead(kind)}.`,
    },
  );
}

/** The setting to delete has another value than in the state. */
export function notAsInState({ noun, id }: AnyKind, saved: Values): NeonError {
  return invalid(`The ${noun} ${id(saved)} is not as in the state any more: another program may have set it`, {
    fix: "If no other stack manages it, run `pulumi refresh`, and then the same command again. Otherwise remove the resource with `pulumi state delete`.",
  });
}

/** Warns that another object has the id of the one in the state and was not deleted. */
export function otherNotDeleted(kind: AnyKind, saved: Values, present: Values): string {
  return `The ${kind.noun} ${kind.id(saved)} was not deleted: it is not the one in the state (${told(kind, saved)}), but ${anotherOne(kind)} (${told(kind, present)}). Delete it if nothing manages it.`;
}
