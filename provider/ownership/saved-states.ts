import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

import type { ObjectKey } from "./claim";

/** Where a backend that is a folder keeps the present states, the backups and the former states. */
const subfolders = ["stacks", "backups", "history"];

const resource = z.looseObject({
  urn: z.string().optional(),
  id: z.string().optional(),
  outputs: z
    .looseObject({
      name: z.unknown().optional(),
      endpointId: z.unknown().optional(),
      __neon: z
        .looseObject({
          urn: z.string().optional(),
          attempt: z.string().optional(),
          adoption: z.string().optional(),
          declared: z.array(z.string()).optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** Only read, by `get` of a class. */
  external: z.boolean().optional(),
  /** Replaced, and still to be deleted. */
  delete: z.boolean().optional(),
  /** Deleted, and its replacement is not created yet. */
  pendingReplacement: z.boolean().optional(),
});
type SavedResource = z.infer<typeof resource>;
const operation = z.looseObject({ type: z.string(), resource });
const stateFile = z.object({
  checkpoint: z.object({
    latest: z
      .object({ resources: z.array(resource).optional(), pending_operations: z.array(operation).nullish() })
      .nullish(),
  }),
});

/** Objects that states hold. */
export interface HeldObjects {
  has(key: ObjectKey): boolean;
}

/** An entry of a state that holds an object. */
export interface StateEntry {
  readonly urn: string;
  /** The URN that the provider stored. An alias can have given the entry another one since. */
  readonly storedUrn: string;
  /** The number of the creation or adoption of its object. */
  readonly number: string | undefined;
  /** Whether its own object is the one that is asked for, or only a part of that. */
  readonly as: "managed" | "part";
  /** A run deletes it, or has replaced it and failed: the next one deletes its object. */
  readonly isToBeDeleted: boolean;
}

/** What a state file says of a stack. */
interface SavedState {
  /** In milliseconds since the epoch, by this machine's clock. */
  readonly savedAt: number;
  /** The entries that hold an object. */
  readonly entriesOf: (key: ObjectKey) => readonly StateEntry[];
  /** The numbers of its entries: of the creation or adoption of each object. */
  readonly entries: ReadonlySet<string>;
  /** The URNs of what Pulumi was creating when it was killed. Pulumi keeps them until a refresh clears them. */
  readonly creating: ReadonlySet<string>;
}

/** A state with its path below the folder of the stacks. */
interface PlacedState extends SavedState {
  readonly path: string;
  /** What it said when this process read it first. */
  readonly before: SavedState;
}

/** What is known of a backend whose files cannot be read. */
const unknown = { own: [], others: [] };

/** The states of all stacks of a backend, as far as they can be read from here. */
export class SavedStates {
  readonly #folder: () => string | undefined;
  /** What was remembered, by path and time of the file. */
  readonly #remembered = new Map<string, SavedState>();
  /** What was read last, by path. */
  readonly #latest = new Map<string, SavedState>();
  /** The first state that was read of each file. */
  readonly #first = new Map<string, SavedState>();
  /** The entries that this run deletes, by name. */
  readonly #deleted = new Set<string>();

  /** @param folder where the backend keeps its files; undefined for a backend that is no folder on this machine */
  constructor(folder: () => string | undefined) {
    this.#folder = folder;
  }

  /**
   * Reads all states now. Each save replaces the one former state that the backend keeps: what it held when the process
   * started is known from then on.
   */
  remember(): void {
    this.heldSince(new Date(0));
  }

  /**
   * The objects that a state saved since then holds, or held for a time. Pulumi may have received an object and saved it
   * nowhere, if it was killed at that moment.
   *
   * @param since by this machine's clock
   * @returns undefined if it is not known, because the backend's files cannot be read
   */
  heldSince(since: Date): HeldObjects | undefined {
    try {
      const folder = this.#folder();
      if (folder === undefined) return undefined;
      // Without it, this is not where the stacks are.
      readdirSync(join(folder, "stacks"));
      for (const file of subfolders.flatMap((name) => filesBelow(join(folder, name)))) {
        const savedAt = statSync(file).mtimeMs;
        if (savedAt >= since.getTime()) this.#remembered.set(`${file}:${savedAt}`, this.#stateIn(file, savedAt));
      }
      const states = [...this.#remembered.values()].filter(({ savedAt }) => savedAt >= since.getTime());
      return { has: (key) => states.some(({ entriesOf }) => entriesOf(key).length > 0) };
    } catch {
      return undefined;
    }
  }

  /**
   * The other stack whose present state holds the object, as `<project>/<stack>`.
   *
   * @param urn of a resource of this stack, as its state says: the stack can have been renamed since
   * @param entry the number of the resource's entry in the state, if it has one
   * @returns undefined also if it is not known, because the backend's files cannot be read
   */
  otherStackWith(urn: string, entry: string | undefined, key: ObjectKey): string | undefined {
    const { others } = this.#present(urn, entry);
    const path = others.find(({ entriesOf }) => entriesOf(key).length > 0)?.path;
    return path?.replace(/\.json(\.gz)?$/, "");
  }

  /**
   * The entries of the present state of this stack that hold the object, without those that this run deletes. The engine
   * saves the state after each step.
   *
   * @param urn of a resource of this stack, as its state says
   * @param entry the number of the resource's entry in the state, if it has one
   * @returns none also if it is not known, because the backend's files cannot be read
   */
  ownEntriesOf(urn: string, entry: string | undefined, key: ObjectKey): readonly StateEntry[] {
    const { own } = this.#present(urn, entry);
    return this.#remaining(own.flatMap(({ entriesOf }) => entriesOf(key)));
  }

  /** Those of them that the state did not have when this process started. */
  newOwnEntriesOf(urn: string, entry: string | undefined, key: ObjectKey): readonly StateEntry[] {
    const { own } = this.#present(urn, entry);
    const added = own.flatMap(({ entriesOf, before }) => {
      const earlier = new Set(before.entriesOf(key).map(nameOf));
      return entriesOf(key).filter((one) => !earlier.has(nameOf(one)));
    });
    return this.#remaining(added);
  }

  #remaining(entries: readonly StateEntry[]): readonly StateEntry[] {
    return entries.filter((one) => !this.#deleted.has(nameOf(one)));
  }

  /** This run deletes an entry of the state of this stack. */
  deletes(storedUrn: string, number: string | undefined): void {
    this.#deleted.add(nameOf({ storedUrn, number }));
  }

  /** The present states, with their paths below the folder of the stacks. */
  #present(
    urn: string,
    entry: string | undefined,
  ): { readonly own: readonly PlacedState[]; readonly others: readonly PlacedState[] } {
    try {
      const folder = this.#folder();
      if (folder === undefined || urn === "") return unknown;
      const stacks = join(folder, "stacks");
      const states = filesBelow(stacks)
        .filter((file) => !file.endsWith(".bak"))
        .map((file) => {
          const state = this.#stateIn(file, statSync(file).mtimeMs);
          return { ...state, path: relative(stacks, file), before: this.#first.get(file) ?? state };
        });
      // A copy of the stack has the same entries.
      const withEntry = states.filter(({ entries }) => entry !== undefined && entries.has(entry));
      const ofName = (withEntry.length > 0 ? withEntry : states).filter(({ path }) => isOf(urn, path));
      const own = ofName.length > 0 ? ofName : withEntry;
      return { own, others: states.filter((state) => !own.includes(state)) };
    } catch {
      return unknown;
    }
  }

  /**
   * Whether the state of this stack said, when this process started, that Pulumi was killed while it created the resource.
   * If it did not, the result was saved, whatever has become of it since.
   *
   * @returns undefined if no state of this stack was read then
   */
  wasCreating(urn: string): boolean | undefined {
    const folder = this.#folder();
    if (folder === undefined) return undefined;
    const stacks = join(folder, "stacks");
    const own = [...this.#first].find(([file]) => isOf(urn, relative(stacks, file)));
    return own?.[1].creating.has(urn);
  }

  #stateIn(file: string, savedAt: number): SavedState {
    const latest = this.#latest.get(file);
    if (latest?.savedAt === savedAt) return latest;
    const state = { savedAt, ...stateOf(file) };
    this.#latest.set(file, state);
    if (!this.#first.has(file)) this.#first.set(file, state);
    return state;
  }
}

/**
 * Whether a file holds the present state of the stack of a resource.
 *
 * @param path below the folder of the stacks
 */
function isOf(urn: string, path: string): boolean {
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  // Backends of earlier versions of Pulumi do not distinguish projects.
  return [`${stack}.json`, join(project, `${stack}.json`)].includes(path.replace(/\.gz$/, ""));
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

/** The state in a file. Pulumi cannot read one that was written only in part either: it counts as empty. */
function stateOf(file: string): Omit<SavedState, "savedAt"> {
  const parsed = stateFile.safeParse(json(textOf(file)));
  const { resources = [], pending_operations: operations } = (parsed.success && parsed.data.checkpoint.latest) || {};
  const managed = resources.filter(
    ({ external, pendingReplacement }) => external !== true && pendingReplacement !== true,
  );
  const ofType = (wanted: string): SavedResource[] =>
    (operations ?? []).flatMap(({ type, resource: one }) => (type === wanted ? [one] : []));
  const deleting = new Set(ofType("deleting").map((one) => nameOf(entryIn(one, "managed"))));
  const byKey = new Map<string, StateEntry[]>();
  for (const one of managed) {
    for (const [index, key] of keysOf(one).entries()) {
      const entry = entryIn(one, index === 0 ? "managed" : "part");
      const isToBeDeleted = entry.isToBeDeleted || deleting.has(nameOf(entry));
      byKey.set(key, [...(byKey.get(key) ?? []), { ...entry, isToBeDeleted }]);
    }
  }
  const numbers = managed.flatMap(({ outputs: { __neon: { attempt, adoption } = {} } = {} }) => [attempt, adoption]);
  return {
    entriesOf: ({ kind, id }) => byKey.get(`${kind} ${id}`) ?? [],
    entries: new Set(numbers.filter((number) => number !== undefined)),
    creating: new Set(ofType("creating").map(({ urn = "" }) => urn)),
  };
}

function entryIn(
  { urn = "", outputs, delete: isToBeDeleted = false }: SavedResource,
  as: StateEntry["as"],
): StateEntry {
  const { urn: storedUrn = urn, attempt, adoption } = outputs?.__neon ?? {};
  return { urn, storedUrn, number: attempt ?? adoption, as, isToBeDeleted };
}

function nameOf({ storedUrn, number = "" }: Pick<StateEntry, "storedUrn" | "number">): string {
  return `${number} ${storedUrn}`;
}

/**
 * Identifies what a resource has, its own object first, each by its kind and the id that the object would be given now. A role and a
 * database can have the same id, and a database keeps its id when it is renamed.
 *
 * A state names no service, and two services can give the same id to an API key. So what a state holds may only ever keep an
 * object from being taken or deleted.
 */
function keysOf({ urn = "", id, outputs }: SavedResource): readonly string[] {
  const kind = /:dynamic\/neon:(\w+)$/.exec(urn.split("::")[2] ?? "")?.[1];
  if (kind === undefined || id === undefined) return [];
  const { name, endpointId, __neon: { declared = [] } = {} } = outputs ?? {};
  const withLast = (segment: unknown): string => id.replace(/[^/]*$/, encodeURIComponent(String(segment)));
  const key = (ofKind: string, present: string): string => `${ofKind} ${present}`;
  const own = key(kind, kind === "Database" && typeof name === "string" ? withLast(name) : id);
  // A branch that declares its compute manages that, too.
  const hasCompute = kind === "Branch" && declared.some((path) => /^compute(\.|$)/.test(path));
  return hasCompute && typeof endpointId === "string" ? [own, key("Endpoint", withLast(endpointId))] : [own];
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
