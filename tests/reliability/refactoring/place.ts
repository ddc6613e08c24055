import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { installation } from "../../package/installation";
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
  readonly #root: string;
  #copies = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Where programs find the package as one that is linked. */
  static linked(): Ground {
    const root = mkdtempSync(join(tmpdir(), "neon-pulumi-refactoring-"));
    mkdirSync(join(root, "node_modules"));
    symlinkSync(process.cwd(), join(root, "node_modules", "neon-pulumi"), "dir");
    return new Ground(root);
  }

  /** Where programs find the package as it is installed. */
  static async installed(): Promise<Ground> {
    const { folder } = await installation();
    const programs = join(folder, "programs");
    mkdirSync(programs, { recursive: true });
    return new Ground(mkdtempSync(join(programs, "refactoring-")));
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
