import type { NeonClient } from "../../api/client";
import { type ListPage, pages } from "../../api/http/pagination";
import type { Collection, Reader } from "./collection";
import { every, PageReader, pageSize } from "./page-reader";

/** Which objects of a collection are looked for. */
export interface Search<Item> {
  readonly collection: Collection<Item>;
  readonly matches: (item: Item) => boolean;
  /** Lists only those that can match, if the platform can search for them. */
  readonly alone?: ((reader: Reader) => AsyncIterable<ListPage<Item>>) | undefined;
}

/** How long to repeat the read of a page, in milliseconds. */
const pageTimeout = 20_000;

/**
 * What there is already, for all creates of a run: each collection is listed once. What others create meanwhile is not in it, so
 * what it does not hold is not certainly free; what it holds is read again before anybody is told of it.
 */
export class Inventory {
  readonly #reader: Reader;
  readonly #listings = new Map<string, Listing<unknown>>();

  constructor(client: NeonClient) {
    const options = (): { readonly deadline: number } => ({ deadline: client.clock.now() + pageTimeout });
    this.#reader = {
      read: (request) => client.send(request, options()),
      pages: (request) => pages(request, (page) => client.send(page, options()), { pageSize }),
    };
  }

  async find<Item>({ collection, matches, alone }: Search<Item>): Promise<readonly Item[]> {
    const { name } = collection;
    const listing = (this.#listings.get(name) ?? new Listing(collection.pages(this.#reader))) as Listing<Item>;
    this.#listings.set(name, listing);
    try {
      return await listing.find(matches, alone && (() => every(alone(this.#reader))));
    } catch (error) {
      // Half a list would be taken for a whole one.
      if (this.#listings.get(name) === listing) this.#listings.delete(name);
      throw error;
    }
  }
}

/**
 * A list of which only one page more is read than objects were asked for, if the platform can search for them instead: the
 * last page of a short list is empty.
 */
class Listing<Item> {
  readonly #pages: PageReader<Item>;
  #asked = 0;

  constructor(pages: AsyncIterable<ListPage<Item>>) {
    this.#pages = new PageReader(pages);
  }

  async find(
    matches: (item: Item) => boolean,
    alone: (() => Promise<readonly Item[]>) | undefined,
  ): Promise<readonly Item[]> {
    const pages = this.#pages;
    this.#asked += 1;
    while (!pages.isComplete) {
      if (alone !== undefined && pages.read > this.#asked) return (await alone()).filter(matches);
      await pages.next();
    }
    return pages.items.filter(matches);
  }
}
