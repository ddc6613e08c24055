import { unzipSync } from "fflate";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { crc32 } from "node:zlib";

const maxZipBytes = 10 << 20;
const maxUnpackedBytes = 64 << 20;
const maxEntries = 4096;
/** The names of the file with the handler, at the root of the archive. */
const entries = ["index.mjs", "index.js"];

/** An archive cannot be built, for the reason in the message. */
export class BuildError extends Error {}

/**
 * Unpacks an archive into a new folder, which nobody may write to. Returns the file with the handler.
 *
 * @throws BuildError
 */
export function unpack(zip: Uint8Array, folder: string): string {
  const files = filesOf(zip);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  // Afterwards, because an archive can have a file twice.
  chmodSync(folder, 0o555);
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(each.parentPath, each.name), each.isDirectory() ? 0o555 : 0o444);
  const entry = entries.find((name) => files.some(([present]) => normalize(present) === name));
  if (entry === undefined) throw new BuildError(`the archive has no ${entries.join(" or ")} at its root`);
  return join(folder, entry);
}

function filesOf(zip: Uint8Array): [name: string, content: Uint8Array][] {
  if (zip.length > maxZipBytes) throw new BuildError(`the archive has more than ${maxZipBytes} bytes`);
  let bytes = 0;
  let count = 0;
  const checksums = checksumsIn(zip);
  const expected = new Map<string, { readonly size: number; readonly checksum: number | undefined }>();
  const files = Object.entries(
    unzipped(zip, ({ name, originalSize }) => {
      expected.set(name, { size: originalSize, checksum: checksums[count] });
      bytes += originalSize;
      count += 1;
      if (bytes > maxUnpackedBytes) throw new BuildError(`the files have more than ${maxUnpackedBytes} bytes`);
      if (count > maxEntries) throw new BuildError(`the archive has more than ${maxEntries} entries`);
      return !name.endsWith("/");
    }),
  );
  for (const [name, content] of files) {
    const { size, checksum } = expected.get(name) ?? {};
    if (content.length !== size || crc32(content) !== checksum) {
      throw new BuildError(`the archive is damaged: the size or the checksum of ${JSON.stringify(name)} is wrong`);
    }
    if (isAbsolute(name) || name.includes("\\") || normalize(name).split(sep)[0] === "..") {
      throw new BuildError(`the archive has a file outside of its root: ${JSON.stringify(name)}`);
    }
  }
  return files;
}

/** The checksums of the files, in the order of the archive's directory. The library does not check them. */
function checksumsIn(zip: Uint8Array): readonly number[] {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.length);
  const checksums: number[] = [];
  try {
    const end = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
    let at = bytes.readUInt32LE(end + 16);
    for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
      checksums.push(bytes.readUInt32LE(at + 16));
      at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  } catch {
    // The archive has no directory, which the library reports.
  }
  return checksums;
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
