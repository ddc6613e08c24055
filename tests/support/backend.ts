import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Creates a backend in a folder, without stacks. */
export function backendIn(folder: string): string {
  mkdirSync(join(folder, ".pulumi"), { recursive: true });
  return `file://${folder}`;
}
