import type { NeonClient } from "../../api/client";
import { type ListPage, pages } from "../../api/http/pagination";
import type { Collection, Reader } from "./collection";

/** Far above the default of 100: a page stays a response of a few hundred kilobytes. */
const pageSize = 400;

/** Which objects of a collection are looked for. */
export interface Search<Item> {
  readonly collection: Collection<Item>;
  readonly matches: (item: Item) => boolean;
  /** Lists only those that can match, if the platform can search for them. */
  readonly alone?: ((reader: Reader) => AsyncIterable<ListPage<Item>>) | undefined;
}

/**
 * What there is already, for all creates of a run: each collection is listed once. What others create meanwhile is not in it, so
 * what it does not hold is not certainly free; what it holds is read again before anybody is told of it.
 */
export class Inventory {
  readonly #reader: Reader;
  readonly #listings = new Map<string, Listing<unknown>>();

  constructor(client: NeonClient) {
    this.#reader = {
      read: (request) => client.send(request),
      pages: (request) => pages(request, (page) => client.send(page), { pageSize }),
    };
  }

  async find<Item>({ collection, matches, alone }: Search<Item>): Promise<readonly Item[]> {
    const { name } = collection;
    const listing = (this.#listings.get(name) ?? new Listing(collection.pages(this.#reader))) as Listing<Item>;
    this.#listings.set(name, listing as Listing<unknown>);
    try {
      return await listing.find(matches, alone && (() => every(alone(this.#reader))));
    } catch (error) {
      // Half a list would be taken for a whole one.
      if (this.#listings.get(name) === listing) this.#listings.delete(name);
      throw error;
    }
  }
}

/** A list as far as it has been read. */
class Listing<Item> {
  readonly #pages: AsyncIterator<ListPage<Item>>;
  readonly #items: Item[] = [];
  #asked = 0;
  #read = 0;
  #isComplete = false;
  #reading: Promise<void> | undefined;

  constructor(all: AsyncIterable<ListPage<Item>>) {
    this.#pages = all[Symbol.asyncIterator]();
  }

  /** @param alone searches for these objects only: cheaper than reading more pages than objects were asked for */
  async find(
    matches: (item: Item) => boolean,
    alone: (() => Promise<readonly Item[]>) | undefined,
  ): Promise<readonly Item[]> {
    this.#asked += 1;
    while (!this.#isComplete) {
      if (alone !== undefined && this.#read >= this.#asked) return (await alone()).filter(matches);
      await (this.#reading ??= this.#readPage());
    }
    return this.#items.filter(matches);
  }

  async #readPage(): Promise<void> {
    try {
      const next = await this.#pages.next();
      this.#read += 1;
      this.#isComplete = next.done === true || next.value.isLast;
      if (next.done !== true) this.#items.push(...next.value.items);
    } finally {
      this.#reading = undefined;
    }
  }
}

/** Every item of a list. */
export async function every<Item>(all: AsyncIterable<ListPage<Item>>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const { items } of all) found.push(...items);
  return found;
}
