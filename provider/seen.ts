/** The objects that this process has seen as the state of each resource. */
export class Seen {
  readonly #ids = new Map<string, Set<string>>();
  readonly #inState = new Set<string>();
  readonly #taken = new Set<string>();

  /** The engine has this object as the resource's state. */
  add(urn: string | undefined, id: string): void {
    if (urn === undefined) return;
    this.#inState.add(urn);
    const ids = this.#ids.get(urn);
    if (ids === undefined) this.#ids.set(urn, new Set([id]));
    else ids.add(id);
  }

  /** The engine has some object as the resource's state. */
  addUnnamed(urn: string): void {
    this.#inState.add(urn);
  }

  has(urn: string, id: string): boolean {
    return this.#ids.get(urn)?.has(id) ?? false;
  }

  /** Whether a create for this resource is a replacement of what it was. */
  isReplacement(urn: string): boolean {
    return this.#inState.has(urn);
  }

  /** A create of this process has taken over an object that was there. */
  take(urn: string, id: string): void {
    this.#taken.add(`${urn} ${id}`);
  }

  /**
   * Whether a delete of this object would delete what the resource has just become. The engine can replace a resource
   * without telling the provider anything of the old object (`pulumi up --replace`): the create then looks like a first
   * one, takes over the very object it is to replace, and only the delete that follows in the same process tells.
   */
  isTaken(urn: string | undefined, id: string): boolean {
    return this.#taken.has(`${urn ?? ""} ${id}`);
  }
}
