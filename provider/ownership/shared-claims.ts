import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "../../api/core/clock";
import { messageOf } from "../../api/core/errors";
import type { Claim, ObjectKey } from "./claim";
import type { ContainerEntry } from "./containers";

/** A change of the claims of a run, or another message about a resource between its processes. */
export type ClaimEntry =
  | { readonly claim: Claim }
  /** One resource no longer claims an object. */
  | { readonly withdrawn: Omit<Claim, "origin" | "as"> }
  /** An object was deleted, or removed from the state: all claims to it end. */
  | { readonly released: ObjectKey & { readonly service: string } }
  /** Hashes of the outputs that a resource keeps in this run. */
  | { readonly kept: { readonly urn: string; readonly outputs: readonly string[] } }
  | ContainerEntry;

/**
 * The changes of the claims of a run, in the same order for all its provider processes, so that all of them decide
 * alike.
 */
export interface ClaimLog {
  readonly append: (entry: ClaimEntry) => void;
  /** The entries since the last call, from this process and others. */
  readonly news: () => readonly ClaimEntry[];
}

/** The log of a process without an engine, which has no other processes to share with. */
export class OwnClaimLog implements ClaimLog {
  readonly #entries: ClaimEntry[] = [];

  append(entry: ClaimEntry): void {
    this.#entries.push(entry);
  }

  news(): readonly ClaimEntry[] {
    return this.#entries.splice(0);
  }
}

/** How long the file of a run is kept after its last entry, in milliseconds: a day. */
const lifetime = 24 * 3600 * 1000;

/**
 * A line of the file. The first line of a process has no entry: earlier lines with the same process id belong to an
 * earlier run.
 */
type Line = { readonly pid: number } & (ClaimEntry | { readonly begins: true });

/**
 * Shares the log in a file that is named after the engine of the run. The default provider and each explicit provider
 * run in processes of their own, and an object can move from one to another. Every line is appended at once, so all
 * processes read the same order.
 *
 * If the file cannot be written, each process knows only its own resources, and says so.
 */
export class SharedClaimLog implements ClaimLog {
  readonly #folder: string;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #onUnshared: (urn: string, reason: string) => void;
  readonly #pid: number;
  /** Entries that could not be shared. */
  readonly #own = new OwnClaimLog();
  #isReady = false;
  /** How far the file has been read, in bytes. */
  #offset = 0;

  /**
   * @param engine the engine's address, which all processes of a run share and no other run on this machine has at that
   * time
   * @param onUnshared called with the resource whose claim other processes do not learn of, and the reason
   */
  constructor(
    folder: string,
    engine: string,
    clock: Clock,
    onUnshared: (urn: string, reason: string) => void,
    pid: number = process.pid,
  ) {
    this.#folder = folder;
    this.#file = `${engine.replace(":", "-")}.jsonl`;
    this.#clock = clock;
    this.#onUnshared = onUnshared;
    this.#pid = pid;
  }

  append(entry: ClaimEntry): void {
    try {
      this.#prepare();
      this.#write({ pid: this.#pid, ...entry });
    } catch (error) {
      this.#own.append(entry);
      if ("claim" in entry) this.#onUnshared(entry.claim.urn, messageOf(error));
    }
  }

  news(): readonly ClaimEntry[] {
    const lines = this.#lines();
    return [
      ...lines.flatMap((line, index) => ("begins" in line || !isOfThisRun(line, lines.slice(index)) ? [] : [line])),
      ...this.#own.news(),
    ];
  }

  #prepare(): void {
    if (this.#isReady) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const now = this.#clock.date().getTime();
    // The file of this run is kept: another of its processes may have written it just now.
    for (const name of readdirSync(this.#folder).filter((one) => one !== this.#file)) {
      const file = join(this.#folder, name);
      if (now - statSync(file).mtimeMs > lifetime) rmSync(file, { force: true });
    }
    this.#write({ pid: this.#pid, begins: true });
    this.#isReady = true;
  }

  #write(line: Line): void {
    appendFileSync(join(this.#folder, this.#file), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** The complete lines that were not read before. The last line may be half written. */
  #lines(): readonly Line[] {
    try {
      this.#prepare();
      const file = join(this.#folder, this.#file);
      const left = statSync(file).size - this.#offset;
      if (left <= 0) return [];
      const bytes = Buffer.alloc(left);
      const opened = openSync(file, "r");
      try {
        readSync(opened, bytes, 0, left, this.#offset);
      } finally {
        closeSync(opened);
      }
      const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
      this.#offset += whole.length;
      return whole
        .toString()
        .split("\n")
        .flatMap((text) => parsed(text));
    } catch {
      return [];
    }
  }
}

function parsed(text: string): readonly Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}

/**
 * Whether a line belongs to this run. All provider processes of a run live until it ends, so a line of a process that
 * has exited belongs to an earlier run.
 */
function isOfThisRun({ pid }: Line, after: readonly Line[]): boolean {
  return isAlive(pid) && !after.some((line) => "begins" in line && line.pid === pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
