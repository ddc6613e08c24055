/**
 * The process between the provider and a command. It leads the process group of the command, and ends the group when
 * its standard input is closed: the provider's process is gone then, however it ended.
 *
 * Its arguments are the command for the shell, and how long the command has to end by itself, in milliseconds.
 */
import { spawn } from "node:child_process";

import { systemClock } from "../../../api/core/clock";

/** The signals by which the provider ends the group. The guard waits for the command, and passes on how it ended. */
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const [, , command = "", grace = "0"] = process.argv;
for (const signal of signals) process.on(signal, () => undefined);
process.stdin.on("close", () => void end()).resume();
let isEnding = false;
const shell = spawn(command, { shell: true, stdio: ["ignore", "inherit", "inherit"], windowsHide: true });
shell.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
shell.on("exit", (code, signal) => {
  // A tool below the shell can still be ending its transaction.
  if (isEnding) return;
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

/** Ends the group: it is told to end, so that a tool can end its transaction, and killed if it does not. */
async function end(): Promise<void> {
  isEnding = true;
  // Windows has no process groups: there, only the shell ends.
  if (process.platform === "win32") {
    shell.kill();
    return;
  }
  kill("SIGTERM");
  await systemClock.sleep(Number(grace));
  kill("SIGKILL");
}

function kill(signal: NodeJS.Signals): void {
  process.kill(-process.pid, signal);
}
