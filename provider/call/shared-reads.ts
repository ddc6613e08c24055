import type { NeonClient } from "../../api/client";
import { type ListPage, pages } from "../../api/http/pagination";
import type { Collection, Reader } from "./collection";

/** For how long the objects of a list are handed out, in milliseconds. */
const maxAge = 10_000;

/** How long to try to read a page before its objects are read one by one, in milliseconds. */
const pageTimeout = 20_000;

/** Far above the default of 100, far below the maximum for branches: a page stays a response of a few hundred kilobytes. */
const pageSize = 400;

/**
 * Answers reads of many objects from few lists, for all resources of a process.
 *
 * A `pulumi refresh` reads each object with a call of its own, a few calls at a time. The first object of a collection is
 * read alone. From the second one on, the list is read instead, but never more pages of it than objects were asked for: so
 * reading costs at most twice the requests of reading one by one, and usually one for each page.
 */
export class SharedReads {
  readonly #client: NeonClient;
  readonly #snapshots = new Map<string, Snapshot<unknown>>();

  constructor(client: NeonClient) {
    this.#client = client;
  }

  /** What the list says of an object; undefined if the object has to be read alone. */
  async find<Item>(collection: Collection<Item>, key: string): Promise<Listed<Item> | undefined> {
    return this.#snapshot(collection).find(key);
  }

  /**
   * Something may have changed: what was read before is not handed out any more.
   *
   * @param projectId the project in which it has changed, if it belongs to one; what belongs to none is forgotten in any case
   */
  forget(projectId: string | undefined): void {
    for (const [name, snapshot] of this.#snapshots) {
      if (snapshot.projectId === undefined || snapshot.projectId === projectId) this.#snapshots.delete(name);
    }
  }

  #snapshot<Item>(collection: Collection<Item>): Snapshot<Item> {
    const { name } = collection;
    const now = this.#client.clock.now();
    const known = this.#snapshots.get(name) as Snapshot<Item> | undefined;
    if (known !== undefined && now - known.startedAt < maxAge) return known;
    const next = new Snapshot(collection, this.#reader(), now, known?.asked ?? 0);
    this.#snapshots.set(name, next as Snapshot<unknown>);
    return next;
  }

  #reader(): Reader {
    const client = this.#client;
    const options = (): { readonly deadline: number } => ({ deadline: client.clock.now() + pageTimeout });
    return {
      read: (request) => client.send(request, options()),
      pages: (request) => pages(request, (page) => client.send(page, options()), { pageSize }),
    };
  }
}

/** The answer of a list: the object, or that it does not exist. */
interface Listed<Item> {
  readonly item: Item | undefined;
}

/** A list as far as it has been read. */
class Snapshot<Item> {
  readonly startedAt: number;
  /** How many objects were asked for, in this list and those before it. */
  asked: number;
  readonly projectId: string | undefined;
  readonly #collection: Collection<Item>;
  readonly #pages: AsyncIterator<ListPage<Item>>;
  readonly #items = new Map<string, Item>();
  /** Who asks for the same object again wants to know whether it has changed since. */
  readonly #answered = new Set<string>();
  #read = 0;
  #isComplete = false;
  #hasFailed = false;
  #reading: Promise<void> | undefined;

  constructor(collection: Collection<Item>, reader: Reader, startedAt: number, asked: number) {
    this.startedAt = startedAt;
    this.asked = asked;
    this.projectId = collection.projectId;
    this.#collection = collection;
    this.#pages = collection.pages(reader)[Symbol.asyncIterator]();
  }

  async find(key: string): Promise<Listed<Item> | undefined> {
    if (this.#answered.has(key)) return undefined;
    this.#answered.add(key);
    this.asked += 1;
    while (!this.#items.has(key) && this.#isWorthwhile()) await (this.#reading ??= this.#readPage());
    const item = this.#items.get(key);
    const isAnswer = item !== undefined || (this.#isComplete && this.#collection.optional === true);
    return isAnswer ? { item } : undefined;
  }

  /** Whether another page costs less than reading alone what was asked for. */
  #isWorthwhile(): boolean {
    if (this.#isComplete || this.#hasFailed) return false;
    return this.#collection.get === undefined || this.#read < this.asked - 1;
  }

  async #readPage(): Promise<void> {
    try {
      const next = await this.#pages.next();
      this.#read += 1;
      this.#isComplete = next.done === true || next.value.isLast;
      for (const item of next.done === true ? [] : next.value.items)
        this.#items.set(this.#collection.keyOf(item), item);
    } catch {
      // Reading an object alone may succeed, or says better why not.
      this.#hasFailed = true;
    } finally {
      this.#reading = undefined;
    }
  }
}
