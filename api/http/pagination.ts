import type { PagedRequest, Request } from "../request";

/** How much of a list to read. */
export interface PageOptions {
  /** Read at most so many entries. Default: all of them. */
  readonly limit?: number | undefined;
  /** Ask for pages of so many entries. Default: 100, or fewer where fewer are wanted or allowed. */
  readonly pageSize?: number | undefined;
}

const defaultPageSize = 100;

/**
 * Reads a list page by page.
 *
 * What the platform answers on the last page is not specified, so the reading ends at whatever comes first: no cursor,
 * an empty page, or a cursor that was sent before.
 */
export async function* paginate<Item, Page>(
  request: PagedRequest<Item, Page>,
  send: (page: Request<Page>) => Promise<Page>,
  { limit = Infinity, pageSize = defaultPageSize }: PageOptions,
): AsyncGenerator<Item, void> {
  const sent = new Set<string>();
  let read = 0;
  let cursor: string | undefined;
  while (read < limit) {
    const size = Math.max(1, Math.min(pageSize, request.maxPageSize, limit - read));
    const page = await send({ ...request, query: { ...request.query, limit: size, cursor } });
    const items = request.items(page);
    for (const item of items.slice(0, limit - read)) yield item;
    read += items.length;
    cursor = request.cursor(page);
    if (items.length === 0 || cursor === undefined || cursor === "" || sent.has(cursor)) return;
    sent.add(cursor);
  }
}
