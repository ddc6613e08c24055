import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import type { Clock } from "../api/clock";

/** A create that was about to be sent, or a change that must not be made twice. Holds no secret. */
const entry = z.object({
  version: z.literal(1),
  kind: z.string(),
  owner: z.string(),
  attempt: z.string(),
  apiUrl: z.string(),
  /** The machine's time in ISO 8601. */
  writtenAt: z.iso.datetime(),
  /** The platform's time in ISO 8601, if it has told one: what this attempt made is not older. */
  sentAt: z.iso.datetime().optional(),
  /** What a change was for, and what the object was like before it; left out for a create. */
  change: z.object({ wish: z.string(), before: z.record(z.string(), z.unknown()) }).optional(),
});
export type JournalEntry = z.infer<typeof entry>;
type ChangeEntry = JournalEntry & { readonly change: object };

/** After so long nobody is going to look for the result of an attempt any more: 30 days in milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000;

/** Whether nobody looks for the result of an attempt any more, at this time. */
export function isForgotten({ sentAt, writtenAt }: Pick<JournalEntry, "sentAt" | "writtenAt">, now: Date): boolean {
  return now.getTime() - Date.parse(sentAt ?? writtenAt) > lifetime;
}

/**
 * Attempts to create whose result may not be in any state: one small file each, written before the request is sent and
 * removed once the state is known to hold the result. A later process finds by it what a killed one has made. The same
 * holds for changes that must not be made twice.
 */
export class Journal {
  readonly #folder: string;
  readonly #clock: Clock;
  #tidied: Promise<unknown> | undefined;

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
    if (attempt.sentAt !== undefined) await this.#tidy(new Date(attempt.sentAt));
  }

  /** The attempts of this owner to create whose result nobody has recorded, oldest first. */
  async attempts(owner: string, apiUrl: string): Promise<readonly JournalEntry[]> {
    return (await this.#entriesOf(owner)).filter((one) => one.apiUrl === apiUrl && one.change === undefined);
  }

  /** The changes of this owner that must not be made twice, and of which nobody has recorded whether they were made. */
  async changes(owner: string, apiUrl: string): Promise<readonly ChangeEntry[]> {
    return (await this.#entriesOf(owner)).filter((one): one is ChangeEntry => one.apiUrl === apiUrl && isChange(one));
  }

  async #entriesOf(owner: string): Promise<readonly JournalEntry[]> {
    const names = (await this.#list()).filter((name) => name.startsWith(`${owner}.`));
    const entries = await Promise.all(names.map((name) => this.#read(name)));
    return entries.filter((found) => found !== undefined).sort((one, other) => timeOf(one) - timeOf(other));
  }

  /**
   * The state holds what this attempt made. Those of its owner before it were looked for in vain when it was sent, and
   * nobody is going to look for them again.
   */
  async recorded(owner: string, attempt: string): Promise<void> {
    const all = (await this.#entriesOf(owner)).map((one) => one.attempt);
    for (const one of all.slice(0, all.indexOf(attempt) + 1)) await this.settle(owner, one);
  }

  /** The state holds what came of it, or it is certain that nothing did: nobody has to look for it. */
  async settle(owner: string, attempt: string): Promise<void> {
    await rm(join(this.#folder, fileName(owner, attempt)), { force: true });
  }

  /** No change of this owner is in question any more. */
  async settleChanges(owner: string): Promise<void> {
    for (const one of await this.#entriesOf(owner)) if (isChange(one)) await this.settle(owner, one.attempt);
  }

  /**
   * Once in a process, by the platform's time: this machine's can be set to anything, and would drop what is still looked
   * for. Entries of resources that are long gone would stay otherwise.
   */
  #tidy(now: Date): Promise<unknown> {
    return (this.#tidied ??= this.#list().then((names) =>
      Promise.all(
        names.map(async (name) => {
          const found = await this.#read(name);
          if (found !== undefined && isForgotten(found, now)) await this.settle(found.owner, found.attempt);
        }),
      ),
    ));
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
    if (parsed.success) return parsed.data;
    // A file that cannot be read names no attempt.
    await rm(file, { force: true });
    return undefined;
  }
}

/** When an attempt was sent, by the platform's clock where that is known: this machine's may have been set since. */
function timeOf({ sentAt, writtenAt }: JournalEntry): number {
  return Date.parse(sentAt ?? writtenAt);
}

function isChange(one: JournalEntry): one is ChangeEntry {
  return one.change !== undefined;
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
