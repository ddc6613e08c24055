import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { hashOf } from "./ids";

/** A process that can be told from all others, as long as it lives. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Tells the place where process ids count. Default: here. */
  readonly place?: string;
}

/** A provider process, as its name tells. */
interface NamedProcess extends Required<ProcessIdentity> {
  readonly engine: string;
}

const here = placeOfThisProcess();

/** Names a provider process that serves the engine at this address: the name is that of a file, too. */
export function nameOfProcess(engine: string, { pid, place = here }: ProcessIdentity): string {
  return `${engine.replace(":", "-")}.${pid}.${place}.jsonl`;
}

/** The address of the engine that a process serves, if it has this name and is alive. */
export function engineOf(name: string): string | undefined {
  const named = parse(name);
  return named !== undefined && isAlive(named) ? named.engine : undefined;
}

/** Whether a process of this name has ended. Undefined if nothing tells, because its id counts in another place. */
export function hasEnded(name: string): boolean | undefined {
  const named = parse(name);
  return named?.place === here ? !isAlive(named) : undefined;
}

function isAlive({ pid, place }: NamedProcess): boolean {
  try {
    return place === here && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function parse(name: string): NamedProcess | undefined {
  const [, host, port, pid, place] = /^([\w.]+)-(\d+)\.(\d+)\.(\w+)\.jsonl$/.exec(name) ?? [];
  return place === undefined ? undefined : { engine: `${host}:${port}`, pid: Number(pid), place };
}

/** The process namespace of the running system, or else the machine. */
function placeOfThisProcess(): string {
  try {
    const system = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return hashOf(system, readlinkSync("/proc/self/ns/pid"));
  } catch {
    return hashOf(hostname());
  }
}
