import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import type { Clock } from "../../api/clock";

const number = z.string().regex(/^[0-9a-f]{16}$/);
const common = {
  version: z.literal(2),
  /** Names the file. */
  number,
  kind: z.string(),
  /** The account that is asked: a hash of base URL and key. */
  account: z.string(),
  /** This machine's time in ISO 8601. */
  writtenAt: z.iso.datetime(),
  /** The platform's time in ISO 8601, if it has told one: what was made is not older. */
  sentAt: z.iso.datetime().optional(),
};
const creation = z.object({
  ...common,
  is: z.literal("creation"),
  /** The stack, told apart from every other one of this machine. */
  stack: z.string(),
  urnHash: z.string(),
  /** The id in state of what was made, once the platform has answered. */
  objectId: z.string().optional(),
  /** The engine was given the result, and had no chance to say that it has written it down. */
  returned: z.literal(true).optional(),
});
const change = z.object({
  ...common,
  is: z.literal("change"),
  /** The object that is changed, and a hash of what asks for it. */
  objectId: z.string(),
  idempotencyKey: z.string(),
  /** What the object was like before. */
  before: z.record(z.string(), z.unknown()),
});
const entry = z.discriminatedUnion("is", [creation, change]);

/** A creation whose result may be in no state. Holds no secret. */
export type CreationEntry = Readonly<z.infer<typeof creation>>;
/** A change that must not be sent twice, and of which nobody has recorded whether it was made. */
export type ChangeEntry = Readonly<z.infer<typeof change>>;
type JournalEntry = CreationEntry | ChangeEntry;
/** What its writer says of an entry. */
type Draft<Entry extends JournalEntry> = Omit<Entry, "version" | "writtenAt">;

/** After so long nobody looks for the result of an interrupted creation any more: 30 days in milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000;

/** How long an engine may take to write down what it was given, in milliseconds. */
const writtenDownWithin = 30_000;

/** Whether nobody looks for the result any more, at this time. */
export function isExpired({ sentAt, writtenAt }: Pick<JournalEntry, "sentAt" | "writtenAt">, now: Date): boolean {
  return now.getTime() - Date.parse(sentAt ?? writtenAt) > lifetime;
}

/** The number of a new entry. */
export function newNumber(): string {
  return randomBytes(8).toString("hex");
}

/**
 * Creations and changes that are under way: one small file each, written before the request is sent. It is removed when
 * nothing was made, when a state is seen that holds the result, or when the run ends normally. So an entry that a later
 * process finds means that the run that wrote it was killed, or never learned what became of its request.
 */
export class Journal {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #isEngineGone: () => Promise<boolean>;
  /** The creations of this process, by number: they were not interrupted. */
  readonly #own = new Map<string, CreationEntry>();
  /** Earlier entries that an entry of this process replaces, because what they made was searched for in vain. */
  readonly #superseded = new Map<string, readonly string[]>();
  #swept: Promise<void> | undefined;

  /** @param isEngineGone whether the engine that this process serves was killed, and can receive no result */
  constructor(folder: string, clock: Clock, isEngineGone = (): Promise<boolean> => Promise.resolve(false)) {
    this.#folder = folder;
    this.#clock = clock;
    this.#isEngineGone = isEngineGone;
  }

  /**
   * Writes down a creation that is about to be sent, so that the entry survives a crash of the machine.
   *
   * @param superseded earlier entries that are of no use once this one is settled
   */
  async beginCreation(draft: Draft<CreationEntry>, superseded: readonly string[] = []): Promise<void> {
    this.#superseded.set(draft.number, superseded);
    this.#own.set(draft.number, await this.#begin<CreationEntry>(draft));
  }

  /** What became of a creation of this process is not known: it counts as interrupted. */
  abandon(creationId: string): void {
    this.#own.delete(creationId);
  }

  /** Writes down a change that must not be sent twice. */
  async beginChange(draft: Draft<ChangeEntry>): Promise<void> {
    await this.#begin<ChangeEntry>(draft);
  }

  /** The platform has answered a creation of this process: what was made has this id. */
  async answered(creationId: string, objectId: string): Promise<void> {
    await this.#amend(creationId, { objectId });
  }

  /** The result is about to be returned to the engine. One that is gone cannot have it, and no state holds the object. */
  async returned(creationId: string): Promise<void> {
    if (await this.#isEngineGone()) return;
    await this.#amend(creationId, { returned: true });
    // An engine that goes on for so long has written it down.
    void this.#clock.sleep(writtenDownWithin).then(() => this.settle(creationId));
  }

  /** A creation of an interrupted run was recovered: it is one of this process now. */
  recovered(entry: CreationEntry): void {
    this.#own.set(entry.number, entry);
  }

  /** The interrupted creations of other processes that suit, oldest first. */
  async interrupted(suits: Pick<CreationEntry, "kind" | "account" | "stack">): Promise<CreationEntry[]> {
    const members = ["kind", "account", "stack"] as const;
    return (await this.#entries())
      .filter((one) => one.is === "creation")
      .filter((one) => !this.#own.has(one.number) && members.every((member) => one[member] === suits[member]))
      .sort((one, other) => timeOf(one) - timeOf(other));
  }

  /** The same change of the same object, by a process that has not recorded what became of it. */
  async interruptedChange(
    suits: Pick<ChangeEntry, "kind" | "account" | "objectId" | "idempotencyKey">,
  ): Promise<ChangeEntry | undefined> {
    const members = ["kind", "account", "objectId", "idempotencyKey"] as const;
    return (await this.#entries())
      .filter((one) => one.is === "change")
      .find((one) => members.every((member) => one[member] === suits[member]));
  }

  /** No change of this object is in question any more. */
  async settleChangesOf(objectId: string): Promise<void> {
    for (const one of await this.#entries()) {
      if (one.is === "change" && one.objectId === objectId) await this.settle(one.number);
    }
  }

  /** A state holds what came of it, or it is certain that nothing did. */
  async settle(id: string): Promise<void> {
    for (const file of this.#settled(id)) await rm(file, { force: true });
  }

  /**
   * The run ends normally, so that the engine has everything that it was given. Synchronous, because the process is about
   * to end.
   */
  settleReturned(): void {
    for (const one of this.#own.values()) {
      if (one.returned !== true) continue;
      for (const file of this.#settled(one.number)) rmSync(file, { force: true });
    }
  }

  /** The files that go when this entry is settled, also what a process that was killed has half written. */
  #settled(id: string): readonly string[] {
    const all = [id, ...(this.#superseded.get(id) ?? [])];
    for (const one of all) this.#own.delete(one);
    this.#superseded.delete(id);
    return all.flatMap((one) => [this.#file(one), `${this.#file(one)}.new`]);
  }

  async #begin<Entry extends JournalEntry>(draft: Draft<Entry>): Promise<Entry> {
    const content = { ...draft, version: 2, writtenAt: this.#clock.date().toISOString() } as unknown as Entry;
    if (content.sentAt !== undefined) await this.#sweep(new Date(content.sentAt));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(content.number);
    const handle = await open(`${file}.new`, "w", 0o600);
    try {
      await handle.writeFile(JSON.stringify(content));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
    await this.#syncFolder();
    return content;
  }

  /** Adds to an entry of this process. One that cannot be brought up to date would tell something false: it goes. */
  async #amend(id: string, more: Partial<CreationEntry>): Promise<void> {
    const own = this.#own.get(id);
    if (own === undefined) return;
    const content = { ...own, ...more };
    this.#own.set(id, content);
    const file = this.#file(id);
    await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
      .then(() => rename(`${file}.new`, file))
      .catch(() => rm(file, { force: true }));
  }

  async #entries(): Promise<readonly JournalEntry[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []));
    const found = await Promise.all(ids.map((id) => this.#read(id)));
    return found.filter((one) => one !== undefined);
  }

  /**
   * Removes what nobody looks for any more, once in a process, by the platform's time: this machine's clock can be set to
   * anything, and would drop what is still searched for.
   */
  #sweep(now: Date): Promise<void> {
    return (this.#swept ??= this.#entries().then(async (all) => {
      for (const one of all) if (isExpired(one, now)) await this.settle(one.number);
    }));
  }

  async #read(id: string): Promise<JournalEntry | undefined> {
    const text = await readFile(this.#file(id), "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = entry.safeParse(json(text));
    if (parsed.success && parsed.data.number === id) return parsed.data;
    // A file that cannot be read is evidence of nothing.
    await rm(this.#file(id), { force: true });
    return undefined;
  }

  /** Makes the new name of a file last, too. Not every system can. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, "r").catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** When an entry was sent, by the platform's clock where that is known: this machine's may have been set since. */
function timeOf({ sentAt, writtenAt }: JournalEntry): number {
  return Date.parse(sentAt ?? writtenAt);
}

/** A program may build its triggers from anything, and the journal holds no secret. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
