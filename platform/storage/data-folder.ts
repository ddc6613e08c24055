import { accessSync, constants, statfsSync, statSync } from "node:fs";

import type { Clock } from "../clock";
import { isOfDatabase, type ProblemKind, problemOf, StorageError, storageError } from "./storage-error";

/** The shortest time before the same problem is logged again. */
const logPauseMs = 60_000;
/** A disk with less space counts as full: Postgres needs this much for a file of its log. */
const leastBytes = 1 << 20;

/** Messages of Postgres and of the system about a full disk. */
const fullDisk = /no space left on device|disk quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG/i;

/**
 * Checks that the files of the platform are still in their place, and says what to do if not. Open files stay usable in a folder
 * that was moved or removed, so nothing else would notice before the next start.
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

  /** Watches a file that stays open. Another file in its place is a problem. */
  watchFile(path: string): void {
    this.#files.set(path, identityOf(path));
  }

  /** Logs problems from now on. Until then, a problem ends the start. */
  serve(): void {
    this.#isServing = true;
  }

  watchFolder(path: string): void {
    this.#folders.push(path);
  }

  /** @throws StorageError if a file or folder is not in its place, or cannot be accessed */
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

  /** Replaces an error of the storage by a {@link StorageError}, which is logged. Other errors stay as they are. */
  explain(error: unknown): unknown {
    const kind = problemOf(error);
    if (kind === undefined) return error;
    return this.#reported(storageError(kind, this.#name, error), kind);
  }

  /** Replaces an error of the database file, or of a full disk, by a {@link StorageError}. Other errors stay as they are. */
  explainStored(error: unknown): unknown {
    return isOfDatabase(error) || problemOf(error) === "full" ? this.explain(error) : error;
  }

  /** The reason of a failure, for the user. Names the state of the disk or of the folder if that is the reason. */
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
    // The message of the system consists of two long paths, so only its code is shown.
    const reason = problemOf(error) === "full" ? `${full} (${codeOf(error)})` : `${message}: ${full}`;
    return `${reason}. Free some space, then try again`;
  }

  /** Whether something failed because the disk is full. Some programs do not report that, so the free space counts, too. */
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

  /** Called after something was stored. Logs that the folder can be used again. */
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

/** The problems that a check finds. After them, a successful check shows that the problem is over. */
const foundByCheck: readonly ProblemKind[] = ["gone", "refused", "replaced"];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
