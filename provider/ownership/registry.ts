import type { Claim, KeptClaim, ObjectKey } from "./claim";
import { Containers } from "./containers";
import { isOfUrn, type OwnershipTag } from "./ownership-tag";
import type { ClaimEntry, ClaimLog } from "./shared-claims";

/**
 * Knows which resource of this run has which object. The lifecycle asks before it adopts, replaces or deletes an
 * object, or declares it as a part.
 *
 * Only claims of resources that the program declares in this run count. A resource that was removed from the program
 * and will be deleted has none, so another resource can adopt its object.
 *
 * Nothing here waits. A claim is granted or refused by its place in the log of the run, which is the same for all
 * provider processes.
 */
export class ResourceRegistry {
  /** The claims that count: by the text of the object, in the order of the log, by URN. */
  readonly #claims = new Map<string, Map<string, Claim>>();
  /** The claims of this process for resources that the program has not declared so far. */
  readonly #undeclared = new Map<string, Claim>();
  /** The objects that this process has deleted or removed from the state, as texts. */
  readonly #released = new Set<string>();
  /** Hashes of the outputs that resources keep in this run, by URN. */
  readonly #kept = new Map<string, ReadonlySet<string>>();
  /** The URNs that the program declares. */
  readonly #declared = new Set<string>();
  /** The changes that this run makes to containers. */
  readonly containers: Containers;
  readonly #log: ClaimLog;
  readonly #service: () => string;

  /** @param service identifies the service that this process talks to */
  constructor(log: ClaimLog, service: () => string) {
    this.#log = log;
    this.#service = service;
    this.containers = new Containers(
      (entry) => log.append(entry),
      () => this.#update(),
      service,
    );
  }

  /** Records that the program of this run declares the resource. */
  declare(urn: string): void {
    if (urn === "" || this.#declared.has(urn)) return;
    this.#declared.add(urn);
    for (const [text, claim] of this.#undeclared) {
      if (claim.urn !== urn) continue;
      this.#undeclared.delete(text);
      this.#log.append({ claim });
    }
  }

  /** Whether this run has a program. Commands such as `destroy` use the state alone. */
  get hasProgram(): boolean {
    return this.#declared.size > 0;
  }

  /** Whether the program of this run has declared the resource so far. */
  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /**
   * Claims an object that the resource has, or will have when its call returns. If several resources claim one object,
   * the first one in the log has it. A resource that only wants to adopt it yields to one that has created it or has it
   * in the state. A claim to an object in the state stays even if it is refused, because the state holds the object
   * twice.
   *
   * @returns the claim of another resource that has the object: the caller must not touch the object then
   */
  claim(claim: Omit<Claim, "service">): Claim | undefined {
    if (claim.urn === "") return undefined;
    const wanted = { ...claim, service: this.#service() };
    const isAdoption = claim.as === "wanted" || claim.as === "adopted";
    const holder = isAdoption ? this.#holderBefore(wanted) : undefined;
    if (holder !== undefined) return holder;
    this.#add(wanted);
    const rival = this.#holderBefore(wanted);
    if (rival !== undefined && isAdoption) this.#log.append({ withdrawn: wanted });
    return rival;
  }

  /**
   * Withdraws the claims of the resource's check, and those of the creation or adoption of this id, which has failed.
   */
  withdraw(urn: string, origin?: string): void {
    const failed = this.#of(urn).filter(
      (claim) => claim.as === "wanted" || (origin !== undefined && claim.origin === origin),
    );
    for (const { kind, id, service } of failed) this.#log.append({ withdrawn: { urn, kind, id, service } });
  }

  /** Releases an object that was deleted or removed from the state. */
  release(key: ObjectKey): void {
    const released = { kind: key.kind, id: key.id, service: this.#service() };
    for (const [text, claim] of this.#undeclared) if (isTo(claim, released)) this.#undeclared.delete(text);
    this.#released.add(JSON.stringify([key.kind, key.id]));
    this.#log.append({ released });
  }

  /** Whether this process has deleted an object. An older list may still contain it. */
  hasReleased({ kind, id }: ObjectKey): boolean {
    return this.#released.has(JSON.stringify([kind, id]));
  }

  /** The claims to an object by declared resources of this run, in all its provider processes. */
  claimsTo(key: ObjectKey): readonly KeptClaim[] {
    return [...this.#to({ ...key, service: this.#service() }).values()].filter(
      (claim): claim is KeptClaim => claim.as !== "former",
    );
  }

  /** The claims to an object by other resources. */
  claimsOfOthers(key: ObjectKey, urn: string): readonly KeptClaim[] {
    return this.claimsTo(key).filter((claim) => claim.urn !== urn);
  }

  /** The claims to an object by another creation or adoption than this one. */
  claimsOfOtherOrigin(key: ObjectKey, origin: string | undefined): readonly KeptClaim[] {
    return this.claimsTo(key).filter((claim) => claim.origin !== origin);
  }

  /** Whether a resource of this run is known to have an object of a kind. */
  hasObject(kind: string, urn: string): boolean {
    return this.#of(urn).some((claim) => claim.kind === kind);
  }

  /** The URNs of this run that are known so far. */
  get urns(): ReadonlySet<string> {
    this.#update();
    return new Set([...this.#declared, ...[...this.#claims.values()].flatMap((claims) => [...claims.keys()])]);
  }

  /** The resource of this run that a tag names. */
  namedBy(tag: OwnershipTag): string | undefined {
    return [...this.urns].find((urn) => isOfUrn(tag, urn));
  }

  /**
   * The URN of a resource that has an object in the state, as far as this process knows, and that the program has not
   * declared so far.
   */
  undeclaredHolder(key: ObjectKey): string | undefined {
    const service = this.#service();
    return [...this.#undeclared.values()].find((claim) => isTo(claim, { ...key, service }))?.urn;
  }

  /** Records that the resource keeps outputs with these hashes, unless this run replaces it. */
  keep(urn: string, outputs: readonly string[]): void {
    if (urn !== "") this.#log.append({ kept: { urn, outputs } });
  }

  /** Hashes of the outputs that a resource keeps. Undefined if this run does not have the resource. */
  keptBy(urn: string): ReadonlySet<string> | undefined {
    this.#update();
    return this.#kept.get(urn);
  }

  #add(claim: Claim): void {
    const text = textOf(claim);
    const before = this.#to(claim).get(claim.urn) ?? this.#undeclared.get(text);
    if (before !== undefined && claim.as === "wanted") return;
    // An adopted object stays adopted for the whole run: nothing in this run may delete it.
    const kept = before?.as === "adopted" ? { ...claim, as: before.as } : claim;
    if (before?.as === kept.as && before.origin === kept.origin) return;
    if (this.#declared.has(claim.urn)) this.#log.append({ claim: kept });
    else this.#undeclared.set(text, kept);
  }

  /** The first claim of another resource that precedes this one and excludes it. */
  #holderBefore(claim: Claim): Claim | undefined {
    for (const other of this.#to(claim).values()) {
      if (other.urn === claim.urn) return undefined;
      if (excludes(other, claim)) return other;
    }
    return undefined;
  }

  #update(): void {
    for (const entry of this.#log.news()) this.#apply(entry);
  }

  /** The claims to an object by URN, in the order of the log. */
  #to(key: ServiceKey): ReadonlyMap<string, Claim> {
    this.#update();
    return this.#claims.get(objectText(key)) ?? new Map();
  }

  /** The claims of a resource. */
  #of(urn: string): readonly Claim[] {
    this.#update();
    return [...this.#claims.values()].flatMap((claims) => claims.get(urn) ?? []);
  }

  #apply(entry: ClaimEntry): void {
    if ("claim" in entry) {
      const { claim } = entry;
      const text = objectText(claim);
      const claims = this.#claims.get(text) ?? new Map<string, Claim>();
      // A claim that was only `wanted` counts from this entry on.
      if (claims.get(claim.urn)?.as === "wanted") claims.delete(claim.urn);
      this.#claims.set(text, claims.set(claim.urn, claim));
    } else if ("kept" in entry) this.#kept.set(entry.kept.urn, new Set(entry.kept.outputs));
    else if ("withdrawn" in entry) this.#claims.get(objectText(entry.withdrawn))?.delete(entry.withdrawn.urn);
    else if ("released" in entry) this.#claims.delete(objectText(entry.released));
    else this.containers.apply(entry);
  }
}

type ServiceKey = Pick<Claim, "service" | "kind" | "id">;

function textOf({ urn, service, kind, id }: Omit<Claim, "origin" | "as">): string {
  return JSON.stringify([urn, service, kind, id]);
}

function objectText({ service, kind, id }: ServiceKey): string {
  return JSON.stringify([service, kind, id]);
}

function isTo(claim: ServiceKey, key: ServiceKey): boolean {
  return claim.id === key.id && claim.kind === key.kind && claim.service === key.service;
}

/** Whether a resource with this claim to an object keeps another one from having the object. */
function excludes(holder: Claim, { urn, origin, as }: Claim): boolean {
  // An alias gives a resource another URN.
  if (holder.urn === urn || (holder.origin !== undefined && holder.origin === origin)) return false;
  if (as === "wanted" || as === "adopted") return true;
  // If another resource declares the object as its part, that resource is refused, and not the one that manages the
  // object.
  return as === "managed" && (holder.as === "managed" || holder.as === "adopted");
}
