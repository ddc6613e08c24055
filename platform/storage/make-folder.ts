import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder for the current user, and the folders above it. Node's recursive `mkdir` never returns below a folder
 * such as `/proc`, which refuses new folders with "not found".
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
