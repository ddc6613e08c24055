/** The latest entries, oldest first. Their number and total size are limited, so that a platform can run for weeks. */
export class LatestEntries<Entry extends object> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  #entries: Entry[] = [];
  #added = 0;
  #size = 0;
  readonly #sizes = new WeakMap<Entry, number>();

  constructor(maxEntries: number, maxSize: number) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** The number of all entries that were added, also of those that are not kept. */
  get added(): number {
    return this.#added;
  }

  add(entry: Entry, size: number): void {
    this.#added += 1;
    this.#entries.push(entry);
    this.grow(entry, size);
  }

  /** Counts a part that an entry gets after it was added. */
  grow(entry: Entry, size: number): void {
    this.#sizes.set(entry, this.#sizeOf(entry) + size);
    this.#size += size;
    // Trim many at a time: removing one entry for each new one would copy the whole list.
    if (this.#entries.length > 2 * this.#maxEntries || this.#size > 2 * this.#maxSize) this.#trim();
  }

  list(): readonly Entry[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
    this.#size = 0;
  }

  #trim(): void {
    const latest = this.#entries.slice(-this.#maxEntries);
    this.clear();
    for (const entry of latest.reverse()) {
      if (this.#size + this.#sizeOf(entry) > this.#maxSize) break;
      this.#size += this.#sizeOf(entry);
      this.#entries.push(entry);
    }
    this.#entries.reverse();
  }

  #sizeOf(entry: Entry): number {
    return this.#sizes.get(entry) ?? 0;
  }
}
