import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { reasonOf } from "../../../api/core/clock";
import { messageOf, NeonError } from "../../../api/core/errors";
import type { LiveRow } from "../../call/context";
import { CommandOutput } from "./output";

/** A command of the user. */
export interface Command {
  /** The text that the shell runs. */
  readonly run: string;
  readonly workingDirectory: string;
  /** The variables besides those of the provider's process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The values that no output shows, besides those of the provider's process. */
  readonly secrets: readonly string[];
}

/** The variables of the provider's process that hold a secret, which a tool that prints its environment would show. */
const secretVariables = ["NEON_API_KEY", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"] as const;

/** How many of the last lines an error repeats. */
const lastLines = 30;

/** How long a command has to end by itself after it was told to, in milliseconds. */
const grace = 10_000;

/**
 * How long a command has to end by itself after the provider's process was killed, in milliseconds. Shorter, because
 * the next `pulumi up` can start it again meanwhile.
 */
const orphanGrace = 5_000;

/** How long to wait for the rest of the output after the command has ended, in milliseconds. */
const outputGrace = 1_000;

/**
 * Runs a command, and shows its output line by line.
 *
 * @throws CommandError if it does not succeed
 */
export async function runCommand(command: Command, { say, show, signal, clock }: LiveRow): Promise<void> {
  const last: string[] = [];
  const shown = (line: string): void => {
    last.push(line);
    if (last.length > lastLines) last.shift();
    say(line);
  };
  signal.throwIfAborted();
  // Not attached to a terminal: the engine has it.
  const guard: Guard = spawn(process.execPath, [join(__dirname, "guard.js"), command.run, String(orphanGrace)], {
    cwd: command.workingDirectory,
    env: { ...process.env, ...command.environment },
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const secrets = [...command.secrets, ...secretVariables.flatMap((name) => process.env[name] ?? [])];
  const outputs = [guard.stdout, guard.stderr].map((stream) => {
    const output = new CommandOutput(secrets, shown);
    stream.setEncoding("utf8").on("data", (text: string) => output.write(text));
    return output;
  });
  const closed = once(guard, "close").catch(() => []);
  const ended = new AbortController();
  const stop = (): void => void end(guard, clock, ended.signal);
  signal.addEventListener("abort", stop, { once: true });
  // The guard ends the command when it reads the end of this stream.
  guard.stdin.on("error", () => undefined);
  show("running the command");
  try {
    const [code, by] = (await once(guard, "exit").catch((error: unknown) => {
      throw new CommandError(`was not started: ${messageOf(error)}`, []);
    })) as [number | null, NodeJS.Signals | null];
    // Processes that the command has left behind in its group end with it.
    if (signal.aborted) kill(guard, "SIGKILL");
    // A process that the command has left behind can keep the output open.
    await Promise.race([closed, clock.sleep(outputGrace, ended.signal).catch(() => undefined)]);
    for (const output of outputs) output.end();
    if (signal.aborted) throw new CommandError(`was ended. ${withoutAdvice(reasonOf(signal))}`, last);
    if (by !== null) throw new CommandError(`was ended by the signal ${by}`, last);
    if (code !== 0) throw new CommandError(`ended with the exit code ${code}`, last);
  } finally {
    signal.removeEventListener("abort", stop);
    ended.abort();
    for (const stream of [guard.stdin, guard.stdout, guard.stderr]) stream.destroy();
    show("");
  }
}

/** The advice of an error says that operations of Neon continue. The command does not. */
function withoutAdvice(error: Error): string {
  return error instanceof NeonError ? error.summary : error.message;
}

type Guard = ChildProcessByStdio<Writable, Readable, Readable>;

/** Ends the process group of a command: it is told to end, and killed if it does not. */
async function end(guard: Guard, clock: LiveRow["clock"], ended: AbortSignal): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    kill(guard, signal);
    if (signal === "SIGTERM") await clock.sleep(grace, ended).catch(() => undefined);
    if (ended.aborted) return;
  }
}

function kill({ pid = 0, stdin }: Guard, signal: NodeJS.Signals): void {
  try {
    // Windows has no process groups: the guard ends the command when its input ends.
    if (process.platform === "win32") stdin.destroy();
    else if (pid > 0) process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

/** A command did not succeed. The message has its last lines, which the summary and so the state do not have. */
class CommandError extends NeonError {
  readonly #lines: readonly string[];

  constructor(what: string, lines: readonly string[]) {
    super("operation-failed", `The command ${what}`, undefined, {});
    this.#lines = [...lines];
    this.message = this.describe({});
  }

  override describe(context: Parameters<NeonError["describe"]>[0]): string {
    // The constructor of the base class calls this before the lines are there.
    const lines = #lines in this ? this.#lines : [];
    const text = super.describe(context);
    return lines.length === 0 ? text : `${text} Its last lines:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  }
}
