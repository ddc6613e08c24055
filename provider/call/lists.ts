import type { NeonClient } from "../../api/client";
import { type ListPage, pages } from "../../api/http/pagination";
import { type Collection, every, type Reader } from "./collection";

/** The objects of a collection to look for. */
export interface Search<Item> {
  readonly collection: Pick<Collection<Item>, "name" | "projectId" | "pages" | "keyOf">;
  readonly matches: (item: Item) => boolean;
  /** Lists only the objects that can match, if the platform supports such a search. */
  readonly alone?: ((reader: Reader) => AsyncIterable<ListPage<Item>>) | undefined;
}

/**
 * The page size is far above the default of 100, and far below the maximum for branches, so that a page stays a
 * response of a few hundred kilobytes.
 */
export const pageSize = 400;

/** How long objects are read from a list, in milliseconds. */
const maxAge = 10_000;

/** How long to repeat the read of a page, in milliseconds. */
const pageTimeout = 20_000;

/**
 * The lists of an account. Calls of a process share a list while it is fresh enough for their use:
 *
 * | use                                                           | which list                                                                 |
 * | ------------------------------------------------------------- | -------------------------------------------------------------------------- |
 * | objects that a new resource can mean ({@link Lists.find})     | of any age: found objects are read again, missing ones may exist           |
 * | a refresh, a preview, running operations ({@link Lists.read}) | of the last 10 s, and newer than the project's last change by this process |
 * | differences and warnings of a refresh                         | none: the object is read alone                                             |
 * | an object that a create adopts, or that makes it fail         | none: the object is read alone                                             |
 * | a change or delete; whether to send a creation again          | none: the object is read alone, or in a list that is read for it           |
 */
export class Lists {
  readonly #client: NeonClient;
  readonly #reader: Reader;
  readonly #lists = new Map<string, List<unknown>>();
  /** The number of changes by project. The entry for objects outside of projects counts every change. */
  readonly #epochs = new Map<string | undefined, number>();

  constructor(client: NeonClient) {
    const options = (): { readonly deadline: number } => ({ deadline: client.clock.now() + pageTimeout });
    this.#client = client;
    this.#reader = {
      read: (request) => client.send(request, options()),
      pages: (request, size = pageSize) => pages(request, (page) => client.send(page, options()), { pageSize: size }),
    };
  }

  /**
   * The objects that match, as they were when this process listed them.
   *
   * @throws NeonError if a page cannot be read: half a list would be taken for a whole one
   */
  async find<Item>({ collection, matches, alone }: Search<Item>): Promise<readonly Item[]> {
    const list = this.#list(collection, (known) => !known.hasFailed);
    return await list.find(matches, alone && (() => every(alone(this.#reader))));
  }

  /**
   * Reads an object from its list; undefined if it has to be read alone.
   *
   * A `pulumi refresh` reads each object with a call of its own, a few calls at a time. The first object of a
   * collection is read alone. From the second object on, the list is read instead, but never more of its pages than
   * objects were asked for. So a refresh sends at most twice the requests of reading one by one, and usually one for
   * each page.
   */
  async read<Item>(collection: Collection<Item>, key: string): Promise<ListedAnswer<Item> | undefined> {
    return await this.#present(collection).read(collection, key);
  }

  /**
   * All objects of a list that is as fresh as for {@link read}, and newer than the one that this resource got before.
   *
   * @throws NeonError if a page cannot be read
   */
  async all<Item>(collection: Search<Item>["collection"], urn: string): Promise<readonly Item[]> {
    return await this.#present(collection, (known) => !known.hasFailed && !known.answered.has(urn)).all(urn);
  }

  #present<Item>(
    collection: Search<Item>["collection"],
    isUsable: (list: List<unknown>) => boolean = () => true,
  ): List<Item> {
    const oldest = this.#client.clock.now() - maxAge;
    const epoch = this.#epochOf(collection);
    return this.#list(collection, (known) => known.epoch === epoch && known.startedAt > oldest && isUsable(known));
  }

  /**
   * Records that something may have changed. Earlier reads are no longer returned as the present.
   *
   * @param projectId the project in which it has changed, if it belongs to one
   */
  forget(projectId: string | undefined): void {
    for (const changed of new Set([projectId, undefined])) {
      this.#epochs.set(changed, (this.#epochs.get(changed) ?? 0) + 1);
    }
  }

  #epochOf({ projectId }: Pick<Collection<unknown>, "projectId">): number {
    return this.#epochs.get(projectId) ?? 0;
  }

  #list<Item>(collection: Search<Item>["collection"], isUsable: (list: List<unknown>) => boolean): List<Item> {
    const known = this.#lists.get(collection.name);
    if (known !== undefined && isUsable(known)) return known as List<Item>;
    const epoch = this.#epochOf(collection);
    const asked = known?.epoch === epoch ? known.asked : 0;
    const next = new List(collection, this.#reader, { startedAt: this.#client.clock.now(), epoch, asked });
    this.#lists.set(collection.name, next as List<unknown>);
    return next;
  }
}

/** The answer of a list: the object, or that it does not exist. */
interface ListedAnswer<Item> {
  readonly item: Item | undefined;
}

/** A list, as far as it has been read. Concurrent callers that need more of it share the next page. */
class List<Item> {
  readonly startedAt: number;
  /** The number of changes when the list was begun. */
  readonly epoch: number;
  /** How many objects callers have asked for, in this list and the ones before it. */
  asked: number;
  hasFailed = false;
  /** Keys that the list has answered for. A second read of the same object is a poll, so it is sent. */
  readonly answered = new Set<string>();
  readonly #keyOf: (item: Item) => string;
  readonly #pages: AsyncIterator<ListPage<Item>>;
  readonly #items: Item[] = [];
  readonly #byKey = new Map<string, Item>();
  #read = 0;
  #searches = 0;
  #isComplete = false;
  #reading: Promise<void> | undefined;

  constructor(
    { pages, keyOf }: Search<Item>["collection"],
    reader: Reader,
    { startedAt, epoch, asked }: Pick<List<Item>, "startedAt" | "epoch" | "asked">,
  ) {
    this.startedAt = startedAt;
    this.epoch = epoch;
    this.asked = asked;
    this.#keyOf = keyOf;
    this.#pages = pages(reader)[Symbol.asyncIterator]();
  }

  /**
   * Searches the list. If the platform supports a search of its own, reads only one page more than there were searches,
   * because the last page of a short list is empty.
   */
  async find(
    matches: (item: Item) => boolean,
    alone: (() => Promise<readonly Item[]>) | undefined,
  ): Promise<readonly Item[]> {
    this.#searches += 1;
    while (!this.#isComplete) {
      if (alone !== undefined && this.#read > this.#searches) return (await alone()).filter(matches);
      await this.#next();
    }
    return this.#items.filter(matches);
  }

  async all(urn: string): Promise<readonly Item[]> {
    this.answered.add(urn);
    return await this.find(() => true, undefined);
  }

  async read({ get, optional }: Collection<Item>, key: string): Promise<ListedAnswer<Item> | undefined> {
    if (this.answered.has(key)) return undefined;
    this.answered.add(key);
    this.asked += 1;
    // Whether another page costs less than reading the requested objects alone.
    const isWorthwhile = (): boolean => get === undefined || this.#read < this.asked - 1;
    while (!this.#byKey.has(key) && !this.#isComplete && !this.hasFailed && isWorthwhile()) {
      // Reading the object alone may succeed, or explain the failure better.
      await this.#next().catch(() => undefined);
    }
    const item = this.#byKey.get(key);
    return item !== undefined || (this.#isComplete && optional === true) ? { item } : undefined;
  }

  /** Reads the next page, or waits for it if another call is reading it. A list that has failed cannot be continued. */
  #next(): Promise<void> {
    return (this.#reading ??= this.#readPage());
  }

  async #readPage(): Promise<void> {
    try {
      const next = await this.#pages.next();
      this.#read += 1;
      this.#isComplete = next.done === true || next.value.isLast;
      for (const item of next.done === true ? [] : next.value.items) {
        this.#items.push(item);
        this.#byKey.set(this.#keyOf(item), item);
      }
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.#reading = undefined;
    }
  }
}
