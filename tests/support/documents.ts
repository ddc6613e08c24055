import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

/** A piece of TypeScript in a document or a comment. */
export interface Sample {
  /** The document or source file, from the repository's root. */
  readonly file: string;
  /** The line of the file in which it begins. */
  readonly line: number;
  readonly text: string;
}

const fence = /^()```ts\n([\s\S]*?)^```$/gm;

/** The documents that are written by hand. */
export function documents(): readonly string[] {
  const below = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => join("docs", name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && !name.startsWith("docs/reference/"));
  const atRoot = readdirSync(".").filter((name) => name.endsWith(".md"));
  return [...atRoot.sort(), ...below.sort()];
}

/** @param pattern the text before each line of a sample, then its lines */
export function samplesIn(file: string, pattern: RegExp): readonly Sample[] {
  const whole = readFileSync(file, "utf8");
  return [...whole.matchAll(pattern)].map(({ index, 1: margin = "", 2: lines = "" }) => ({
    file,
    line: whole.slice(0, index).split("\n").length + 1,
    text: lines
      .split("\n")
      .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.replace(/^ +\*$/, "")))
      .join("\n"),
  }));
}

/** The blocks of TypeScript in a document. */
export function blocksIn(file: string): readonly Sample[] {
  return samplesIn(file, fence);
}

/**
 * The programs in a document: a block without imports continues the program of the block before it. Blank lines stand for
 * the text between them, so that each line has the same distance from the first one as in the document.
 */
export function programsIn(file: string): readonly Sample[] {
  const programs: Sample[] = [];
  for (const block of blocksIn(file)) {
    const last = programs.at(-1);
    if (last === undefined || /^import /m.test(block.text)) {
      programs.push(block);
      continue;
    }
    const end = last.line + last.text.split("\n").length - 1;
    programs[programs.length - 1] = { ...last, text: last.text + "\n".repeat(block.line - end) + block.text };
  }
  return programs;
}

/** A program in TypeScript as a CommonJS module, without a check of its types. */
export function asJavaScript(program: string): string {
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  return ts.transpileModule(program, { compilerOptions: options }).outputText;
}
