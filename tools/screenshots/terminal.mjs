import { spawn } from "node:child_process";
import xterm from "@xterm/headless";

/**
 * What a terminal shows at one moment.
 *
 * @typedef {object} Frame
 * @property {readonly (readonly Run[])[]} lines
 */
/**
 * Characters of one look.
 *
 * @typedef {object} Run
 * @property {string} text
 * @property {number} color Of the palette; -1: the default.
 * @property {boolean} isBold
 */
/** @typedef {readonly [at: number, text: string]} Output */

export const columns = 104;
/** More lines than a run prints: nothing scrolls. */
const rows = 40;
/** Frames that follow each other faster than this are one. */
const leastMs = 250;

/**
 * Runs a command in a terminal of `script`, which Linux has.
 *
 * @param {string} command
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<readonly Output[]>} What it has written, and when.
 */
export async function record(command, options) {
  const sized = `stty cols ${columns} rows ${rows}; ${command}`;
  const child = spawn("script", ["-qec", sized, "/dev/null"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const started = performance.now();
  /** @type {Output[]} */
  const output = [[0, `\x1b[1m$ ${command}\x1b[0m\r\n`]];
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (/** @type {string} */ text) => output.push([performance.now() - started, text]));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${command} failed:\n${output.map(([, text]) => text).join("")}`);
  return output;
}

/**
 * What the terminal showed while a command wrote.
 *
 * @param {readonly Output[]} output
 * @returns {Promise<readonly Frame[]>}
 */
export async function framesOf(output) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  /** @type {Frame[]} */
  const frames = [];
  for (const [index, [at, text]] of output.entries()) {
    await new Promise((resolve) => terminal.write(text, () => resolve(undefined)));
    if ((output[index + 1]?.[0] ?? Infinity) - at < leastMs && index < output.length - 1) continue;
    const lines = linesOf(terminal);
    const last = frames.at(-1);
    if (JSON.stringify(lines) === JSON.stringify(last?.lines)) continue;
    frames.push({ lines });
  }
  return frames;
}

/** @param {import("@xterm/headless").Terminal} terminal */
function linesOf(terminal) {
  const { active } = terminal.buffer;
  /** @type {Run[][]} */
  const lines = [];
  for (let row = 0; row < active.length; row += 1) {
    /** @type {Run[]} */
    const runs = [];
    for (let column = 0; column < columns; column += 1) {
      const cell = active.getLine(row)?.getCell(column);
      if (cell === undefined) continue;
      const text = cell.getChars() || " ";
      const color = cell.isFgPalette() ? cell.getFgColor() : -1;
      const isBold = cell.isBold() !== 0;
      const last = runs.at(-1);
      if (last?.color === color && last.isBold === isBold) last.text += text;
      else runs.push({ text, color, isBold });
    }
    const last = runs.at(-1);
    if (last !== undefined) last.text = last.text.trimEnd();
    lines.push(runs.filter(({ text }) => text !== ""));
  }
  while (lines.length > 0 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}
