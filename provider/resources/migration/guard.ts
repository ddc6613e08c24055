/**
 * The process between the provider and a command. It leads the process group of the command, and ends the group as soon
 * as its standard input is closed: the provider's process is gone then, however it ended.
 *
 * Its first argument is the command for the shell.
 */
import { spawn } from "node:child_process";

/** The signals by which the provider ends the group. The guard waits for the command, and passes on how it ended. */
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const [, , command = ""] = process.argv;
for (const signal of signals) process.on(signal, () => undefined);
process.stdin
  .on("close", () => {
    // Windows has no process groups: there, only the shell ends.
    if (process.platform === "win32") shell.kill();
    else process.kill(-process.pid, "SIGKILL");
  })
  .resume();
const shell = spawn(command, { shell: true, stdio: ["ignore", "inherit", "inherit"], windowsHide: true });
shell.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
shell.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
