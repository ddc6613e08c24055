import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Claim } from "./claim";

/** The claims that the provider processes of a run share. */
export interface SharedClaims {
  readonly publish: (claim: Claim) => void;
  readonly ofOthers: () => readonly Claim[];
}

/** For a process that serves no engine: it has no peers. */
export const noOthers: SharedClaims = { publish: () => undefined, ofOthers: () => [] };

/**
 * Shares claims in one file per provider process, named after the engine that the process serves. The default provider and
 * each explicit provider run in processes of their own.
 *
 * Best effort: if the folder cannot be written, each process knows only its own resources.
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

  /** Names this process among those of the run. */
  get process(): string {
    return this.#name;
  }

  /** Whether another process of this run has that name, and is alive. */
  isPeer(name: string): boolean {
    return name.startsWith(this.#prefix) && name !== this.#name && this.#isAlive(name);
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
      // Best effort: the other processes do not learn of this claim.
    }
  }

  ofOthers(): readonly Claim[] {
    return this.#files()
      .filter((name) => this.isPeer(name))
      .flatMap((name) => this.#claimsIn(name));
  }

  /** The run ends: removes the claims of this process, and those of processes that were killed. */
  end(): void {
    for (const name of this.#files()) {
      if (name !== this.#name && this.#isAlive(name)) continue;
      try {
        rmSync(join(this.#folder, name), { force: true });
      } catch {
        // The file of a process that has exited is ignored anyway.
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

  /** All provider processes of a run live until it ends: the file of an exited process belongs to another run. */
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
