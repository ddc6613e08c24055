import type { Table } from "../storage/store";
import type { ApiKeyRow } from "./rows";

type Use = Pick<ApiKeyRow, "last_used_at" | "last_used_from_addr">;

/**
 * When each key was used last, and from where. Kept in memory and written with the next change, so that reading does
 * not write to the disk.
 */
export class KeyUse {
  readonly #unwritten = new Map<number, Use>();

  note(keyId: number, use: Use): void {
    this.#unwritten.set(keyId, use);
  }

  /** A key with its latest use. */
  latest(key: ApiKeyRow): ApiKeyRow {
    return { ...key, ...this.#unwritten.get(key.id) };
  }

  /** Writes what was noted. */
  write(apiKeys: Table<ApiKeyRow>): void {
    for (const id of this.#unwritten.keys()) {
      const key = apiKeys.get({ id });
      if (key) apiKeys.put(this.latest(key));
    }
    this.#unwritten.clear();
  }
}
