import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { invalid, messageOf, NeonError } from "../api/core/errors";

/** A file to be written. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** @throws NeonError `invalid` if one of these files exists */
export function assertFree(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) return;
  throw invalid(`Nothing was written: ${existing.join(" and ")} ${existing.length === 1 ? "exists" : "exist"}`, {
    fix: "Name another folder with --out, or replace the files with --force.",
  });
}

/**
 * Writes files: another process sees each of them complete or not at all.
 *
 * @param isForced whether files that exist are replaced
 * @throws NeonError `invalid` if a file exists, or cannot be written
 */
export function writeWhole(files: readonly OutputFile[], isForced: boolean): void {
  const drafts: { readonly path: string; readonly draft: string }[] = [];
  try {
    for (const { path, text } of files) {
      const draft = join(dirname(path), `.neon-pulumi-${process.pid}-${drafts.length}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(draft, text);
      drafts.push({ path, draft });
    }
    if (!isForced) assertFree(files.map(({ path }) => path));
    for (const { path, draft } of drafts) renameSync(draft, path);
  } catch (error) {
    if (NeonError.isInstance(error)) throw error;
    throw invalid(`The files were not written: ${messageOf(error)}`, {
      cause: error,
      fix: "Name another folder with --out.",
    });
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}
