import type { Table } from "../../storage/table";
import type { ApiKeyRow } from "./api-key-row";

type Usage = Pick<ApiKeyRow, "last_used_at" | "last_used_from_addr">;

/**
 * The time and the client address of each key's last use. They are stored with the next change, so that reads do not write to disk.
 */
export class KeyUsage {
  readonly #unsaved = new Map<number, Usage>();

  record(keyId: number, usage: Usage): void {
    this.#unsaved.set(keyId, usage);
  }

  /** A key with its latest usage. */
  withLatest(key: ApiKeyRow): ApiKeyRow {
    return { ...key, ...this.#unsaved.get(key.id) };
  }

  /** Stores the recorded usage. */
  flush(apiKeys: Table<ApiKeyRow>): void {
    for (const id of this.#unsaved.keys()) {
      const key = apiKeys.get({ id });
      if (key) apiKeys.put(this.withLatest(key));
    }
    this.#unsaved.clear();
  }
}
