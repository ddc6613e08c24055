import { rmSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "../../api/clock";

/** How long writing an entry can take at most, in milliseconds. */
const longestWrite = 3_600_000;

/** The files of a folder: one small entry in each, named after its id. */
export class EntryFiles<Entry extends { readonly id: string }> {
  readonly #folder: string;
  readonly #parse: (value: unknown) => Entry | undefined;
  readonly #clock: Clock;

  /** @param parse returns undefined for what is no entry: a file that cannot be parsed proves nothing and is removed */
  constructor(folder: string, parse: (value: unknown) => Entry | undefined, clock: Clock) {
    this.#folder = folder;
    this.#parse = parse;
    this.#clock = clock;
  }

  /** Writes an entry that survives a crash of the machine. */
  async write(content: Entry): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(content.id);
    const handle = await open(partOf(file), "w", 0o600);
    try {
      await handle.writeFile(JSON.stringify(content));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partOf(file), file);
    await this.#syncFolder();
  }

  /** Writes an entry again. One that cannot be written would be wrong: it is removed. */
  async rewrite(content: Entry): Promise<void> {
    const file = this.#file(content.id);
    await writeFile(partOf(file), JSON.stringify(content), { mode: 0o600 })
      .then(() => rename(partOf(file), file))
      .catch(() => rm(file, { force: true }));
  }

  /** All entries whose id suits. */
  async read(suits: (id: string) => boolean): Promise<readonly Entry[]> {
    const names = await this.#names();
    const ids = names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []));
    const found = await Promise.all(ids.filter(suits).map((id) => this.#readOne(id)));
    return found.filter((one) => one !== undefined);
  }

  /** Removes an entry, also one that a killed process has written only in part. */
  async remove(id: string): Promise<void> {
    for (const file of this.#filesOf(id)) await rm(file, { force: true });
  }

  /** The same, for a process that is about to exit. */
  removeSync(id: string): void {
    for (const file of this.#filesOf(id)) rmSync(file, { force: true });
  }

  /** Removes files that a killed process has not finished: they never became entries. */
  async removeParts(): Promise<void> {
    for (const name of (await this.#names()).filter((one) => one.endsWith(partOf(".json")))) {
      const file = join(this.#folder, name);
      const { mtimeMs = Infinity } = await stat(file).catch(() => ({ mtimeMs: undefined }));
      if (this.#clock.date().getTime() - mtimeMs > longestWrite) await rm(file, { force: true });
    }
  }

  async #readOne(id: string): Promise<Entry | undefined> {
    const text = await readFile(this.#file(id), "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const entry = this.#parse(json(text));
    if (entry?.id === id) return entry;
    await rm(this.#file(id), { force: true });
    return undefined;
  }

  /** Makes a rename durable, where the system supports that. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, "r").catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  #names(): Promise<readonly string[]> {
    return readdir(this.#folder).catch(() => []);
  }

  #filesOf(id: string): readonly string[] {
    return [this.#file(id), partOf(this.#file(id))];
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The file that is renamed once it is complete. */
function partOf(file: string): string {
  return `${file}.new`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
