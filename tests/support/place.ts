import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { installation } from "../package/installation";
import { backendIn } from "./backend";
import type { StackPlace } from "./stack";

/** The machine and the names of a stack: everything that distinguishes stacks for a provider process. */
export interface Place extends StackPlace {
  readonly organization: string;
  /** The API key in the stack's configuration. */
  readonly apiKey: string;
}

/** The folders of a case: independent machines, checkouts and backends. */
export class Folders {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Folders in which programs find the package by a link. */
  static linked(): Folders {
    const root = mkdtempSync(join(tmpdir(), "neon-pulumi-refactoring-"));
    mkdirSync(join(root, "node_modules"));
    symlinkSync(process.cwd(), join(root, "node_modules", "neon-pulumi"), "dir");
    return new Folders(root);
  }

  /** Folders in which programs find the installed package. */
  static async installed(): Promise<Folders> {
    const { folder } = await installation();
    const programs = join(folder, "programs");
    mkdirSync(programs, { recursive: true });
    return new Folders(mkdtempSync(join(programs, "refactoring-")));
  }

  /** The place of the first stack. */
  place(apiKey: string): Place {
    return {
      stack: "dev",
      project: "shop",
      organization: "organization",
      home: this.folder("home"),
      backend: this.backend("first"),
      folder: this.folder("program"),
      apiKey,
    };
  }

  /** A folder of this name, created if it does not exist. */
  folder(name: string): string {
    const path = join(this.#root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  backend(name: string): string {
    return backendIn(this.folder(`backend-${name}`));
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
