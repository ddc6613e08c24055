import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, openSync, type ReadStream, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** The folder for the content of objects, in a data folder. */
export const objectsFolderName = "objects";

/** A content that was written. */
export interface WrittenContent {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly md5: string;
}

/** A part of a content, with both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The contents of objects, each in a file. No content is in memory as a whole. The files have no rows here. */
export class ContentFiles {
  readonly #isTemporary: boolean;
  /** Created with the first content. */
  readonly #folder: string;

  /** @param data the platform's data folder; without one, the files are temporary */
  constructor(data: string | undefined) {
    this.#isTemporary = data === undefined;
    this.#folder =
      data === undefined
        ? join(tmpdir(), `neon-platform-objects-${process.pid}-${randomBytes(4).toString("hex")}`)
        : join(data, objectsFolderName);
  }

  /**
   * Stores a content. When this resolves, the content is on disk; when it rejects, nothing is left.
   *
   * @param chunks read as fast as the disk takes them
   */
  async write(chunks: AsyncIterable<Buffer>): Promise<WrittenContent> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const id = randomBytes(16).toString("hex");
    const hash = createHash("md5");
    let size = 0;
    const measured = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    try {
      await pipeline(measured, createWriteStream(this.#path(id), { flags: "wx", mode: 0o600, flush: true }));
    } catch (error) {
      await this.remove(id);
      throw error;
    }
    return { id, size, md5: hash.digest("hex") };
  }

  /** Opens a content immediately: it can be read to its end even if it is removed meanwhile. */
  read(id: string, range?: ByteRange): ReadStream {
    return createReadStream("", { fd: openSync(this.#path(id), "r"), ...range });
  }

  /** Removes a content. */
  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  /** Removes every content that is not wanted, such as those that a killed process has left. */
  async removeUnwanted(isWanted: (id: string) => boolean): Promise<void> {
    if (!existsSync(this.#folder)) return;
    const names = await readdir(this.#folder);
    await Promise.all(names.filter((id) => !isWanted(id)).map((id) => this.remove(id)));
  }

  /** Removes the files if they are temporary. */
  close(): void {
    if (this.#isTemporary) rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(id: string): string {
    return join(this.#folder, id);
  }
}
