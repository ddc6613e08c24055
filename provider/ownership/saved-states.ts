import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

/** Where a backend that is a folder keeps the present states, the backups and the former states. */
const subfolders = ["stacks", "backups", "history"];

const resource = z.looseObject({
  id: z.string().optional(),
  /** Only read, by `get` of a class. */
  external: z.boolean().optional(),
  /** Deleted, and its replacement is not created yet. */
  pendingReplacement: z.boolean().optional(),
});
const stateFile = z.object({
  checkpoint: z.object({ latest: z.object({ resources: z.array(resource).optional() }).nullish() }),
});

/** The states of all stacks of a backend, as far as they can be read from here. */
export class SavedStates {
  readonly #folder: () => string | undefined;
  /** The ids in the state files that were read, by path and time of the file. */
  readonly #read = new Map<string, { readonly savedAt: number; readonly ids: ReadonlySet<string> }>();

  /** @param folder where the backend keeps its files; undefined for a backend that is no folder on this machine */
  constructor(folder: () => string | undefined) {
    this.#folder = folder;
  }

  /**
   * Reads all states now. Each save replaces the one former state that the backend keeps: what it held when the process
   * started is known from then on.
   */
  remember(): void {
    this.idsSince(new Date(0));
  }

  /**
   * The ids of the objects that a state saved since then holds, or held for a time. Pulumi may have received an object and
   * saved it nowhere, if it was killed at that moment.
   *
   * @param since by this machine's clock
   * @returns undefined if it is not known, because the backend's files cannot be read
   */
  idsSince(since: Date): ReadonlySet<string> | undefined {
    try {
      const folder = this.#folder();
      if (folder === undefined) return undefined;
      // Without it, this is not where the stacks are.
      readdirSync(join(folder, "stacks"));
      for (const file of subfolders.flatMap((name) => filesBelow(join(folder, name)))) {
        const savedAt = statSync(file).mtimeMs;
        if (savedAt >= since.getTime()) this.#idsIn(file, savedAt);
      }
      const states = [...this.#read.values()].filter(({ savedAt }) => savedAt >= since.getTime());
      return new Set(states.flatMap(({ ids }) => [...ids]));
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the present state of another stack holds the object.
   *
   * @param urn of a resource of this stack
   * @returns undefined if it is not known, because the backend's files cannot be read
   */
  otherStackHolds(urn: string, id: string): boolean | undefined {
    try {
      const folder = this.#folder();
      if (folder === undefined) return undefined;
      const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
      const stacks = join(folder, "stacks");
      const own = [`${stack}.json`, join(project, `${stack}.json`)].map((name) => join(stacks, name));
      return filesBelow(stacks)
        .filter((file) => !file.endsWith(".bak") && !own.includes(file.replace(/\.gz$/, "")))
        .some((file) => this.#idsIn(file, statSync(file).mtimeMs).has(id));
    } catch {
      return undefined;
    }
  }

  #idsIn(file: string, savedAt: number): ReadonlySet<string> {
    const version = `${file}:${savedAt}`;
    const state = this.#read.get(version) ?? { savedAt, ids: managedIn(file) };
    this.#read.set(version, state);
    return state.ids;
  }
}

function filesBelow(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /\.json(\.gz)?(\.bak)?$/.test(name)).map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The ids of what a stack manages. Pulumi cannot read a state that was written only in part either. */
function managedIn(file: string): ReadonlySet<string> {
  const parsed = stateFile.safeParse(json(textOf(file)));
  const resources = parsed.success ? (parsed.data.checkpoint.latest?.resources ?? []) : [];
  const managed = resources.filter(
    ({ external, pendingReplacement }) => external !== true && pendingReplacement !== true,
  );
  return new Set(managed.flatMap(({ id }) => id ?? []));
}

function textOf(file: string): string {
  const content = readFileSync(file);
  const isCompressed = content[0] === 0x1f && content[1] === 0x8b;
  return (isCompressed ? gunzipSync(content) : content).toString("utf8");
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
