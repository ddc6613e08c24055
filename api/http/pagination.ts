import { NeonError } from "../core/errors";
import type { PagedRequest, Request } from "../core/request";

/** Which part of a list to read. */
export interface PageOptions {
  /** Maximum number of items to read. Default: all. */
  readonly limit?: number | undefined;
  /** Number of items per page. Default: 100, or less if `limit` or the platform's maximum is lower. */
  readonly pageSize?: number | undefined;
}

export const defaultPageSize = 100;

/** A list with more pages counts as endless. At the rate limit, this many pages take a minute and a half. */
const maxPages = 1_000;

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
 *
 * @throws NeonError `unreadable` if the list does not end, or ends in a way that the platform's own pages cannot explain
 */
export async function* pages<Item, Page>(
  request: PagedRequest<Item, Page>,
  send: (page: Request<Page>) => Promise<Page>,
  { limit = Infinity, pageSize = defaultPageSize }: PageOptions,
): AsyncGenerator<ListPage<Item>, void> {
  const sent = new Set<string>();
  let read = 0;
  let cursor: string | undefined;
  let wasEmpty = false;
  while (read < limit) {
    const size = Math.max(1, Math.min(pageSize, request.maxPageSize, limit - read));
    const page = await send({ ...request, query: { ...request.query, limit: size, cursor } });
    const items = request.items(page);
    const next = request.cursor(page);
    const hasNext = next !== undefined && next !== "";
    const count = items.length + (request.omitted?.(page) ?? 0);
    const isEmpty = count === 0;
    const isRepeated = hasNext && sent.has(next);
    const isOptional = request.isCursorOptional === true;
    const isIncomplete = read + items.length < limit && (isOptional || count >= size);
    if (isRepeated && !isEmpty && isIncomplete) throw incomplete(request, "the cursor of a page that was already read");
    // If cursors are required, an empty list has one, too, so an empty first page is the end. Otherwise a second empty
    // page confirms the end.
    const isLast = !hasNext || isRepeated || (isEmpty && (wasEmpty || (cursor === undefined && !isOptional)));
    yield { items: items.slice(0, limit - read), isLast };
    if (isLast) return;
    if (sent.size + 1 >= maxPages) throw incomplete(request, `more than ${maxPages} pages`);
    wasEmpty = isEmpty;
    read += items.length;
    cursor = next;
    sent.add(next);
  }
}

function incomplete({ method, path }: Request<unknown>, what: string): NeonError {
  return new NeonError("unreadable", `${method} ${path} returned ${what}: the list is incomplete`, undefined, {
    retry: "Try again.",
    fallback: "If the error persists, contact Neon support about this list.",
  });
}
