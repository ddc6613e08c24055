/** One object of a kind. Ids alone can coincide: a role and a database may have the same. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: string;
}

/** What this process has seen of the resources of its programs, and of the objects they are about. */
export class Seen {
  readonly #states = new Map<string, Set<string>>();
  readonly #holders = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #births = new Map<string, number>();

  /**
   * The engine has this object as the resource's state, or is about to.
   *
   * @param createdAt when it was made, by the platform's clock
   */
  add(urn: string, key: ObjectKey, createdAt: unknown): void {
    this.addUnnamed(urn).add(key.id);
    this.#holders.set(textOf(key), urn);
    const birth = typeof createdAt === "string" ? Date.parse(createdAt) : NaN;
    if (birth > (this.#births.get(urn) ?? 0)) this.#births.set(urn, birth);
  }

  /** The engine has some object as the resource's state. */
  addUnnamed(urn: string): Set<string> {
    const ids = this.#states.get(urn) ?? new Set();
    this.#states.set(urn, ids);
    return ids;
  }

  /** Whether this object has been the resource's state. */
  has(urn: string, id: string): boolean {
    return this.#states.get(urn)?.has(id) ?? false;
  }

  /** Whether this resource has an object as its state of which nothing more is known. */
  isUnnamed(urn: string): boolean {
    return this.#states.get(urn)?.size === 0;
  }

  /** Whether something was made after every object that has been the resource's state. */
  isLater(urn: string, createdAt: string): boolean {
    return Date.parse(createdAt) > (this.#births.get(urn) ?? 0);
  }

  /** The resource that has this object as its state, if any has. */
  holderOf(key: ObjectKey): string | undefined {
    return this.#holders.get(textOf(key));
  }

  /** The resource owns this object of another kind as its part. */
  own(urn: string, part: ObjectKey): void {
    this.#owners.set(textOf(part), urn);
  }

  /** The resource that owns this object as its part, if any does. */
  ownerOf(key: ObjectKey): string | undefined {
    return this.#owners.get(textOf(key));
  }

  /** A create of this process has taken over an object that was there. */
  take(key: ObjectKey): void {
    this.#taken.add(textOf(key));
  }

  /**
   * Whether a delete of this object would delete what a resource has just become. The engine can replace a resource
   * without telling the provider anything of the old object (`pulumi up --replace`): the create then looks like a first
   * one, takes over the very object it is to replace, and only the delete that follows in the same process tells. It is
   * the same for a resource that got another name in the program and adopts what it was.
   */
  isTaken(key: ObjectKey): boolean {
    return this.#taken.has(textOf(key));
  }
}

function textOf({ kind, id }: ObjectKey): string {
  return `${kind} ${id}`;
}
