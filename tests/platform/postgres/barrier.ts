import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";

import { until } from "../../support/until";

/** A named pipe: who reads it waits until it is released. */
export class Barrier {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    makePipe(path);
  }

  /** Waits until somebody waits at it, removes it, so that nobody else waits, and releases it after `work`. */
  async whileHeld(work: () => Promise<void>): Promise<void> {
    const release = await opened(this.#path);
    await work().finally(release);
  }
}

let copies = 0;

/** Holds who copies a folder. The copy of a pipe is complete when both ends are open: one pipe shows the copy, another holds it. */
export class CopyBarrier {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string) {
    copies += 1;
    this.#folder = folder;
    this.#name = `barrier-${copies}`;
    for (const each of ["begin", "end"]) makePipe(join(folder, `${this.#name}-${each}`));
  }

  /**
   * Waits until somebody copies the folder, and lets the copy go on after `work`.
   *
   * @param after where the folder is then
   */
  async whileHeld(work: () => Promise<void>, after = this.#folder): Promise<void> {
    (await opened(join(this.#folder, `${this.#name}-begin`)))();
    await work().finally(() => {
      remove(join(after, `${this.#name}-end`));
    });
  }
}

/** Removes a named pipe, whether or not somebody has come to it: a copy that fails before may not. */
function remove(path: string): void {
  // Opened for reading and writing, a pipe waits for nobody and releases who waits.
  const descriptor = openSync(path, constants.O_RDWR);
  rmSync(path);
  closeSync(descriptor);
}

function makePipe(path: string): void {
  execFileSync("mkfifo", ["-m", "666", path]);
}

/** Waits until somebody waits at a named pipe, and removes it. Returns what ends the waiting of its readers. */
async function opened(path: string): Promise<() => void> {
  let descriptor = -1;
  await until(() => (descriptor = openToWrite(path)) !== -1);
  rmSync(path);
  return () => closeSync(descriptor);
}

/** Opens a named pipe; -1 if nobody reads it. */
function openToWrite(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENXIO") return -1;
    throw error;
  }
}
