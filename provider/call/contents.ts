import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type { FileBody } from "../../api/core/request";
import { downloadFile } from "../../api/http/file-transfer";
import { Content } from "../content";
import {
  ArchiveBudget,
  ArchiveError,
  assertRunnable,
  type Files,
  filesInFolder,
  hashOfFiles,
  secretFilesIn,
  unzipped,
  zipped,
} from "./archive";

/** Identifies the content of a file or an archive. */
export interface Digest {
  /** Equal if and only if the content is. */
  readonly hash: string;
  /** The size of a file, in bytes. Undefined for an archive. */
  readonly size?: number;
  /** For a file: the etag of an object with this content, on storage that uses MD5. */
  readonly md5?: string;
  /** For an archive: the files that usually hold secrets. */
  readonly secretFiles?: readonly string[];
}

/** A cached result, valid while the stamp of the files on the disk is the same. */
interface Known {
  readonly stamp: string;
  readonly digest: Promise<Digest>;
}

/**
 * Reads the files and archives that programs pass. Relative paths start at the program's folder, in which the engine
 * starts a provider. Content is not read again while path, size and time of all its files are the same.
 */
class Contents {
  readonly #known = new Map<string, Known>();
  /** The files of archives that may be packed next, by their hashes. */
  readonly #files = new Map<string, Files>();
  /** Archives that are ready to be sent, by their hashes. */
  readonly #zips = new Map<string, Uint8Array>();

  /** @throws Error if the content cannot be read */
  async digest(content: Content): Promise<Digest> {
    const key = keyOf(content);
    const stamp = await stampOf(content);
    const known = this.#known.get(key);
    if (known?.stamp === stamp) return known.digest;
    const digest = content.type === "asset" ? digestOfFile(content) : this.#digestOfArchive(content);
    this.#known.set(key, { stamp, digest });
    digest.catch(() => this.#known.delete(key));
    return digest;
  }

  /**
   * Packs an archive as a zip file, and keeps it until {@link sent}, because the folder may be gone by then. A preview
   * sends nothing.
   *
   * @throws Error if the content cannot be read, or cannot be the code of a function
   */
  async zip(content: Content): Promise<Uint8Array> {
    const packed = this.#zips.get(content.hash ?? "");
    if (packed !== undefined) return packed;
    const { hash } = await this.digest(content);
    const known = this.#files.get(hash);
    const files = known ?? (await filesOf(content));
    const present = known === undefined ? hashOfFiles(files) : hash;
    if (present !== (content.hash ?? hash)) throw changed(content);
    assertRunnable(files);
    const bytes = zipped(files);
    this.#files.delete(hash);
    keep(this.#zips, hash, bytes, ({ length }) => length);
    return bytes;
  }

  /** Frees the memory of an archive that was sent, or will not be. */
  sent({ hash = "" }: { readonly hash?: string | undefined }): void {
    this.#files.delete(hash);
    this.#zips.delete(hash);
  }

  /** Opens a file to send. */
  async file(content: Content): Promise<FileBody & Digest> {
    const digest = await this.digest(content);
    const { hash, size = 0 } = digest;
    if (hash !== (content.hash ?? hash)) throw changed(content);
    return { ...digest, size, open: () => Promise.resolve(Readable.from(unchanged(content, { hash, size }))) };
  }

  async #digestOfArchive(content: Content): Promise<Digest> {
    const files = await filesOf(content);
    const hash = hashOfFiles(files);
    keep(this.#files, hash, files, (one) => [...one.values()].reduce((sum, { length }) => sum + length, 0));
    return { hash, secretFiles: secretFilesIn(files) };
  }
}

/** How many bytes to keep of archives that were read, and again of those that were packed. */
const keptBytes = 128 * 1024 * 1024;

/** Keeps one more archive, and drops the oldest ones if the limit is exceeded: they can be read again. */
function keep<Value>(kept: Map<string, Value>, hash: string, value: Value, sizeOf: (one: Value) => number): void {
  kept.delete(hash);
  kept.set(hash, value);
  let bytes = [...kept.values()].reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [oldest, one] of kept) {
    if (bytes <= keptBytes || oldest === hash) return;
    kept.delete(oldest);
    bytes -= sizeOf(one);
  }
}

/** The contents that this process reads. */
export const contents = new Contents();

/** The source of a content, as a text. */
function keyOf({ type, source }: Content): string {
  const { path, text, uri, assets } = source;
  if (assets !== undefined) {
    return JSON.stringify(
      Object.entries(assets).map(([name, inner]) => [name, inner instanceof Content ? keyOf(inner) : ""]),
    );
  }
  const hash = text === undefined ? undefined : createHash("sha256").update(text).digest("hex");
  return JSON.stringify([type, path === undefined ? undefined : resolve(path), uri, hash]);
}

/**
 * A text that changes whenever the files of a content change. A content that is not on the disk is read once in a
 * process.
 */
async function stampOf({ type, source: { path, assets } }: Content): Promise<string> {
  if (assets !== undefined) {
    const inner = Object.values(assets).filter((one) => one instanceof Content);
    return JSON.stringify(await Promise.all(inner.map(stampOf)));
  }
  if (path === undefined) return "";
  const stats = await stat(path);
  const files = type === "archive" && stats.isDirectory() ? await filesInFolder(path) : [{ name: "", stats }];
  return JSON.stringify(
    files.map(({ name, stats: { size, mtimeMs, ctimeMs, ino } }) => [name, size, mtimeMs, ctimeMs, ino]),
  );
}

async function filesOf(content: Content, budget = new ArchiveBudget()): Promise<Files> {
  const { path, uri, assets = {} } = content.source;
  if (uri !== undefined) return unzipped(await bytesOf(content), budget);
  if (path !== undefined) {
    if (!(await stat(path)).isDirectory()) return unzipped(await bytesOf(content), budget);
    const files = new Map<string, Uint8Array>();
    for (const file of await filesInFolder(path, budget)) files.set(file.name, await readFile(file.path));
    return files;
  }
  const files = new Map<string, Uint8Array>();
  for (const [name, inner] of Object.entries(assets)) {
    if (!(inner instanceof Content)) throw new ArchiveError(`has no file for ${name}`);
    if (inner.type === "archive") {
      for (const [below, bytes] of await filesOf(inner, budget)) files.set(`${name}/${below}`, bytes);
    } else {
      const bytes = await bytesOf(inner);
      budget.take(bytes.length);
      files.set(name, bytes);
    }
  }
  return files;
}

async function bytesOf(content: Content): Promise<Uint8Array> {
  const { path, uri } = content.source;
  const name = path ?? (uri === undefined ? "" : new URL(uri).pathname);
  if (content.type === "archive" && !/\.(zip|jar)$/i.test(name)) {
    throw new ArchiveError("must be a folder, a zip file or a map of files");
  }
  return path === undefined ? buffer(await open(content)) : readFile(path);
}

async function open({ source: { path, uri, text = "" } }: Content): Promise<Readable> {
  if (path !== undefined) return createReadStream(path);
  if (uri === undefined) return Readable.from([Buffer.from(text)]);
  return uri.startsWith("file:") ? createReadStream(fileURLToPath(uri)) : downloadFile(uri);
}

/** Reads a file as a stream, because it may be larger than the memory. */
async function digestOfFile(content: Content): Promise<Digest> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let size = 0;
  for await (const chunk of await open(content)) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    sha256.update(bytes);
    md5.update(bytes);
  }
  return { hash: sha256.digest("hex"), size, md5: md5.digest("hex") };
}

/**
 * Streams a file, and fails if it has changed since it was read before. The last part is held back until all parts are
 * known to be unchanged, because a request without its end stores nothing.
 */
async function* unchanged(content: Content, { hash, size }: Required<Pick<Digest, "hash" | "size">>) {
  const sha256 = createHash("sha256");
  let read = 0;
  let last: Buffer | undefined;
  for await (const chunk of await open(content)) {
    const part = chunk as Buffer;
    read += part.length;
    // Bytes beyond the announced size would be taken for the next request.
    if (read > size) throw changed(content);
    sha256.update(part);
    if (last !== undefined) yield last;
    last = part;
  }
  if (sha256.digest("hex") !== hash) throw changed(content);
  if (last !== undefined) yield last;
}

/** The content has changed since `check` read it. It is not sent, because the state has the hash of the old content. */
function changed({ source: { path = "it" } }: Content): Error {
  return new Error(`${path} changed while this run was using it. Run \`pulumi up\` again`);
}
