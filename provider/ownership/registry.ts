import type { Claim, ObjectKey } from "./claim";
import type { SharedClaims } from "./shared-claims";

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
