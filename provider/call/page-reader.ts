import type { ListPage } from "../../api/http/pagination";

/** Far above the default of 100, far below the maximum for branches: a page stays a response of a few hundred kilobytes. */
export const pageSize = 400;

/** A list as far as it has been read. Callers that need more at the same time share the next page. */
export class PageReader<Item> {
  /** How many pages have been read. */
  read = 0;
  isComplete = false;
  hasFailed = false;
  readonly items: Item[] = [];
  readonly #pages: AsyncIterator<ListPage<Item>>;
  #reading: Promise<void> | undefined;

  constructor(pages: AsyncIterable<ListPage<Item>>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Reads the next page, or waits for it if somebody is reading it. A list that has failed cannot be continued. */
  next(): Promise<void> {
    return (this.#reading ??= this.#readPage());
  }

  async #readPage(): Promise<void> {
    try {
      const next = await this.#pages.next();
      this.read += 1;
      this.isComplete = next.done === true || next.value.isLast;
      if (next.done !== true) this.items.push(...next.value.items);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.#reading = undefined;
    }
  }
}

/** Every item of a list. */
export async function every<Item>(pages: AsyncIterable<ListPage<Item>>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}
