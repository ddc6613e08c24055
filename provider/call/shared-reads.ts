import type { NeonClient } from "../../api/client";
import { pages } from "../../api/http/pagination";
import type { Collection, Reader } from "./collection";
import { PageReader, pageSize } from "./page-reader";

/** For how long the objects of a list are handed out, in milliseconds. */
const maxAge = 10_000;

/** How long to try to read a page before its objects are read one by one, in milliseconds. */
const pageTimeout = 20_000;

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
  readonly #pages: PageReader<Item>;
  readonly #byKey = new Map<string, Item>();
  #indexed = 0;
  /** Who asks for the same object again wants to know whether it has changed since. */
  readonly #answered = new Set<string>();
  #hasFailed = false;

  constructor(collection: Collection<Item>, reader: Reader, startedAt: number, asked: number) {
    this.startedAt = startedAt;
    this.asked = asked;
    this.projectId = collection.projectId;
    this.#collection = collection;
    this.#pages = new PageReader(collection.pages(reader));
  }

  async find(key: string): Promise<Listed<Item> | undefined> {
    if (this.#answered.has(key)) return undefined;
    this.#answered.add(key);
    this.asked += 1;
    while (this.#item(key) === undefined && this.#isWorthwhile()) {
      // Reading an object alone may succeed, or says better why not.
      await this.#pages.next().catch(() => (this.#hasFailed = true));
    }
    const item = this.#item(key);
    const isAnswer = item !== undefined || (this.#pages.isComplete && this.#collection.optional === true);
    return isAnswer ? { item } : undefined;
  }

  #item(key: string): Item | undefined {
    const { items } = this.#pages;
    for (const item of items.slice(this.#indexed)) this.#byKey.set(this.#collection.keyOf(item), item);
    this.#indexed = items.length;
    return this.#byKey.get(key);
  }

  /** Whether another page costs less than reading alone what was asked for. */
  #isWorthwhile(): boolean {
    if (this.#pages.isComplete || this.#hasFailed) return false;
    return this.#collection.get === undefined || this.#pages.read < this.asked - 1;
  }
}
