import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";

import { until } from "../../../tests/support/until";

/** A named pipe: who reads it waits until it is released. */
export class Barrier {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    execFileSync("mkfifo", ["-m", "666", path]);
  }

  /** Waits until somebody waits at it, removes it, so that nobody else waits, and releases it after `work`. */
  async whileHeld(work: () => Promise<void>): Promise<void> {
    let descriptor = -1;
    await until(() => (descriptor = openToWrite(this.#path)) !== -1);
    rmSync(this.#path);
    await work().finally(() => closeSync(descriptor));
  }
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
