import type { SharedClaims } from "./shared-claims";

/** One object of a kind. Ids alone can coincide: a role and a database may have the same. */
export interface ObjectKey {
  readonly kind: string;
  /** As it stands in the state. */
  readonly id: string;
}

/**
 * As what a resource of this run has an object.
 *
 * - `managed`: as its own state;
 * - `adopted`: as its own state since this run, in which it took the object over;
 * - `part`: as a part of its own object, such as the compute of a branch.
 *
 * A resource that only reads an object (`get`) has no claim to it.
 */
export type ClaimType = "managed" | "adopted" | "part";

/** A resource's claim to an object. */
export interface Claim extends ObjectKey {
  readonly urn: string;
  /** The URN in the state, if the resource has another one now by an alias. */
  readonly stateUrn: string;
  readonly as: ClaimType;
}

/**
 * Which resource of this run has which object: asked before an object is adopted, recovered, taken as a part, replaced or
 * deleted.
 *
 * Only resources that the program declares in this run have claims. One that is left out of the program and about to be
 * deleted has none, so that another resource can adopt its object.
 */
export class ResourceRegistry {
  readonly #claims = new Map<string, Claim>();
  readonly #declared = new Set<string>();
  readonly #shared: SharedClaims;

  constructor(shared: SharedClaims) {
    this.#shared = shared;
  }

  /** The program of this run declares the resource. */
  declare(urn: string): void {
    if (urn === "" || this.#declared.has(urn)) return;
    this.#declared.add(urn);
    for (const claim of this.#claims.values()) if (claim.urn === urn) this.#shared.publish(claim);
  }

  /** The resource has this object, or will have when its call has ended. */
  claim(claim: Claim): void {
    if (claim.urn === "") return;
    const text = JSON.stringify([claim.urn, claim.kind, claim.id]);
    const before = this.#claims.get(text);
    // What was adopted in this run stays so: nothing of this run may delete it.
    const as = before?.as === "adopted" ? "adopted" : claim.as;
    if (before !== undefined && before.as === as && before.stateUrn === claim.stateUrn) return;
    const kept = { ...claim, as };
    this.#claims.set(text, kept);
    if (this.#declared.has(claim.urn)) this.#shared.publish(kept);
  }

  /** The resource no longer has this object: it is deleted, or released from the state. */
  release(key: ObjectKey): void {
    for (const [text, { kind, id }] of this.#claims) if (kind === key.kind && id === key.id) this.#claims.delete(text);
  }

  /** The claims that declared resources of this run have to an object, whichever process serves them. */
  claimsTo({ kind, id }: ObjectKey): readonly Claim[] {
    const own = [...this.#claims.values()].filter(({ urn }) => this.#declared.has(urn));
    return [...own, ...this.#shared.ofOthers()].filter((claim) => claim.kind === kind && claim.id === id);
  }

  /** Those of other resources than this one. */
  claimsOfOthers(key: ObjectKey, urn: string): readonly Claim[] {
    return this.claimsTo(key).filter((claim) => claim.urn !== urn);
  }
}

/** A resource as a program's reader knows it, such as `Branch "pr-42"`. */
export function titleOf(urn: string): string {
  const [type = "", ...name] = urn.split("::").slice(2);
  return `${type.slice(type.lastIndexOf(":") + 1)} "${name.join("::")}"`;
}
