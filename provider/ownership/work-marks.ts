import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "../../api/core/clock";
import type { Values } from "../values";
import { hashOf, hashOfInput } from "./ids";

/** How long the mark of work that never ended is kept, in milliseconds: 90 days. */
const lifetime = 90 * 24 * 3600 * 1000;

/**
 * Marks of work that changes something before the state says so. The mark of a killed run stays, so that the next run
 * on this machine does the work again. Marks are best effort: without a folder to write to, there are none.
 */
export class WorkMarks {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Marks work as begun.
   *
   * @param stored the outputs of the resource in the state. A mark counts only for these: another state was written
   * after the work.
   */
  begin(id: string, stored: Values): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#removeOld();
      writeFileSync(this.#file(id), hashOfInput(stored), { mode: 0o600 });
    } catch {
      // Pulumi names the resource of a killed run, too.
    }
  }

  /** Removes the mark: the state will say how the work has ended, or holds the resource no longer. */
  end(id: string): void {
    removeFile(this.#file(id));
  }

  /** Whether work on this state has begun and not ended. */
  hasBegun(id: string, stored: Values): boolean {
    try {
      return readFileSync(this.#file(id), "utf8") === hashOfInput(stored);
    } catch {
      return false;
    }
  }

  #file(id: string): string {
    return join(this.#folder, hashOf(id));
  }

  #removeOld(): void {
    const now = this.#clock.date().getTime();
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      if (now - statSync(file).mtimeMs > lifetime) removeFile(file);
    }
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A folder that cannot be written has no such file, or keeps it.
  }
}
