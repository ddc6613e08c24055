import type { NeonClient } from "../../api/client";
import { type ListPage, pages } from "../../api/http/pagination";
import type { Collection, Reader } from "./collection";
import { every, PageReader, pageSize } from "./page-reader";

/** Which objects of a collection are looked for. */
export interface Search<Item> {
  readonly collection: Pick<Collection<Item>, "name" | "projectId" | "pages" | "keyOf">;
  readonly matches: (item: Item) => boolean;
  /** Lists only those that can match, if the platform can search for them. */
  readonly alone?: ((reader: Reader) => AsyncIterable<ListPage<Item>>) | undefined;
}

/** For how long a list answers for its objects, in milliseconds. */
const maxAge = 10_000;

/** How long to repeat the read of a page, in milliseconds. */
const pageTimeout = 20_000;

/**
 * The lists of an account, each read once for all calls of a process that it is fresh enough for:
 *
 * | use                                                             | from a list                                                          |
 * | --------------------------------------------------------------- | -------------------------------------------------------------------- |
 * | which objects a new resource can mean ({@link Lists.find})      | of any age: what it holds is read again, what it lacks may exist     |
 * | a refresh, a preview, running operations ({@link Lists.read})   | of the last 10 s, and since this process has changed the project     |
 * | what a refresh finds to differ, or warns of                     | none: it is read alone                                               |
 * | what a create adopts, and what makes it fail                    | none: it is read alone                                               |
 * | what is changed or deleted; whether to send a creation again    | none: it is read alone, or in a list that is read for it             |
 */
export class Lists {
  readonly #client: NeonClient;
  readonly #reader: Reader;
  readonly #lists = new Map<string, List<unknown>>();

  constructor(client: NeonClient) {
    const options = (): { readonly deadline: number } => ({ deadline: client.clock.now() + pageTimeout });
    this.#client = client;
    this.#reader = {
      read: (request) => client.send(request, options()),
      pages: (request, size = pageSize) => pages(request, (page) => client.send(page, options()), { pageSize: size }),
    };
  }

  /**
   * The objects that match, as there were when this process listed them.
   *
   * @throws NeonError if a page cannot be read: half a list would be taken for a whole one
   */
  async find<Item>({ collection, matches, alone }: Search<Item>): Promise<readonly Item[]> {
    const list = this.#list(collection, (known) => !known.pages.hasFailed);
    return await list.find(matches, alone && (() => every(alone(this.#reader))));
  }

  /**
   * What the list says of an object; undefined if the object has to be read alone.
   *
   * A `pulumi refresh` reads each object with a call of its own, a few calls at a time. The first object of a collection is
   * read alone. From the second one on, the list is read instead, but never more pages of it than objects were asked for: so
   * reading costs at most twice the requests of reading one by one, and usually one for each page.
   */
  async read<Item>(collection: Collection<Item>, key: string): Promise<ListedAnswer<Item> | undefined> {
    return await this.#present(collection).read(collection, key);
  }

  /**
   * All objects of a list that is as fresh as for {@link read}, and newer than the one that this resource has got before.
   *
   * @throws NeonError if a page cannot be read
   */
  async all<Item>(collection: Search<Item>["collection"], urn: string): Promise<readonly Item[]> {
    return await this.#present(collection, (known) => !known.pages.hasFailed && !known.answered.has(urn)).all(urn);
  }

  #present<Item>(
    collection: Search<Item>["collection"],
    isUsable: (list: List<unknown>) => boolean = () => true,
  ): List<Item> {
    const oldest = this.#client.clock.now() - maxAge;
    return this.#list(collection, (known) => !known.isPast && known.startedAt > oldest && isUsable(known));
  }

  /**
   * Something may have changed: what was read before is not handed out as the present any more.
   *
   * @param projectId the project in which it has changed, if it belongs to one; what belongs to none is past in any case
   */
  forget(projectId: string | undefined): void {
    for (const list of this.#lists.values()) {
      if (list.projectId === undefined || list.projectId === projectId) list.isPast = true;
    }
  }

  #list<Item>(collection: Search<Item>["collection"], isUsable: (list: List<unknown>) => boolean): List<Item> {
    const known = this.#lists.get(collection.name);
    if (known !== undefined && isUsable(known)) return known as List<Item>;
    const asked = known === undefined || known.isPast ? 0 : known.asked;
    const next = new List(collection, this.#reader, this.#client.clock.now(), asked);
    this.#lists.set(collection.name, next as List<unknown>);
    return next;
  }
}

/** The answer of a list: the object, or that it does not exist. */
interface ListedAnswer<Item> {
  readonly item: Item | undefined;
}

/** A list as far as it has been read. */
class List<Item> {
  readonly startedAt: number;
  readonly projectId: string | undefined;
  /** How many objects were read, in this list and those before it. */
  asked: number;
  #searches = 0;
  /** Whether this process may have changed what it holds. */
  isPast = false;
  readonly pages: PageReader<Item>;
  readonly #keyOf: (item: Item) => string;
  readonly #byKey = new Map<string, Item>();
  #indexed = 0;
  /** Who asks for the same object again wants to know whether it has changed since. */
  readonly answered = new Set<string>();

  constructor(
    { pages, keyOf, projectId }: Search<Item>["collection"],
    reader: Reader,
    startedAt: number,
    asked: number,
  ) {
    this.startedAt = startedAt;
    this.projectId = projectId;
    this.asked = asked;
    this.#keyOf = keyOf;
    this.pages = new PageReader(pages(reader));
  }

  /** Reads only one page more than there were searches, if the platform can search instead: the last page of a short list is empty. */
  async find(
    matches: (item: Item) => boolean,
    alone: (() => Promise<readonly Item[]>) | undefined,
  ): Promise<readonly Item[]> {
    this.#searches += 1;
    while (!this.pages.isComplete) {
      if (alone !== undefined && this.pages.read > this.#searches) return (await alone()).filter(matches);
      await this.pages.next();
    }
    return this.pages.items.filter(matches);
  }

  async all(urn: string): Promise<readonly Item[]> {
    this.answered.add(urn);
    return await this.find(() => true, undefined);
  }

  async read({ get, optional }: Collection<Item>, key: string): Promise<ListedAnswer<Item> | undefined> {
    if (this.answered.has(key)) return undefined;
    this.answered.add(key);
    this.asked += 1;
    // Whether another page costs less than reading alone what was asked for.
    const isWorthwhile = (): boolean => get === undefined || this.pages.read < this.asked - 1;
    while (this.#item(key) === undefined && !this.pages.isComplete && !this.pages.hasFailed && isWorthwhile()) {
      // Reading an object alone may succeed, or says better why not.
      await this.pages.next().catch(() => undefined);
    }
    const item = this.#item(key);
    return item !== undefined || (this.pages.isComplete && optional === true) ? { item } : undefined;
  }

  #item(key: string): Item | undefined {
    const { items } = this.pages;
    for (const item of items.slice(this.#indexed)) this.#byKey.set(this.#keyOf(item), item);
    this.#indexed = items.length;
    return this.#byKey.get(key);
  }
}
