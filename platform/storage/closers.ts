import type { DataFolder } from "./data-folder";
import { StorageError } from "./storage-error";

/** Closes everything that was opened, in reverse order. */
export class Closers {
  readonly #folder: DataFolder;
  readonly #closers: (() => void | Promise<void>)[] = [];

  constructor(folder: DataFolder) {
    this.#folder = folder;
  }

  add(close: () => void | Promise<void>): void {
    this.#closers.unshift(close);
  }

  /** Closes everything. If the data folder prevents it, the error is logged, and the next start completes the work. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0)) {
      try {
        await close();
      } catch (error) {
        const explained = this.#folder.explain(error);
        if (!(explained instanceof StorageError)) errors.push(explained);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
