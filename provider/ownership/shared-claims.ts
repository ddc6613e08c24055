import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import type { Clock } from "../../api/clock";
import type { Claim } from "./claim";
import { hashOf } from "./ids";

/** The claims that the provider processes of a run share. */
export interface SharedClaims {
  readonly publish: (claim: Claim) => void;
  readonly ofOthers: () => readonly Claim[];
}

/** For a process that serves no engine: it has no peers. */
export const noOthers: SharedClaims = { publish: () => undefined, ofOthers: () => [] };

/** A process that can be told from all others, as long as it lives. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Tells where the process id counts. Default: here. */
  readonly place?: string;
}

/** A provider process, as its name tells. */
interface NamedProcess extends Required<ProcessIdentity> {
  readonly engine: string;
}

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
  readonly #prefix: string;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #place = thisPlace();
  #isReady = false;

  /** @param engine the engine's address, which all processes of a run share */
  constructor(folder: string, engine: string, clock: Clock, { pid, place }: ProcessIdentity = process) {
    this.#folder = folder;
    this.#clock = clock;
    this.#prefix = `${engine.replace(":", "-")}.`;
    this.#name = `${this.#prefix}${pid}.${place ?? this.#place}.jsonl`;
  }

  /** Names this process among those of the run. */
  get process(): string {
    return this.#name;
  }

  /** The address of the engine that a process serves, if it has this name and is alive. */
  engineOf(name: string): string | undefined {
    const named = parse(name);
    return named !== undefined && this.#isAlive(named) ? named.engine : undefined;
  }

  #isPeer(name: string): boolean {
    return name.startsWith(this.#prefix) && name !== this.#name && this.engineOf(name) !== undefined;
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
      .filter((name) => this.#isPeer(name))
      .flatMap((name) => this.#claimsIn(name));
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
    const named = parse(name);
    if (named?.place === this.#place) return !this.#isAlive(named);
    return this.#clock.date().getTime() - statSync(join(this.#folder, name)).mtimeMs > lifetime;
  }

  /** All provider processes of a run live until it ends: the file of an exited process belongs to another run. */
  #isAlive({ pid, place }: NamedProcess): boolean {
    try {
      return place === this.#place && process.kill(pid, 0);
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

function parse(name: string): NamedProcess | undefined {
  const [, host, port, pid, place] = /^([\w.]+)-(\d+)\.(\d+)\.(\w+)\.jsonl$/.exec(name) ?? [];
  return place === undefined ? undefined : { engine: `${host}:${port}`, pid: Number(pid), place };
}

/** Tells the place where process ids count: the process namespace of a running system, or else the machine. */
function thisPlace(): string {
  try {
    const system = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return hashOf(system, readlinkSync("/proc/self/ns/pid"));
  } catch {
    return hashOf(hostname());
  }
}
