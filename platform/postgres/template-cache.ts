import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { copyFolder, removeFolder } from "./folder";

/**
 * Templates that all platforms of a user share, so that only the first one runs `initdb`. They are in the system's temporary
 * folder. If the folder there belongs to another user, it is not used.
 */
export class TemplateCache {
  readonly #folder: string | undefined;

  constructor() {
    const folder = join(tmpdir(), `neon-platform-templates-${userInfo().uid}`);
    this.#folder = isPrivate(folder) ? folder : undefined;
  }

  /** The folder of a template. */
  find(name: string): string | undefined {
    const folder = this.#folder === undefined ? undefined : join(this.#folder, name);
    return folder !== undefined && existsSync(folder) ? folder : undefined;
  }

  /** Keeps a copy of a template. Another process may have added it before. */
  async add(name: string, template: string): Promise<void> {
    if (this.#folder === undefined || this.find(name) !== undefined) return;
    const unfinished = join(this.#folder, `${name}.${process.pid}.new`);
    try {
      await copyFolder(template, unfinished, { user: undefined });
      await rename(unfinished, join(this.#folder, name));
    } catch {
      await removeFolder(unfinished);
    }
  }
}

function isPrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const status = lstatSync(folder);
    return status.isDirectory() && status.uid === userInfo().uid && (status.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
