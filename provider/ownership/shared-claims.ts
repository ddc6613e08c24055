import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "../../api/core/clock";
import type { Claim } from "./claim";

/** The claims that the provider processes of a run share. */
export interface SharedClaims {
  readonly publish: (claim: Claim) => void;
  readonly ofOthers: () => readonly Claim[];
}

/** For a process that serves no engine: it has no peers. */
export const noOthers: SharedClaims = { publish: () => undefined, ofOthers: () => [] };

/** How long a file is kept whose process has ended, in milliseconds: a day. */
const lifetime = 24 * 3600 * 1000;

/**
 * Shares claims in one file per provider process, named after the engine that the process serves. The default provider and
 * each explicit provider run in processes of their own, and an object can move from one to another.
 *
 * Best effort: if the folder cannot be written, each process knows only its own resources.
 */
export class ClaimFiles implements SharedClaims {
  readonly #folder: string;
  readonly #engine: string;
  readonly #name: string;
  readonly #clock: Clock;
  #isReady = false;

  /** @param engine the engine's address, which all processes of a run share, and no other run on this machine at that time */
  constructor(folder: string, engine: string, clock: Clock, pid: number = process.pid) {
    this.#folder = folder;
    this.#engine = engine.replace(":", "-");
    this.#name = `${this.#engine}.${pid}.jsonl`;
    this.#clock = clock;
  }

  publish(claim: Claim): void {
    try {
      if (!this.#isReady) this.#prepare();
      appendFileSync(join(this.#folder, this.#name), `${JSON.stringify(claim)}\n`, { mode: 0o600 });
    } catch {
      // Best effort: the other processes do not learn of this claim.
    }
  }

  ofOthers(): readonly Claim[] {
    return (
      this.#files()
        // All provider processes of a run live until it ends: the file of an exited process belongs to an earlier run.
        .filter((name) => name !== this.#name && name.startsWith(`${this.#engine}.`) && isAlive(name))
        .flatMap((name) => this.#claimsIn(name))
    );
  }

  /** Removes what earlier runs have left, also under the name of this process. */
  #prepare(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const now = this.#clock.date().getTime();
    for (const name of this.#files()) {
      const file = join(this.#folder, name);
      if (name === this.#name || now - statSync(file).mtimeMs > lifetime) rmSync(file, { force: true });
    }
    this.#isReady = true;
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
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

function isAlive(name: string): boolean {
  try {
    return process.kill(Number(/\.(\d+)\.jsonl$/.exec(name)?.[1]), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
