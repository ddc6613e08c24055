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
  /** Unique among the collections of the account. */
  readonly name: string;
  /** The project that the objects belong to, if they belong to one. */
  readonly projectId?: string;
  /** Reads the list page by page. */
  readonly pages: (reader: Reader) => AsyncIterable<ListPage<Item>>;
  readonly keyOf: (item: Item) => string;
  /** Reads one object; undefined if it does not exist. Absent if the platform has no such request. */
  readonly get?: (reader: Reader, key: string) => Promise<Item | undefined>;
  /** An object may be missing without anything being wrong, so the list alone proves that it does not exist. */
  readonly optional?: true;
}

/** A list as a kind defines it. */
interface ListOf<List, Item> {
  readonly list: List;
  readonly keyOf: (item: Item) => string;
  /**
   * Reads the parent of the list. If the parent does not exist either, the list is empty. Default: a list that is not
   * found is an error.
   */
  readonly parent?: Request<unknown>;
  /** Reads one object. Absent if the platform has no such request. */
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

/** The object of a collection that a response reported: undefined if it does not exist. */
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
 * A list of objects in a parent. Undefined if the parent does not exist either: a 404 for the list alone says nothing
 * about its objects.
 *
 * @param parent reads the parent
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

/** Makes sure that a list was not found because its parent does not exist. */
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
 * Looks for an object in its list after a request for the object alone has not found it. Both agree, unless one of them
 * is wrong. Undefined also if the parent of the list does not exist.
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

/** The project in the path of a request, if there is one. */
export function projectIn({ path }: Request<unknown>): string | undefined {
  return /^\/projects\/([^/]+)/.exec(path)?.[1];
}
