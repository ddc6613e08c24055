import { Failure, Interrupted } from "./failure.mjs";

/** How long a step may run without a terminal before it prints that it has started. */
const quietMs = 5_000;

/** @type {import("node:tty").WriteStream} */
let out = process.stdout;
let onlySlow = false;

/** Keeps standard output free for a program that runs later: shows only slow steps, on standard error. */
export function keepOutputClean() {
  out = process.stderr;
  onlySlow = true;
}

/**
 * Prints a line.
 *
 * @param {string} [line]
 */
export function say(line = "") {
  out.write(`${line}\n`);
}

/**
 * Runs a step: one line with its elapsed time, live on a terminal.
 *
 * @template T
 * @param {string} title
 * @param {(note: (text: string) => void) => Promise<T>} work Gets a function that adds a note to the line.
 * @param {string} [usual] How long a step of more than 10 s usually takes. Its line is printed at once.
 * @returns {Promise<T>}
 */
export async function step(title, work, usual) {
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const live = out.isTTY === true;
  const usually = usual === undefined ? "" : `, usually ${usual}`;
  let text = title;
  let shown = false;
  const show = () => {
    shown = true;
    out.write(live ? `\r\x1b[2K… ${text}${usually} (${elapsed()})` : `… ${text}${usually}\n`);
  };
  if (usual !== undefined || (live && !onlySlow)) show();
  const timer = live ? setInterval(show, 1_000) : setTimeout(() => shown || show(), quietMs);
  const end = (/** @type {string} */ mark) => {
    clearInterval(timer);
    clearTimeout(timer);
    if (live && shown) out.write("\r\x1b[2K");
    if (mark !== "✔" || shown || !onlySlow) say(`${mark} ${text} (${elapsed()})`);
  };
  try {
    const result = await work((note) => {
      text = `${title}: ${note}`;
    });
    end("✔");
    return result;
  } catch (error) {
    if (error instanceof Interrupted) text = `${title}: interrupted`;
    end("✘");
    throw error;
  }
}

/**
 * Prints a line above the line of the step in progress.
 *
 * @param {string} line
 */
export function sayAbove(line) {
  say(`${out.isTTY === true ? "\r\x1b[2K" : ""}${line}`);
}

/** Whether the output is a terminal. */
export const isWatched = () => out.isTTY === true;

/**
 * Runs a step in parallel with others, and prints one line when it has ended.
 *
 * @param {string} title
 * @param {() => Promise<void>} work
 */
export async function aside(title, work) {
  const began = performance.now();
  let mark = "✘";
  try {
    await work();
    mark = "✔";
  } finally {
    say(`${mark} ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
}

/**
 * Prints an error and returns the exit code.
 *
 * @param {unknown} error
 */
export function report(error) {
  if (error instanceof Interrupted) {
    say(`\n${error.message} Run the same command again to resume.`);
    return 130;
  }
  if (error instanceof Failure) {
    if (error.detail.trim()) say(`\n${error.detail.trimEnd()}`);
    say(`\n${error.message}`);
    return 1;
  }
  say(`\nThis is a bug; please report it:\n${error instanceof Error ? error.stack : String(error)}`);
  return 1;
}
