import { spawn } from "node:child_process";
import { Failure, Interrupted } from "./failure.mjs";
import { sayAbove } from "./progress.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();

/** @type {NodeJS.Signals | undefined} */
let interrupted;
let forwardedAt = -Infinity;

/**
 * How long repeated signals count as one, in milliseconds: a terminal sends Ctrl-C to the whole foreground group, and
 * npm passes it on as well.
 */
const sameSignalMs = 500;

/** @param {NodeJS.Signals} signal */
function onSignal(signal) {
  const isFirst = interrupted === undefined;
  interrupted = signal;
  if (children.size === 0) process.exit(130);
  if (isFirst) sayAbove("stopping …");
  // Programs in a terminal already get Ctrl-C from the terminal. A second one would make `pulumi` abort without
  // cleaning up.
  if (signal === "SIGINT" && process.stdin.isTTY) return;
  if (performance.now() - forwardedAt < sameSignalMs) return;
  forwardedAt = performance.now();
  for (const child of children) child.kill(signal);
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, onSignal);

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [input] Written to its standard input; the way to hand over a secret.
 * @property {boolean} [show] Its output goes to the terminal as it comes, instead of being returned.
 * @property {(line: string) => void} [onLine] Called with each line of its standard output.
 * @property {number} [timeoutMs] Killed after this long.
 */

/**
 * @typedef {object} RunResult
 * @property {number} code The exit code; 1 if it was killed.
 * @property {string} stdout
 * @property {string} output Standard output and standard error as they came.
 * @property {boolean} timedOut
 */

/**
 * Runs a program to its end. Ctrl-C and a kill of this process end the program too.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export async function run(command, args, options = {}) {
  if (interrupted) throw new Interrupted(interrupted);
  const { cwd, env, input, show = false, onLine, timeoutMs } = options;
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [
      input === undefined ? (show ? "inherit" : "ignore") : "pipe",
      show ? "inherit" : "pipe",
      show ? "inherit" : "pipe",
    ],
  });
  children.add(child);
  let stdout = "";
  let output = "";
  let timedOut = false;
  let unfinished = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    output += text;
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    if (onLine) lines.forEach(onLine);
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stdin?.on("error", () => undefined).end(input);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          child.kill("SIGKILL");
        }, timeoutMs);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
        reject(new Failure(`Could not run ${command}: ${error.code ?? error.message}.`)),
      );
      child.on("close", (exit) => resolve(exit ?? 1));
    });
    if (interrupted) throw new Interrupted(interrupted);
    return { code, stdout, output, timedOut };
  } finally {
    clearTimeout(timer);
    children.delete(child);
  }
}

/**
 * Waits, and stops waiting when this process is interrupted.
 *
 * @param {number} ms
 */
export async function pause(ms) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (interrupted) throw new Interrupted(interrupted);
}
