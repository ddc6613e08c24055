import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { StackName } from "./program";

/** Where a stack is run, and under which names: all by which a provider process can tell stacks apart. */
export interface Place extends StackName {
  /** Pulumi's home on this machine. */
  readonly home: string;
  /** Where the state is kept. */
  readonly backend: string;
  readonly organization: string;
  /** Where the program is. */
  readonly folder: string;
  /** The key that the stack is configured with. */
  readonly apiKey: string;
}

/** The folders of a case: machines, checkouts and backends that do not know of each other. */
export class Ground {
  readonly #root = mkdtempSync(join(tmpdir(), "neon-pulumi-refactoring-"));
  #copies = 0;

  constructor() {
    mkdirSync(join(this.#root, "node_modules"));
    // Programs in folders below find the package as one that is linked.
    symlinkSync(process.cwd(), join(this.#root, "node_modules", "neon-pulumi"), "dir");
  }

  /** A folder of this name, created if it is not there. */
  folder(name: string): string {
    const path = join(this.#root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  backend(name: string): string {
    return `file://${this.folder(`backend-${name}`)}`;
  }

  /** Keeps a folder as it is now, as a cache of a CI system does. */
  cache(path: string): string {
    this.#copies += 1;
    const copy = join(this.#root, `cache-${this.#copies}`);
    if (existsSync(path)) cpSync(path, copy, { recursive: true });
    else mkdirSync(copy);
    return copy;
  }

  /** Puts a cached folder in place of what is there. */
  restore(copy: string, path: string): void {
    rmSync(path, { recursive: true, force: true });
    cpSync(copy, path, { recursive: true });
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
