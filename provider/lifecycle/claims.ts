import type { Call } from "../call/call";
import { changesAt } from "../kind/differences";
import type { AnyKind, Changes } from "../kind/kind";
import { type ClaimType, type ObjectKey, type Origin, originOf } from "../ownership/claim";
import type { Values } from "../values";
import { managedBy, partManagedBy } from "./errors";
import type { ServedKind } from "./work";

/** The call of a resource, which claims objects in the registry. */
interface Claimant extends ServedKind {
  readonly call: Call;
}

/** What tells an object from all others of the service. */
export function keyOf({ name, id }: AnyKind, outputs: Values): ObjectKey {
  return { kind: name, id: id(outputs) };
}

/** Registers that the resource has adopted this object: nothing else in this run takes or deletes it. */
export function claimAdopted(claimant: Claimant, outputs: Values, origin: string): void {
  claim(claimant, keyOf(claimant.kind, outputs), origin, "adopted");
}

/** Registers that the resource has this object and its declared parts, or will have them when its call returns. */
export function claimManaged(claimant: Claimant, outputs: Values, of: Origin, declared: readonly string[]): void {
  const origin = originOf(of);
  claim(claimant, keyOf(claimant.kind, outputs), origin, "managed");
  for (const part of partsOf(claimant.kind, outputs, declared)) claim(claimant, part, origin, "part");
}

/** Registers the parts that the state declares and the program does not: the update of the resource deletes them. */
export function claimFormerParts(claimant: Claimant, outputs: Values, of: Origin, declared: readonly string[]): void {
  const { kind, call } = claimant;
  if (call.isRetained) return;
  const kept = new Set(partsOf(kind, outputs, declared).map(({ id }) => id));
  const former = partsOf(kind, outputs, call.declaredBefore).filter(({ id }) => !kept.has(id));
  for (const part of former) claim(claimant, part, originOf(of), "former");
}

/** Makes sure that no other resource manages what this resource declares as its part. */
export function assertPartsFree({ kind, services, call }: Claimant, outputs: Values, declared: Changes): void {
  for (const part of kind.parts?.(outputs, declared) ?? []) {
    const [other] = services.registry.claimsOfOthers(part, call.urn);
    if (other !== undefined) throw partManagedBy(kind, part.id, other);
  }
}

/** Makes sure that no other resource that the program declares manages the object, or has adopted it in this run. */
export function assertNotManagedByOther({ kind, services, call }: Claimant, outputs: Values, origin: Origin): void {
  const claims = services.registry.claimsOfOtherOrigin(keyOf(kind, outputs), originOf(origin));
  const other = claims.find(({ urn, as }) => urn !== call.urn && as !== "part");
  if (other !== undefined) throw managedBy(kind, kind.id(outputs), other);
}

function partsOf({ parts }: AnyKind, outputs: Values, declared: readonly string[]): readonly ObjectKey[] {
  return parts?.(outputs, changesAt(declared)) ?? [];
}

function claim({ services, call }: Claimant, key: ObjectKey, origin: string | undefined, as: ClaimType): void {
  services.registry.claim({ ...key, urn: call.urn, origin, as });
}
