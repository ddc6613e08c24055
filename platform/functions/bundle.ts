import { unzipSync } from "fflate";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";

const maxZipBytes = 10 << 20;
const maxUnpackedBytes = 64 << 20;
const maxEntries = 4096;
/** The names of the file with the handler, at the root of the archive. */
const entries = ["index.mjs", "index.js"];

/** Why an archive cannot be built. */
export class BuildError extends Error {}

/**
 * Unpacks an archive, unless that was done before. Returns the file with the handler.
 *
 * @throws BuildError
 */
export function unpack(zip: Uint8Array, folder: string): string {
  if (!existsSync(folder)) {
    const files = filesOf(zip);
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    for (const [name, content] of files) {
      const file = join(unfinished, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode: 0o644 });
    }
    renameSync(unfinished, folder);
  }
  const entry = entries.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (entry === undefined) throw new BuildError(`the archive has no ${entries.join(" or ")} at its root`);
  return entry;
}

function filesOf(zip: Uint8Array): [name: string, content: Uint8Array][] {
  if (zip.length > maxZipBytes) throw new BuildError(`the archive has more than ${maxZipBytes} bytes`);
  let bytes = 0;
  let count = 0;
  const files = Object.entries(
    unzipped(zip, ({ name, originalSize }) => {
      bytes += originalSize;
      count += 1;
      if (bytes > maxUnpackedBytes) throw new BuildError(`the files have more than ${maxUnpackedBytes} bytes`);
      if (count > maxEntries) throw new BuildError(`the archive has more than ${maxEntries} entries`);
      return !name.endsWith("/");
    }),
  );
  for (const [name] of files) {
    if (isAbsolute(name) || name.includes("\\") || normalize(name).split(sep)[0] === "..") {
      throw new BuildError(`the archive has a file outside of its root: ${JSON.stringify(name)}`);
    }
  }
  return files;
}

function unzipped(
  zip: Uint8Array,
  filter: (file: { readonly name: string; readonly originalSize: number }) => boolean,
): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(zip, { filter });
  } catch (error) {
    if (error instanceof BuildError) throw error;
    throw new BuildError(`the archive cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
