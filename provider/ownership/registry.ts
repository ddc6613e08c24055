import type { Claim, KeptClaim, ObjectKey } from "./claim";
import type { SharedClaims } from "./shared-claims";

/**
 * Which resource of this run has which object. The lifecycle asks before it adopts, replaces or deletes an object
 * or declares it as a part.
 *
 * Only the claims of resources that the program declares in this run count. A resource that was removed from the program
 * and will be deleted has none, so that another resource can adopt its object.
 */
export class ResourceRegistry {
  readonly #claims = new Map<string, Claim>();
  /** The objects that this process has deleted or given up, as texts. */
  readonly #released = new Set<string>();
  /** The URNs that the program declares. */
  readonly #declared = new Set<string>();
  readonly #shared: SharedClaims;
  readonly #service: () => string;

  /** @param service tells the service that this process talks to from others */
  constructor(shared: SharedClaims, service: () => string) {
    this.#shared = shared;
    this.#service = service;
  }

  /** The program of this run declares the resource. */
  declare(urn: string): void {
    if (urn === "" || this.#declared.has(urn)) return;
    this.#declared.add(urn);
    for (const claim of this.#claims.values()) if (claim.urn === urn) this.#shared.publish(claim);
  }

  /** Whether this run has a program: commands such as `destroy` work on the state alone. */
  get hasProgram(): boolean {
    return this.#declared.size > 0;
  }

  /** Whether the program of this run declares the resource, as far as it has been registered. */
  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /** The resource has this object, or will have it when its call returns. */
  claim(claim: Omit<Claim, "service">): void {
    if (claim.urn === "") return;
    const service = this.#service();
    const text = JSON.stringify([claim.urn, service, claim.kind, claim.id]);
    const before = this.#claims.get(text);
    // An adopted object stays adopted for the whole run: nothing in this run may delete it.
    const as = before?.as === "adopted" ? "adopted" : claim.as;
    const isKnown = before?.as === as && before.origin === claim.origin;
    if (isKnown) return;
    const kept = { ...claim, service, as };
    this.#claims.set(text, kept);
    if (this.#declared.has(claim.urn)) this.#shared.publish(kept);
  }

  /** The resource no longer has this object: it was deleted, or removed from the state. */
  release(key: ObjectKey): void {
    const isReleased = this.#isTo(key);
    for (const [text, claim] of this.#claims) if (isReleased(claim)) this.#claims.delete(text);
    this.#released.add(JSON.stringify([key.kind, key.id]));
  }

  /** Whether this process has deleted an object: a list from before may still hold it. */
  hasReleased({ kind, id }: ObjectKey): boolean {
    return this.#released.has(JSON.stringify([kind, id]));
  }

  /** The claims of declared resources of this run to an object, in every provider process of the run. */
  claimsTo(key: ObjectKey): readonly KeptClaim[] {
    return this.#allTo(key).filter((claim): claim is KeptClaim => claim.as !== "former");
  }

  /** The claim of a declared resource of this run that deletes the object, because it was a part of it. */
  formerClaimTo(key: ObjectKey): Claim | undefined {
    return this.#allTo(key).find((claim) => claim.as === "former");
  }

  #allTo(key: ObjectKey): readonly Claim[] {
    const own = [...this.#claims.values()].filter(({ urn }) => this.#declared.has(urn));
    return [...own, ...this.#shared.ofOthers()].filter(this.#isTo(key));
  }

  #isTo({ kind, id }: ObjectKey): (claim: Claim) => boolean {
    const service = this.#service();
    return (claim) => claim.service === service && claim.kind === kind && claim.id === id;
  }

  /** The claims of resources other than this one. */
  claimsOfOthers(key: ObjectKey, urn: string): readonly KeptClaim[] {
    return this.claimsTo(key).filter((claim) => claim.urn !== urn);
  }

  /** The claims of those that have not come to have the object by this creation or adoption. */
  claimsOfOtherOrigin(key: ObjectKey, origin: string | undefined): readonly KeptClaim[] {
    return this.claimsTo(key).filter((claim) => claim.origin !== origin);
  }
}
