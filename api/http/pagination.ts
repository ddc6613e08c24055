import type { PagedRequest, Request } from "../request";

/** Which part of a list to read. */
export interface PageOptions {
  /** Maximum number of items to read. Default: all. */
  readonly limit?: number | undefined;
  /** Number of items per page. Default: 100, or less if `limit` or the platform's maximum is lower. */
  readonly pageSize?: number | undefined;
}

export const defaultPageSize = 100;

/** All items of a list. */
export async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** A part of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Whether it is certain that nothing follows. */
  readonly isLast: boolean;
}

/** Reads a list item by item. See {@link pages}. */
export async function* paginate<Item, Page>(
  request: PagedRequest<Item, Page>,
  send: (page: Request<Page>) => Promise<Page>,
  options: PageOptions,
): AsyncGenerator<Item, void> {
  for await (const { items } of pages(request, send, options)) yield* items;
}

/**
 * Reads a list page by page.
 *
 * The API does not specify how the last page is marked. Reading ends with the first page that has no cursor, no items, or a
 * cursor that was already sent.
 */
export async function* pages<Item, Page>(
  request: PagedRequest<Item, Page>,
  send: (page: Request<Page>) => Promise<Page>,
  { limit = Infinity, pageSize = defaultPageSize }: PageOptions,
): AsyncGenerator<ListPage<Item>, void> {
  const sent = new Set<string>();
  let read = 0;
  let cursor: string | undefined;
  while (read < limit) {
    const size = Math.max(1, Math.min(pageSize, request.maxPageSize, limit - read));
    const page = await send({ ...request, query: { ...request.query, limit: size, cursor } });
    const items = request.items(page);
    const next = request.cursor(page);
    const isLast = items.length === 0 || next === undefined || next === "" || sent.has(next);
    yield { items: items.slice(0, limit - read), isLast };
    if (isLast) return;
    read += items.length;
    cursor = next;
    sent.add(next);
  }
}
