import { readFileSync } from "node:fs";

import { family, send } from "../../support/stack";

const provider = /dynamic-provider|pulumi-resource-(?:pulumi-nodejs|neon)\b/;

export const interruptions = [
  "crash",
  "CLI killed",
  "provider killed",
  "program killed",
  "Ctrl-C",
  "Ctrl-C at the CLI alone",
  "Ctrl-C twice",
  "Ctrl-C twice at the CLI alone",
] as const;
export type Interruption = (typeof interruptions)[number];

/**
 * Interrupts a run.
 *
 * @param pid of the CLI, which leads a process group as it would in a terminal
 * @param pause before the second Ctrl-C, in milliseconds
 */
export async function interrupt(interruption: Interruption, pid: number, pause: number): Promise<void> {
  switch (interruption) {
    case "crash":
      for (const each of family(pid)) send(each, "SIGKILL");
      return;
    case "CLI killed":
      send(pid, "SIGKILL");
      return;
    case "provider killed":
      for (const each of descendants(pid, provider)) send(each, "SIGKILL");
      return;
    case "program killed":
      for (const host of descendants(pid, /pulumi-language-nodejs/))
        for (const each of family(host)) send(each, "SIGKILL");
      return;
    case "Ctrl-C":
    case "Ctrl-C twice":
      // A terminal sends it to the whole foreground group.
      await repeatedly(interruption === "Ctrl-C" ? 1 : 2, pause, () => send(-pid, "SIGINT"));
      return;
    case "Ctrl-C at the CLI alone":
    case "Ctrl-C twice at the CLI alone":
      await repeatedly(interruption === "Ctrl-C at the CLI alone" ? 1 : 2, pause, () => send(pid, "SIGINT"));
      return;
    default:
      interruption satisfies never;
  }
}

/** The processes that are still running. */
export function runningAmong(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  });
}

async function repeatedly(times: number, pause: number, work: () => void): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    if (done > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    work();
  }
}

function descendants(pid: number, command: RegExp): number[] {
  return family(pid).filter((each) => each !== pid && command.test(commandOf(each)));
}

/** Whether a process is a provider, or the script that starts one. */
export function isProvider(pid: number): boolean {
  return provider.test(commandOf(pid));
}

/** The command by which a process was started. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has just ended.
    return "";
  }
}
