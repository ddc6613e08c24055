import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import type { Clock } from "../api/clock";

/** A create that was about to be sent. Holds no secret. */
const entry = z.object({
  version: z.literal(1),
  kind: z.string(),
  owner: z.string(),
  attempt: z.string(),
  apiUrl: z.string(),
  /** The machine's time in ISO 8601, for expiry. */
  writtenAt: z.string(),
  /** The platform's time in ISO 8601: what this attempt made is not older. */
  sentAt: z.string(),
});
export type JournalEntry = z.infer<typeof entry>;

/** After so long nobody is going to look for the result of an attempt any more: 30 days in milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000;

/**
 * Attempts to create whose result may not be in any state: one small file each, written before the request is sent and
 * removed once the state is known to hold the result. A later process finds by it what a killed one has made.
 */
export class Journal {
  readonly #folder: string;
  readonly #clock: Clock;
  /** Attempts that may have a file, so that settling costs nothing for all the others. */
  #known: Promise<Set<string>> | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Writes an entry so that it survives a crash of the machine. */
  async write(attempt: Omit<JournalEntry, "version" | "writtenAt">): Promise<void> {
    const content: JournalEntry = { version: 1, writtenAt: this.#clock.date().toISOString(), ...attempt };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = fileName(attempt.owner, attempt.attempt);
    const file = join(this.#folder, name);
    const handle = await open(`${file}.new`, "w", 0o600);
    try {
      await handle.writeFile(JSON.stringify(content));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
    await this.#syncFolder();
    (await this.#names()).add(name);
  }

  /** The attempts of this owner whose result nobody has recorded, oldest first. */
  async attempts(owner: string, apiUrl: string): Promise<readonly JournalEntry[]> {
    const names = (await this.#list()).filter((name) => name.startsWith(`${owner}.`));
    // Another process can have written it since this one has looked.
    const known = await this.#names();
    for (const name of names) known.add(name);
    const entries = await Promise.all(names.map((name) => this.#read(name)));
    return entries
      .flatMap((found) => (found?.apiUrl === apiUrl ? [found] : []))
      .sort((one, other) => one.writtenAt.localeCompare(other.writtenAt));
  }

  /** The state holds what this attempt made, or it is certain that it made nothing: nobody has to look for it. */
  async settle(owner: string, attempt: string): Promise<void> {
    const names = await this.#names();
    const name = fileName(owner, attempt);
    if (!names.delete(name)) return;
    await rm(join(this.#folder, name), { force: true });
  }

  #names(): Promise<Set<string>> {
    // Reading drops what is too old: entries of resources that are long gone would stay otherwise.
    return (this.#known ??= this.#list().then(async (names) => {
      await Promise.all(names.map((name) => this.#read(name)));
      return new Set(names);
    }));
  }

  /** Makes the new name of a file last, too. Not every system can. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, "r").catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  async #list(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => name.endsWith(".json"));
  }

  async #read(name: string): Promise<JournalEntry | undefined> {
    const file = join(this.#folder, name);
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = entry.safeParse(json(text));
    // A file that cannot be read names no attempt, and an old one is of no use: both only pile up.
    const expired = parsed.success && this.#clock.date().getTime() - Date.parse(parsed.data.writtenAt) > lifetime;
    if (!parsed.success || expired) {
      await rm(file, { force: true });
      return undefined;
    }
    return parsed.data;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileName(owner: string, attempt: string): string {
  return `${owner}.${attempt}.json`;
}

/** Where the journal of this user is: beside the rest of what Pulumi keeps on this machine. */
export function journalFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const pulumiHome = environment["PULUMI_HOME"];
  return join(pulumiHome === undefined || pulumiHome === "" ? join(homedir(), ".pulumi") : pulumiHome, "neon-pulumi");
}
