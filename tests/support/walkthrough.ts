import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A step of a reader of a page: write a file, change one, or type commands and read their output. */
export type Step =
  | { readonly line: number; readonly file: string; readonly text: string; readonly how: "write" | "append" | "patch" }
  | { readonly line: number; readonly commands: readonly string[]; shown: string };

/**
 * The steps of a page. A block of `sh` has commands, and a block of `text` after it what they print. Any other block is a file, which
 * the sentence before it names in its last code span. A `diff` is applied, and TypeScript without imports is appended.
 */
export function stepsOf(page: string): readonly Step[] {
  const text = readFileSync(page, "utf8");
  const blocks = text.matchAll(/(?<=^(.*)\n\n)```(\w+)\n([\s\S]*?)^```$/gm);
  const steps: Step[] = [];
  for (const { index, 1: before = "", 2: language = "", 3: block = "" } of blocks) {
    const line = text.slice(0, index).split("\n").length;
    const last = steps.at(-1);
    if (language === "sh") {
      const commands = block.replaceAll("\\\n", "").trimEnd().split("\n");
      steps.push({ line, commands, shown: "" });
    } else if (language === "text") {
      if (last === undefined || !("commands" in last)) throw new Error(`${page}:${line}: no command prints this`);
      last.shown = block;
    } else {
      const file = [...before.matchAll(/`([^`]+)`/g)].at(-1)?.[1];
      if (file === undefined) throw new Error(`${page}:${line}: the sentence before the block names no file`);
      const isAddition = language === "ts" && !/^import /m.test(block);
      steps.push({ line, file, text: block, how: language === "diff" ? "patch" : isAddition ? "append" : "write" });
    }
  }
  return steps;
}

/** Does what a step says with a file in a folder. */
export function writeStep(folder: string, { file, text, how, line }: Extract<Step, { readonly file: string }>): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  if (how === "write") writeFileSync(path, text);
  else if (how === "append") writeFileSync(path, `${readFileSync(path, "utf8")}\n${text}`);
  else writeFileSync(path, patched(readFileSync(path, "utf8"), text, line));
}

/** A text after a diff without line numbers: the lines that it keeps and removes must be there once. */
function patched(text: string, diff: string, line: number): string {
  const side = (sign: "-" | "+"): string =>
    diff
      .split(/(?<=\n)/)
      .filter((each) => each.startsWith(sign) || each.startsWith(" "))
      .map((each) => each.slice(1))
      .join("");
  const [before, ...after] = text.split(side("-"));
  if (before === undefined || after.length !== 1) throw new Error(`the diff of line ${line} does not fit:\n${text}`);
  return `${before}${side("+")}${after.join("")}`;
}

/** A shell in which a page's commands run one after the other, as in a terminal. */
export class Shell {
  readonly #child;
  #output = "";

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn("bash", { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.setEncoding("utf8").on("data", (piece: string) => (this.#output += piece));
    this.#child.stdin.write("exec 2>&1\n");
  }

  /** Runs a command. If it starts another shell, the next commands run in that one. */
  async run(command: string): Promise<{ readonly code: number; readonly output: string }> {
    const mark = randomUUID();
    this.#output = "";
    this.#child.stdin.write(`${command}\nprintf '\\n%s %d\\n' ${mark} $?\n`);
    for (;;) {
      const [, output = "", code] = new RegExp(`^([^]*)\\n${mark} (\\d+)\\n`).exec(this.#output) ?? [];
      if (code !== undefined) return { code: Number(code), output };
      if (this.#child.exitCode !== null) throw new Error(`the shell has ended after ${command}:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the shell, which ends at the end of its input. */
  end(): void {
    this.#child.stdin.end();
  }
}

/** Parts of outputs that differ from run to run, each with the name that replaces it. */
const varying: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b127(\.\d+){3}(:\d+)?\b/g, "<address>"],
  [/\bbr-[a-z]+-[a-z]+-[a-z0-9]{8}\b/g, "<branch>"],
  [/\b[a-z]+-[a-z]+-\d{8}\b/g, "<project>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<id>"],
];

/** The lines of an output, with names for the parts that differ from run to run, and without indentation. */
function normalized(text: string): readonly string[] {
  const named = varying.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text);
  return named.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
}

/** The line of a page in place of lines that it leaves out. */
const leftOut = /^…$/m;

/**
 * Returns the lines that a page shows and an output does not have there, or nothing. Shown lines follow each other, unless the page leaves out
 * others between them.
 */
export function untrueLine(shown: string, output: string): string | undefined {
  const real = normalized(output);
  let from = 0;
  for (const part of normalized(shown).join("\n").split(leftOut)) {
    if (part.trim() === "") continue;
    const lines = part.trim().split("\n");
    const at = real.findIndex(
      (_, index) => index >= from && lines.every((line, offset) => real[index + offset] === line),
    );
    if (at === -1) return part;
    from = at + lines.length;
  }
  return undefined;
}
