import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Claim } from "./claim";

/** What the other provider processes of this run have published, and where this one publishes its own claims. */
export interface SharedClaims {
  readonly publish: (claim: Claim) => void;
  readonly ofOthers: () => readonly Claim[];
}

/** For a process that serves no engine: there are no others. */
export const noOthers: SharedClaims = { publish: () => undefined, ofOthers: () => [] };

/**
 * Claims of all provider processes of one run: one file for each process, named after the engine that it serves, which
 * only that process appends to. The default provider and each explicit one are processes of their own.
 *
 * Best effort: where the folder cannot be written, each process knows of its own resources only.
 */
export class ClaimFiles implements SharedClaims {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #name: string;
  #isReady = false;

  /** @param engine the engine's address, which all processes of a run share */
  constructor(folder: string, engine: string, pid: number = process.pid) {
    this.#folder = folder;
    this.#prefix = `${engine.replace(/[^\w.]/g, "-")}.`;
    this.#name = `${this.#prefix}${pid}.jsonl`;
  }

  publish(claim: Claim): void {
    try {
      if (!this.#isReady) {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        // Another run may have had this very engine address and process id.
        rmSync(join(this.#folder, this.#name), { force: true });
        this.#isReady = true;
      }
      appendFileSync(join(this.#folder, this.#name), `${JSON.stringify(claim)}\n`, { mode: 0o600 });
    } catch {
      // Then the others do not know of it.
    }
  }

  ofOthers(): readonly Claim[] {
    return this.#files()
      .filter((name) => name.startsWith(this.#prefix) && name !== this.#name)
      .flatMap((name) => (this.#isAlive(name) ? this.#claimsIn(name) : []));
  }

  /** The run ends: what this process holds is nobody's business any more. */
  end(): void {
    // Processes that were killed have left theirs.
    for (const name of this.#files()) {
      if (name !== this.#name && this.#isAlive(name)) continue;
      try {
        rmSync(join(this.#folder, name), { force: true });
      } catch {
        // Nothing is taken from a file of a process that has ended.
      }
    }
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  /** All provider processes of a run live until it ends: a file of one that does not is of another run. */
  #isAlive(name: string): boolean {
    const pid = Number(/\.(\d+)\.jsonl$/.exec(name)?.[1]);
    try {
      return Number.isInteger(pid) && process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  #claimsIn(name: string): readonly Claim[] {
    try {
      const lines = readFileSync(join(this.#folder, name), "utf8").split("\n");
      // The last line may be half written.
      return lines.slice(0, -1).map((line) => JSON.parse(line) as Claim);
    } catch {
      return [];
    }
  }
}
