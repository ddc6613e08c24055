import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "../../api/clock";
import type { Claim } from "./claim";
import { engineOf, hasEnded, nameOfProcess, type ProcessIdentity } from "./process-name";

/** The claims that the provider processes of a run share. */
export interface SharedClaims {
  readonly publish: (claim: Claim) => void;
  readonly ofOthers: () => readonly Claim[];
}

/** For a process that serves no engine: it has no peers. */
export const noOthers: SharedClaims = { publish: () => undefined, ofOthers: () => [] };

/** How long a process of another place is believed to live, in milliseconds: a day. */
const lifetime = 24 * 3600 * 1000;

/**
 * Shares claims in one file per provider process, named after the engine that the process serves. The default provider and
 * each explicit provider run in processes of their own.
 *
 * Several machines and containers can share the folder: a process id counts in its own place only.
 *
 * Best effort: if the folder cannot be written, each process knows only its own resources.
 */
export class ClaimFiles implements SharedClaims {
  readonly #folder: string;
  readonly #engine: string;
  readonly #name: string;
  readonly #clock: Clock;
  #isReady = false;

  /** @param engine the engine's address, which all processes of a run share */
  constructor(folder: string, engine: string, clock: Clock, identity: ProcessIdentity = process) {
    this.#folder = folder;
    this.#clock = clock;
    this.#engine = engine;
    this.#name = nameOfProcess(engine, identity);
  }

  /** Names this process among those of the run. */
  get process(): string {
    return this.#name;
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
    return (
      this.#files()
        // All provider processes of a run live until it ends: the file of an exited process belongs to another run.
        .filter((name) => name !== this.#name && engineOf(name) === this.#engine)
        .flatMap((name) => this.#claimsIn(name))
    );
  }

  /** The run ends: removes the claims of this process, and those of processes that were killed. */
  end(): void {
    for (const name of this.#files()) {
      try {
        if (name === this.#name || this.#isOver(name)) rmSync(join(this.#folder, name), { force: true });
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

  /** Whether the process of a file is not alive any more. Of one in another place, only the age of its file tells. */
  #isOver(name: string): boolean {
    return hasEnded(name) ?? this.#clock.date().getTime() - statSync(join(this.#folder, name)).mtimeMs > lifetime;
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
