import { spawn, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a program in this terminal, and returns its exit code.
 *
 * @param missing the message of the error if there is no such program
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "env" | "shell">,
  missing: string,
): Promise<number> {
  // A terminal sends Ctrl-C to the program as well, which decides what it means.
  process.on("SIGINT", () => undefined);
  const child = spawn(program, args, { ...options, stdio: "inherit" });
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return await new Promise((done, fail) => {
    child
      // A shell reports a signal in this way, too.
      .once("exit", (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
      .once("error", (error: NodeJS.ErrnoException) => {
        fail(error.code === "ENOENT" ? new Error(missing) : error);
      });
  });
}
