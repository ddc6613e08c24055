import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { invalid, messageOf } from "../api/core/errors";

/** A file to be written. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/**
 * @param nothing matches content that may be overwritten. Default: no file may exist
 * @throws NeonError `invalid` if the file exists
 */
export function assertFree(path: string, nothing?: RegExp): void {
  if (!existsSync(path)) return;
  if (nothing && readFileSync(path, "utf8").replaceAll(nothing, "").trim() === "") return;
  throw invalid(`Nothing was written: ${path} exists`, {
    fix: "Name another folder with --out, or replace the files with --force.",
  });
}

/**
 * Writes files. Other processes see each file either complete or not at all.
 *
 * @throws NeonError `invalid` if a file cannot be written
 */
export function writeWhole(files: readonly OutputFile[]): void {
  const drafts: { readonly path: string; readonly draft: string }[] = [];
  try {
    for (const { path, text } of files) {
      const draft = join(dirname(path), `.neon-pulumi-${process.pid}-${drafts.length}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(draft, text);
      drafts.push({ path, draft });
    }
    for (const { path, draft } of drafts) renameSync(draft, path);
  } catch (error) {
    throw invalid(`The files were not written: ${messageOf(error)}`, {
      cause: error,
      fix: "Name another folder with --out.",
    });
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}
