import { accessSync, constants, statfsSync, statSync } from "node:fs";

import type { Clock } from "../clock";
import { isOfDatabase, type ProblemKind, problemOf, StorageError, storageError } from "./storage-error";

/** The same problem is not logged more often. */
const logPauseMs = 60_000;
/** A disk with less space counts as full: Postgres needs this much for a file of its log. */
const leastBytes = 1 << 20;

/** What Postgres and the system say of a full disk. */
const fullDisk = /no space left on device|disk quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG/i;

/**
 * Knows whether the files of the platform are still where they were, and says what to do if not. Open files stay usable in a
 * folder that was moved or removed, so that nothing else would notice it until the next start.
 */
export class DataFolder {
  readonly path: string | undefined;
  readonly #clock: Clock;
  readonly #files = new Map<string, string>();
  readonly #folders: string[] = [];
  #logged: { readonly message: string; readonly at: number } | undefined;
  #failing: ProblemKind | undefined;
  #isServing = false;

  /** @param path undefined if the platform stores nothing */
  constructor(path: string | undefined, clock: Clock) {
    this.path = path;
    this.#clock = clock;
  }

  /** Watches a file that stays open: another one in its place is a problem. */
  watchFile(path: string): void {
    this.#files.set(path, identityOf(path));
  }

  /** Logs problems from now on. Before, they end the start. */
  serve(): void {
    this.#isServing = true;
  }

  watchFolder(path: string): void {
    this.#folders.push(path);
  }

  /** @throws StorageError if something is not where it was, or cannot be accessed. */
  check(): void {
    try {
      for (const [path, identity] of this.#files) {
        if (identityOf(path) !== identity) throw this.#reported(storageError("replaced", this.#name), "replaced");
      }
      for (const path of this.#folders) accessSync(path, constants.R_OK | constants.X_OK);
    } catch (error) {
      throw error instanceof StorageError ? error : this.explain(error);
    }
    if (this.#failing !== undefined && foundByCheck.includes(this.#failing)) this.recover();
  }

  /** A {@link StorageError} instead of an error of the storage, which is logged. Other errors stay as they are. */
  explain(error: unknown): unknown {
    const kind = problemOf(error);
    if (kind === undefined) return error;
    return this.#reported(storageError(kind, this.#name, error), kind);
  }

  /** A {@link StorageError} instead of an error of the database file, or of a full disk. Other errors stay as they are. */
  explainStored(error: unknown): unknown {
    return isOfDatabase(error) || problemOf(error) === "full" ? this.explain(error) : error;
  }

  /** Why something failed, in words for the user: with the state of the disk and of the folder, if that is the reason. */
  reasonFor(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof StorageError) return message;
    try {
      this.check();
    } catch (problem) {
      return (problem as Error).message;
    }
    if (!this.isFull(error)) return message;
    const full = `the disk of ${this.#name} is full, or a limit is reached`;
    // The words of the system are two long paths.
    const reason = problemOf(error) === "full" ? `${full} (${codeOf(error)})` : `${message}: ${full}`;
    return `${reason}. Free some space, then try again`;
  }

  /** Whether something failed because the disk is full. Not every program says so. */
  isFull(error: unknown): boolean {
    if (problemOf(error) === "full" || (error instanceof Error && fullDisk.test(error.message))) return true;
    const [folder = this.path] = this.#folders;
    if (folder === undefined) return false;
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize < leastBytes;
    } catch {
      return false;
    }
  }

  get isFailing(): boolean {
    return this.#failing !== undefined;
  }

  /** Called when something could be stored. */
  recover(): void {
    if (this.#failing === undefined) return;
    this.#failing = undefined;
    console.error(`neon-platform: the data folder ${this.#name} can be used again`);
  }

  get #name(): string {
    return this.path ?? this.#folders[0] ?? "in memory";
  }

  /** Logs a problem once, not at each request. */
  #reported(error: StorageError, kind: ProblemKind): StorageError {
    if (!this.#isServing) return error;
    const { message } = error;
    const now = this.#clock.now();
    const isKnown = this.#logged?.message === message && (this.isFailing || now - this.#logged.at < logPauseMs);
    if (isKnown) return error;
    this.#logged = { message, at: now };
    this.#failing = kind;
    console.error(`neon-platform: ${message}`);
    return error;
  }
}

/** What a check finds, so that a check also shows when it is over. */
const foundByCheck: readonly ProblemKind[] = ["gone", "refused", "replaced"];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
