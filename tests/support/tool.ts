import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A module of `tools/`, which is not compiled: its path begins there. */
export async function tool<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(process.cwd(), "tools", path)).href)) as T;
}
