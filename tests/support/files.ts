import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The paths of all files in a folder and the folders below it, in alphabetical order. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
