import { differences } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { adoptedSegment, idOf, segmentsOf } from "../kind/id";
import { organizationOf } from "../kind/inputs";
import type { AnyKind } from "../kind/kind";
import { naturalKeyOf } from "../kind/natural-key";
import { newId } from "../ownership/ids";
import { hashOfUrn, type OwnershipTag, parseTag } from "../ownership/ownership-tag";
import { atPath, pick, type Values } from "../values";
import { claimAdopted, keyOf } from "./claims";
import { mayHaveCreated } from "./effect-time";
import { adoptsItself, deletedBy, managedBy, notAdoptable, nothingToAdopt } from "./errors";
import { settleAdopted } from "./settle-adopted";
import type { CreateWork, Work } from "./work";

/** Adopts the object that `adopt` names. Undefined if the program does not adopt one, or if there is none by that name. */
export async function adopt(work: CreateWork): Promise<Values | undefined> {
  const { kind, context, inputs } = work;
  const found = await adoptable(work, inputs);
  if (found === undefined) return undefined;
  const object = { id: kind.id(found), adoptionId: newId() };
  context.progress.object = { ...object, outputs: found };
  const outputs = await settleAdopted(work, found);
  context.progress.object = { ...object, outputs };
  claimAdopted(work, outputs, object.adoptionId);
  await settleCreation(work, outputs);
  return outputs;
}

/**
 * The object that `adopt` names: by its id, or, if it is `true`, by what the inputs say.
 *
 * @throws NeonError `invalid` if it cannot be adopted, or if it is not certain which one is meant
 */
export async function adoptable(work: Work, inputs: Values): Promise<Values | undefined> {
  const { kind, services, context, call } = work;
  const { adopt } = inputs;
  if (adopt !== true && typeof adopt !== "string") return undefined;
  const wanted = typeof adopt === "string" ? adopt : undefined;
  const address = await (wanted === undefined ? findDeclared(work, inputs) : findById(work, inputs, wanted));
  const former = address && services.registry.formerClaimTo(keyOf(kind, address));
  if (former !== undefined) throw deletedBy(kind, kind.id(address ?? {}), former);
  const outputs = address === undefined ? undefined : await kind.read(context, address);
  if (outputs === undefined) {
    if (wanted === undefined) return undefined;
    throw nothingToAdopt(kind, wanted);
  }
  const claims = services.registry.claimsTo(keyOf(kind, outputs));
  if (claims.some((claim) => claim.urn === call.urn) && !call.isRetained) {
    if (wanted === undefined) return undefined;
    throw adoptsItself(kind, wanted);
  }
  const other = claims.find((claim) => claim.urn !== call.urn);
  if (other !== undefined) throw managedBy(kind, kind.id(outputs), other);
  const obstacle = obstacleTo(kind, inputs, outputs, false);
  if (obstacle !== undefined) throw notAdoptable(kind, kind.id(outputs), obstacle);
  return outputs;
}

/** The object that these inputs name, without its id. */
export async function findDeclared({ kind, context }: Work, inputs: Values): Promise<Values | undefined> {
  if (kind.find !== undefined) return kind.find(context, inputs);
  const names = Object.keys(kind.address(""));
  return names.every((name) => inputs[name] !== undefined) ? pick(inputs, names) : undefined;
}

/** The object that `adopt` names by its id, or by the last segment of it: the segments before it are inputs. */
async function findById({ kind, context }: Work, inputs: Values, adopt: string): Promise<Values | undefined> {
  const names = Object.keys(kind.address(""));
  const last = names.pop() ?? "";
  const { orgId, ...others } = inputs as Readonly<Partial<Record<string, string>>>;
  const parents = Object.fromEntries(
    names.map((name) => [name, name === "orgId" ? organizationOf(context, orgId) : (others[name] ?? "")]),
  );
  const segment = adoptedSegment(adopt, ...Object.values(parents));
  // Neon gives no such id: one of another project, or a name. A request with it would be malformed.
  if ((kind.address(idOf(...Object.values(parents), segment)) as Values)[last] === "") return undefined;
  return kind.adopted === undefined ? { ...parents, [last]: segment } : kind.adopted(context, inputs, segment);
}

/**
 * An interrupted run of another stack on this machine may have created the object: it must not recover it any more. Where
 * neither an id nor a tag tells, the time does.
 */
async function settleCreation(work: CreateWork, outputs: Values): Promise<void> {
  const { kind, services, call, inputs } = work;
  const interrupted = await services.journal.interrupted({ kind: kind.name });
  if (interrupted.length === 0) return;
  const key = naturalKeyOf(kind, { ...outputs, ...inputs });
  const creationId = (await tagOf(work, outputs))?.creationId;
  for (const entry of interrupted) {
    const isOwn = entry.stack === services.stack(call.urn) && entry.urnHash !== hashOfUrn(call.urn);
    const isLikely = entry.objectId === undefined && entry.naturalKey === key && !isOwn;
    const isCreator = entry.id === creationId || entry.objectId === kind.id(outputs);
    if (isCreator || (isLikely && mayHaveCreated(work.serverClock, entry, outputs)))
      await services.journal.settle(entry.id);
  }
}

/**
 * Why an object cannot become what the program declares, if so.
 *
 * @param isOwned whether this stack has created it: then what cannot be read is as declared
 */
export function obstacleTo(kind: AnyKind, inputs: Values, outputs: Values, isOwned: boolean): string | undefined {
  const fixed = differences(kind, outputs, [], inputs).filter((path) => {
    const { platform, onChange, refuse, unset } = ruleFor(kind.rules, path);
    const isReported = atPath(outputs, path) !== undefined || unset === "none";
    const isFixed = onChange === "replace" || refuse !== undefined;
    return (!isOwned && platform === "write-only" && isFixed) || (onChange === "replace" && isReported);
  });
  if (fixed.length === 0) return undefined;
  return `the program declares another value for ${withPresentValues(fixed, outputs)}, which cannot be changed in place.`;
}

/** Makes sure that a replacement, which is created first, does not adopt the object that is deleted afterwards. */
export function assertReplaceable(kind: AnyKind, inputs: Values, outputs: Values): void {
  const { adopt } = inputs;
  if (typeof adopt === "string" && isNamed(kind, outputs, inputs, adopt)) throw adoptsItself(kind, adopt);
}

/** The tag of an object that carries one. */
export async function tagOf({ kind, context }: Work, outputs: Values): Promise<OwnershipTag | undefined> {
  return kind.recovery.by === "tag" ? parseTag(await kind.recovery.tagOf(context, outputs)) : undefined;
}

/** Whether `adopt` names this object: by its id, or by its name alone if the program still declares the same parent. */
function isNamed(kind: AnyKind, outputs: Values, inputs: Values, adopt: string): boolean {
  const id = kind.id(outputs);
  if (id === adopt) return true;
  const declared = Object.entries(inputs).map(
    ([name, value]) => [name, typeof value === "string" ? value : ""] as const,
  );
  const [parent, declaredParent] = [id, kind.id({ ...outputs, ...Object.fromEntries(declared) })].map(parentOf);
  return segmentsOf(id).at(-1) === adopt && parent === declaredParent;
}

/** What an id in state contains before its last segment: the ids of the object's parents. */
function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}

/** These paths, each with the value that the platform reports if it is a single one. The declared value may be a secret. */
export function withPresentValues(paths: readonly string[], outputs: Values): string {
  const described = paths.map((path) => {
    const value = atPath(outputs, path);
    const isSingle = ["string", "number", "boolean"].includes(typeof value);
    return isSingle ? `\`${path}\` (now ${JSON.stringify(value)})` : `\`${path}\``;
  });
  return described.join(", ");
}
