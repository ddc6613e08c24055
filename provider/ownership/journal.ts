import { z } from "zod";

import type { Clock } from "../../api/clock";
import { EntryFiles } from "./entry-files";

const common = {
  version: z.literal(1),
  /** Names the file. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  kind: z.string(),
  /** The account: a hash of base URL and key. */
  account: z.string(),
  /** This machine's time in ISO 8601. */
  writtenAt: z.iso.datetime(),
  /** The platform's time in ISO 8601, if it is known: what the request created is not older. */
  sentAt: z.iso.datetime().optional(),
};
const creation = z.object({
  ...common,
  type: z.literal("creation"),
  /** A hash that differs for every stack on this machine. */
  stack: z.string(),
  urnHash: z.string(),
  /** A hash of the object's place and name: creations with another one have created another object. */
  naturalKey: z.string().optional(),
  /** The platform's time when the request was sent again, because the platform had not performed it. */
  resentAt: z.iso.datetime().optional(),
  /** The id in state of the created object, once the platform has responded. */
  objectId: z.string().optional(),
  /** When it appeared, by its own timestamp, if it has one. */
  appearedAt: z.iso.datetime().optional(),
  /** The process that wrote it, by its name in the run. */
  writer: z.string().optional(),
  /** The engine was running when the result was returned to it, so that a state may hold the object. */
  returned: z.literal(true).optional(),
});
const change = z.object({
  ...common,
  type: z.literal("change"),
  /** The changed object, and a hash of what asks for the change. */
  objectId: z.string(),
  idempotencyKey: z.string(),
  /** What the object was like before. */
  before: z.record(z.string(), z.unknown()),
});
const entry = z.discriminatedUnion("type", [creation, change]);

/** A creation whose result may be in no state. Holds no secret. */
export type CreationEntry = Readonly<z.infer<typeof creation>>;
/** A change that must not be sent twice, and whose result may not be recorded. */
export type ChangeEntry = Readonly<z.infer<typeof change>>;
type JournalEntry = CreationEntry | ChangeEntry;
/** The members of an entry that its writer supplies. */
type Draft<Entry extends JournalEntry> = Omit<Entry, "version" | "writtenAt" | "writer">;

/** What creations are searched for. */
type Suits = Pick<CreationEntry, "kind"> & Partial<Pick<CreationEntry, "account" | "stack">>;

/** The run that a journal serves. */
export interface JournalRun {
  /** Names this process. */
  readonly process?: string | undefined;
  /** Whether a process of that name and its engine are alive, in this run or in another one: what it creates is in progress. */
  readonly isRunning: (process: string) => Promise<boolean>;
  /** Whether the engine has been killed, and can receive no result. A process to which it has attached lives on. */
  readonly isEngineGone: () => Promise<boolean>;
}

/** How long the result of an interrupted creation is searched for: 30 days in milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000;
/** How long an engine may take to save what it received, in milliseconds. */
const savedWithin = 30_000;

/** Whether the result is no longer searched for at this time. */
export function isExpired(entry: JournalEntry, now: Date): boolean {
  return now.getTime() - timeOf(entry) > lifetime;
}

/**
 * The creations and changes that are in progress: one small file each, written before the request is sent. The file is
 * removed when nothing was created, when a state holds the result, or when the run ends normally. An entry that a later
 * process finds therefore means that the run that wrote it was killed, or never learned the result of its request.
 */
export class Journal {
  readonly #files: EntryFiles<JournalEntry>;
  readonly #clock: Clock;
  readonly #run: JournalRun;
  /** The creations of this process, by id: they were not interrupted. */
  readonly #own = new Map<string, CreationEntry>();
  /** Earlier entries that an entry of this process replaces, because nothing was found that they created. */
  readonly #superseded = new Map<string, readonly string[]>();
  #swept: Promise<void> | undefined;

  constructor(folder: string, clock: Clock, run: JournalRun) {
    this.#files = new EntryFiles(folder, (value) => entry.safeParse(value).data, clock);
    this.#clock = clock;
    this.#run = run;
  }

  /**
   * Records a creation that is about to be sent. The entry survives a crash of the machine.
   *
   * @param superseded earlier entries that are not needed once this one is settled
   */
  async beginCreation(draft: Draft<CreationEntry>, superseded: readonly string[] = []): Promise<void> {
    this.#superseded.set(draft.id, superseded);
    const { process: writer } = this.#run;
    const content = this.#dated<CreationEntry>({ ...draft, ...(writer === undefined ? {} : { writer }) });
    this.#own.set(content.id, content);
    await this.#write(content).catch((error: unknown) => {
      this.#own.delete(content.id);
      throw error;
    });
  }

  /** The result of a creation of this process is not known: it counts as interrupted. */
  abandon(creationId: string): void {
    this.#own.delete(creationId);
  }

  /** Records a change that must not be sent twice. */
  async beginChange(draft: Draft<ChangeEntry>): Promise<void> {
    await this.#write(this.#dated<ChangeEntry>(draft));
  }

  /**
   * The request of a creation of this process is sent again.
   *
   * @param at the platform's time
   */
  async resent(creationId: string, at: Date): Promise<void> {
    await this.#amend(creationId, { resentAt: at.toISOString() });
  }

  /**
   * The platform has created the object of a creation of this process.
   *
   * @param appearedAt its own timestamp, if it has one
   */
  async answered(creationId: string, objectId: string, appearedAt: Date | undefined): Promise<void> {
    await this.#amend(creationId, { objectId, ...(appearedAt && { appearedAt: appearedAt.toISOString() }) });
  }

  /** The result is about to be returned to the engine. One that is gone cannot have it, and no state holds the object. */
  async returned(creationId: string): Promise<void> {
    if (await this.#run.isEngineGone()) return;
    await this.#amend(creationId, { returned: true });
    // An engine that still runs after this time has saved the result, unless it cannot write to its backend.
    void this.#clock
      .sleep(savedWithin)
      .then(async () => ((await this.#run.isEngineGone()) ? undefined : this.settle(creationId)))
      // An entry that stays open is safe.
      .catch(() => undefined);
  }

  /** A creation of an interrupted run was recovered: from now on it belongs to this process. */
  recovered(entry: CreationEntry): void {
    this.#own.set(entry.id, entry);
  }

  /** The matching interrupted creations of other processes, oldest first. */
  async interrupted(suits: Suits): Promise<CreationEntry[]> {
    return (await this.creations(suits)).interrupted;
  }

  /** The matching creations of other processes: those that are interrupted, oldest first, and those that they work on. */
  async creations({
    kind,
    account,
    stack,
  }: Suits): Promise<Readonly<Record<"interrupted" | "inProgress", CreationEntry[]>>> {
    const suitable = (await this.ofOtherProcesses(kind))
      .filter((one) => (account ?? one.account) === one.account && (stack ?? one.stack) === one.stack)
      .sort((one, other) => timeOf(one) - timeOf(other));
    const areInProgress = await Promise.all(suitable.map((one) => this.#isInProgress(one)));
    return {
      interrupted: suitable.filter((_, index) => areInProgress[index] === false),
      inProgress: suitable.filter((_, index) => areInProgress[index] === true),
    };
  }

  /** The creations of this kind that other processes have recorded, whether they are in progress or interrupted. */
  async ofOtherProcesses(kind: string): Promise<readonly CreationEntry[]> {
    return (await this.#entries()).filter((one) => one.type === "creation").filter((one) => one.kind === kind);
  }

  /** Whether another process is working on it. */
  async #isInProgress({ writer }: CreationEntry): Promise<boolean> {
    return writer !== undefined && writer !== this.#run.process && (await this.#run.isRunning(writer));
  }

  /** The same change of the same object, by a process that has not recorded its result. */
  async interruptedChange(
    suits: Pick<ChangeEntry, "kind" | "account" | "objectId" | "idempotencyKey">,
  ): Promise<ChangeEntry | undefined> {
    const members = ["kind", "account", "objectId", "idempotencyKey"] as const;
    return (await this.#entries())
      .filter((one) => one.type === "change")
      .find((one) => members.every((member) => one[member] === suits[member]));
  }

  /** The results of all changes of this object are known. */
  async settleChangesOf(objectId: string): Promise<void> {
    for (const one of await this.#entries()) {
      if (one.type === "change" && one.objectId === objectId) await this.settle(one.id);
    }
  }

  /** A state holds the result, or there certainly is none. */
  async settle(id: string): Promise<void> {
    for (const one of this.#forget(id)) await this.#files.remove(one);
  }

  /** This creation has certainly created nothing. What earlier ones have created is still to be found. */
  async discard(id: string): Promise<void> {
    this.#superseded.delete(id);
    await this.settle(id);
  }

  /**
   * The run ends normally, so that the engine has saved everything it received. Synchronous, because the process is about
   * to exit.
   */
  settleReturned(): void {
    const returned = [...this.#own.values()].filter((one) => one.returned === true);
    for (const one of returned.flatMap(({ id }) => this.#forget(id))) this.#files.removeSync(one);
  }

  /** The entries to remove when this one is settled. */
  #forget(id: string): readonly string[] {
    const all = [id, ...(this.#superseded.get(id) ?? [])];
    for (const one of all) this.#own.delete(one);
    this.#superseded.delete(id);
    return all;
  }

  #dated<Entry extends JournalEntry>(draft: Draft<Entry>): Entry {
    return { ...draft, version: 1, writtenAt: this.#clock.date().toISOString() } as unknown as Entry;
  }

  async #write(content: JournalEntry): Promise<void> {
    if (content.sentAt !== undefined) await this.#sweep(new Date(content.sentAt));
    await this.#files.write(content);
  }

  /** Adds to an entry of this process. */
  async #amend(id: string, more: Partial<CreationEntry>): Promise<void> {
    const own = this.#own.get(id);
    if (own === undefined) return;
    const content = { ...own, ...more };
    this.#own.set(id, content);
    await this.#files.rewrite(content);
  }

  /** All entries except the creations of this process: to read those each time would take time with each one more. */
  #entries(): Promise<readonly JournalEntry[]> {
    return this.#files.read((id) => !this.#own.has(id));
  }

  /**
   * Removes expired entries, once in a process. It uses the platform's time: the machine's clock may be wrong and would
   * remove entries that are still needed.
   */
  #sweep(now: Date): Promise<void> {
    return (this.#swept ??= this.#entries().then(async (all) => {
      for (const one of all) if (isExpired(one, now)) await this.settle(one.id);
      await this.#files.removeParts();
    }));
  }
}

/** When an entry was sent: by the platform's clock if that is known, because the machine's may have been set since. */
function timeOf({ sentAt, writtenAt }: JournalEntry): number {
  return Date.parse(sentAt ?? writtenAt);
}
