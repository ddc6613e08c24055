import type { Call } from "../call/call";
import { changesAt } from "../kind/differences";
import type { Changes } from "../kind/field-rules";
import { idOf } from "../kind/id";
import type { AnyKind } from "../kind/kind";
import { naturalKeyOf, uniqueInputs } from "../kind/natural-key";
import { type Claim, type ClaimType, type ObjectKey, type Origin, originOf } from "../ownership/claim";
import { hashOf } from "../ownership/ids";
import type { Values } from "../values";
import { managedBy, partManagedBy } from "./errors";
import type { ServedKind } from "./work";

/** The call of a resource, which claims objects in the registry. */
interface Claimant extends ServedKind {
  readonly call: Call;
}

/** The key that tells an object from all others of the service. */
export function keyOf({ name, id }: AnyKind, outputs: Values): ObjectKey {
  return { kind: name, id: id(outputs) };
}

/**
 * Claims the object that the resource adopts, so that nothing else in this run takes or deletes it.
 *
 * @param adoptionId undefined in a check: the claim then only keeps other resources from adopting the object
 * @returns the claim of another resource of this run, if one has the object
 */
export function claimForAdoption(
  claimant: Claimant,
  outputs: Values,
  adoptionId: string | undefined,
): Claim | undefined {
  return claim(claimant, keyOf(claimant.kind, outputs), adoptionId, adoptionId === undefined ? "wanted" : "adopted");
}

/**
 * Claims an object for the resource that has created or imported it.
 *
 * @throws NeonError `invalid` if another resource of this run has adopted the object since it appeared
 */
export function claimNew(claimant: Claimant, outputs: Values, origin: string): void {
  const { kind, services, call } = claimant;
  const holder = claim(claimant, keyOf(kind, outputs), origin, "managed");
  if (holder === undefined) return;
  services.registry.withdraw(call.urn, origin);
  throw managedBy(kind, kind.id(outputs), holder);
}

/**
 * Claims the object that the resource manages, and its declared parts.
 *
 * @returns the claim of another resource, if one has the object
 */
export function claimManaged(
  claimant: Claimant,
  outputs: Values,
  of: Origin,
  declared: readonly string[],
): Claim | undefined {
  const origin = originOf(of);
  const holder = claim(claimant, keyOf(claimant.kind, outputs), origin, "managed");
  for (const part of partsOf(claimant.kind, outputs, declared)) claim(claimant, part, origin, "part");
  return holder;
}

/**
 * The claim of the resource of this run that has an object. The claim of another resource comes first. The resource's
 * own claim counts unless its check has only reserved the object.
 *
 * @param isCreating whether a replacement has already deleted the old object of a unique name: this one must be
 * different
 */
export function holderOf(claimant: Claimant, inputs: Values, found: Values, isCreating: boolean): Claim | undefined {
  const { kind, services, call } = claimant;
  const hasLostIt = isCreating && uniqueInputs(kind, inputs).length > 0;
  const claims = services.registry.claimsTo(keyOf(kind, found));
  const own = claims.find(({ urn, as }) => urn === call.urn && as !== "wanted" && !hasLostIt);
  return claims.find(({ urn }) => urn !== call.urn) ?? own;
}

/**
 * Claims the name of the resource's object. Until the object's id is known, the name tells which resource has it.
 *
 * @param origin the id of the creation, which withdraws the claim if it fails
 */
export function claimName(claimant: Claimant, inputs: Values, origin?: string): void {
  claim(claimant, nameKey(claimant, inputs), origin, "managed");
}

/** The claims of the resources of this run whose object has this name. */
export function namedSo(served: ServedKind, inputs: Values): readonly Claim[] {
  return served.services.registry.claimsTo(nameKey(served, inputs));
}

/** Releases the unique name of an object that no longer exists. */
export function releaseName(served: ServedKind, outputs: Values): void {
  if (uniqueInputs(served.kind, outputs).length > 0) served.services.registry.release(nameKey(served, outputs));
}

function nameKey({ kind, services }: ServedKind, values: Values): ObjectKey {
  const account = services.account();
  const { orgId = "settings" in account ? account.settings.orgId : undefined } = values;
  return { kind: `name of ${kind.name}`, id: hashOf(naturalKeyOf(kind, values), JSON.stringify(orgId ?? null)) };
}

/**
 * Registers the parts that the state declares and the program no longer does. The update of the resource deletes them.
 */
export function claimFormerParts(claimant: Claimant, outputs: Values, of: Origin, declared: readonly string[]): void {
  const { kind, call } = claimant;
  if (call.isRetained) return;
  const kept = new Set(partsOf(kind, outputs, declared).map(({ id }) => id));
  const former = partsOf(kind, outputs, call.declaredBefore).filter(({ id }) => !kept.has(id));
  for (const part of former) claim(claimant, part, originOf(of), "former");
}

/** Makes sure that no other resource manages an object that this resource declares as its part. */
export function assertPartsFree({ kind, services, call }: Claimant, outputs: Values, declared: Changes): void {
  for (const part of kind.parts?.(outputs, declared) ?? []) {
    const [other] = services.registry.claimsOfOthers(part, call.urn);
    if (other !== undefined) throw partManagedBy(kind, part.id, other);
  }
}

function partsOf({ parts }: AnyKind, outputs: Values, declared: readonly string[]): readonly ObjectKey[] {
  return parts?.(outputs, changesAt(declared)) ?? [];
}

function claim(
  { services, call }: Claimant,
  key: ObjectKey,
  origin: string | undefined,
  as: ClaimType,
): Claim | undefined {
  return services.registry.claim({ ...key, urn: call.urn, origin, as });
}

/** The branch or project that an object belongs to. */
export interface Place extends ObjectKey {
  readonly projectId: string;
  readonly branchId: string | undefined;
}

/** The branch and project of an object, branch first, as far as it belongs to them. */
export function placesOf({ name }: AnyKind, { projectId, branchId }: Values): readonly Place[] {
  if (typeof projectId !== "string") return [];
  const project = { kind: "Project", id: idOf(projectId), projectId, branchId: undefined };
  const ofBranch =
    typeof branchId === "string" ? [{ kind: "Branch", id: idOf(projectId, branchId), projectId, branchId }] : [];
  return [...ofBranch, project].filter(({ kind }) => kind !== name);
}

/** The kind of the first place of an object that its stack managed and that no resource of this run declares. */
export function leavingPlace(
  { kind, services }: Claimant,
  outputs: Values,
  within: readonly string[],
): string | undefined {
  const places = placesOf(kind, outputs).filter((place) => within.includes(place.kind));
  return places.find((place) => services.registry.claimsTo(place).length === 0)?.kind;
}
