import { ignoreNotFound, invalid, isNotFound, summaryOf } from "../../api/core/errors";
import type { PagedRequest, Request } from "../../api/core/request";
import type { ListPage } from "../../api/http/pagination";

/** Sends requests that only read. */
export interface Reader {
  readonly read: <Response>(request: Request<Response>) => Promise<Response>;
  readonly pages: <Item, Page>(request: PagedRequest<Item, Page>, pageSize?: number) => AsyncIterable<ListPage<Item>>;
}

/** Objects that the platform lists together, such as the branches of a project. */
export interface Collection<Item> {
  /** Tells the collection from all others of the account. */
  readonly name: string;
  /** The project that the objects belong to, if they belong to one. */
  readonly projectId?: string;
  /** The list, page by page. */
  readonly pages: (reader: Reader) => AsyncIterable<ListPage<Item>>;
  readonly keyOf: (item: Item) => string;
  /** Reads one object; undefined if it does not exist. Absent if the platform has no such request. */
  readonly get?: (reader: Reader, key: string) => Promise<Item | undefined>;
  /** Whether an object may be missing without anything being wrong: then the list alone says that it does not exist. */
  readonly optional?: true;
}

/** A list as a kind names it. */
interface ListOf<List, Item> {
  readonly list: List;
  readonly keyOf: (item: Item) => string;
  /** Reads what the list belongs to: if that does not exist either, the list is empty. Default: a list that is not found is an error. */
  readonly parent?: Request<unknown>;
  /** Reads one object; undefined if the platform has no such request. */
  readonly get?: (reader: Reader, key: string) => Promise<Item | undefined>;
}

/** A list that the platform returns as a whole. */
export function wholeList<Answer, Item>({
  items,
  ...of
}: ListOf<Request<Answer>, Item> & { readonly items: (answer: Answer) => readonly Item[] }): Collection<Item> {
  return listed(of, (reader) => onePage(async () => items(await reader.read(of.list))));
}

/** A list that the platform returns page by page. */
export function pagedList<Item, Page>(of: ListOf<PagedRequest<Item, Page>, Item>): Collection<Item> {
  return listed(of, (reader) => reader.pages(of.list));
}

function listed<Item>(
  { list, parent, ...of }: ListOf<Request<unknown>, Item>,
  pages: Collection<Item>["pages"],
): Collection<Item> {
  const projectId = projectIn(list);
  return {
    name: list.path,
    ...(projectId !== undefined && { projectId }),
    pages: async function* (reader) {
      try {
        yield* pages(reader);
      } catch (error) {
        if (parent === undefined) throw error;
        await assertGone(reader, parent, error);
      }
    },
    ...of,
  };
}

/** What a response has said of an object of a collection: undefined if it does not exist. */
export interface Answer {
  readonly collection: string;
  readonly key: string;
  readonly item: unknown;
}

/** The pages of a list that the platform returns as a whole. */
export async function* onePage<Item>(read: () => Promise<readonly Item[]>): AsyncGenerator<ListPage<Item>, void> {
  yield { items: await read(), isLast: true };
}

/** Every item of a list. */
export async function every<Item>(pages: AsyncIterable<ListPage<Item>>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}

/**
 * A list of what belongs to another object. Undefined if that object does not exist, either: a list that is not found says
 * nothing about what it holds.
 *
 * @param parent reads the object to which the list belongs
 */
export async function listOf<Answer>(
  reader: Pick<Reader, "read">,
  list: Promise<Answer>,
  parent: Request<unknown>,
): Promise<Answer | undefined> {
  try {
    return await list;
  } catch (error) {
    await assertGone(reader, parent, error);
    return undefined;
  }
}

/** Makes sure that a list was not found because what it belongs to does not exist. */
async function assertGone(reader: Pick<Reader, "read">, parent: Request<unknown>, error: unknown): Promise<void> {
  if (!isNotFound(error)) throw error;
  if ((await ignoreNotFound(reader.read(parent))) === undefined) return;
  throw invalid(`The list was not found, but what it belongs to exists (${summaryOf(error)})`, {
    cause: error,
    retry: "Run the same command again.",
  });
}

/** Reads one object with a request of its own. */
export function readAlone<Item>(
  reader: Reader,
  { pages, keyOf, get }: Collection<Item>,
  key: string,
): Promise<Item | undefined> {
  return get === undefined ? readFromList(reader, { pages, keyOf }, key) : get(reader, key);
}

/**
 * The object in its list, after a request of its own has not found it: both answer alike, unless one of them is wrong.
 * Undefined also if what the list belongs to does not exist.
 */
export async function readListed<Item>(
  reader: Reader,
  collection: Collection<Item>,
  key: string,
): Promise<Item | undefined> {
  const { get, optional } = collection;
  if (get === undefined || optional === true) return undefined;
  return ignoreNotFound(readFromList(reader, collection, key));
}

async function readFromList<Item>(
  reader: Reader,
  { pages, keyOf }: Pick<Collection<Item>, "pages" | "keyOf">,
  key: string,
): Promise<Item | undefined> {
  for await (const { items } of pages(reader)) {
    const found = items.find((item) => keyOf(item) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The project that a request is about, if it is about one. */
export function projectIn({ path }: Request<unknown>): string | undefined {
  return /^\/projects\/([^/]+)/.exec(path)?.[1];
}
