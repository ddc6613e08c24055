import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { hashOf } from "./journal";

/**
 * The present URNs of resources that an alias has renamed, on this machine.
 *
 * A rename alone is no change of the resource, so the outputs in the state keep the earlier URN, and a delete receives
 * nothing but outputs: without this, it would show its progress in the row of a resource that no longer exists. Best
 * effort; only what the CLI shows depends on it.
 */
export class RenamedUrns {
  readonly #folder: string;
  readonly #stack: (urn: string) => string;

  constructor(folder: string, stack: (urn: string) => string) {
    this.#folder = folder;
    this.#stack = stack;
  }

  /** The resource with this id in state has another URN now than its state says. */
  renamed(stateUrn: string, id: string, urn: string): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#file(stateUrn, id), urn, { mode: 0o600 });
    } catch {
      // Its progress shows under the earlier name.
    }
  }

  /** The URN in whose row something about this resource belongs. */
  rowOf(stateUrn: string, id: string): string {
    try {
      return readFileSync(this.#file(stateUrn, id), "utf8");
    } catch {
      return stateUrn;
    }
  }

  /** The resource is deleted. */
  forget(stateUrn: string, id: string): void {
    try {
      rmSync(this.#file(stateUrn, id), { force: true });
    } catch {
      // Best effort: the name stays known.
    }
  }

  #file(stateUrn: string, id: string): string {
    return join(this.#folder, hashOf(this.#stack(stateUrn), stateUrn, id));
  }
}
