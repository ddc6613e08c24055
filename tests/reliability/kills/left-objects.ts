import type { ObjectPaths } from "../created-objects";
import { idOf, isWithin } from "../../support/account";

/** What became of the objects that existed when a run was interrupted, and of those without an owner. */
export interface ObjectOutcomes {
  /** The state held them. */
  readonly inState: number;
  /** The state did not, and a later run took them into it. */
  readonly recovered: number;
  /** The state did not, and the output of a later run has named them. */
  readonly named: number;
  /** What no run can know of: without the journal, or where its entries were settled too early. Documented; people look for it. */
  readonly unknown: readonly string[];
  /** Objects that are in no state and were not named, or were deleted without being named. */
  readonly problems: readonly string[];
}

/** Follows the objects that an interrupted run has left through the runs after it. */
export class LeftObjects {
  readonly #existing: ObjectPaths;
  readonly #inState: ObjectPaths;
  readonly #named = new Set<string>();

  /** @param existing those on the platform, and in the state, after the interruption */
  constructor(existing: ObjectPaths, inState: ObjectPaths) {
    this.#existing = existing;
    this.#inState = inState;
  }

  /**
   * Reads the output of a later run.
   *
   * @returns the objects named so far that exist and that no state holds: not those within another one
   */
  read(output: string, existing: ObjectPaths, inState: ObjectPaths): readonly string[] {
    for (const path of [...this.#existing, ...existing]) {
      const isManaged = inState.has(path) || (this.#inState.has(path) && !existing.has(path));
      if (!isManaged && namesObject(output, path)) this.#named.add(path);
    }
    return outermost([...this.#named].filter((path) => existing.has(path) && !inState.has(path)));
  }

  /** @param isJournalIncomplete whether the later runs had no journal, or one without some of its entries */
  outcomes(existing: ObjectPaths, inState: ObjectPaths, isJournalIncomplete: boolean): ObjectOutcomes {
    const unsaved = [...this.#existing].filter((path) => !this.#inState.has(path));
    const orphans = [...existing].filter((path) => !inState.has(path) && !this.#isNamed(path));
    const unknown = isJournalIncomplete ? orphans.filter((path) => findsOnlyByJournal.test(path)) : [];
    const removed = [...this.#inState].filter((path) => !existing.has(path));
    const deleted = unsaved
      .filter((path) => !existing.has(path) && !inState.has(path) && !this.#isNamed(path))
      .filter((path) => !removed.some((whole) => isWithin(path, whole)));
    return {
      inState: this.#existing.size - unsaved.length,
      recovered: unsaved.filter((path) => inState.has(path) && !this.#isNamed(path)).length,
      named: outermost([...this.#named]).length,
      unknown,
      problems: [
        ...orphans
          .filter((path) => !unknown.includes(path))
          .map((path) => `no state holds ${path}, and no run names it`),
        ...deleted.map((path) => `${path} was deleted, and no run says so`),
      ],
    };
  }

  /** How many projects were named: the program has one. */
  get namedProjects(): number {
    return [...this.#named].filter((path) => /^\/projects\/[^/]+$/.test(path)).length;
  }

  #isNamed(path: string): boolean {
    return [...this.#named].some((named) => isWithin(path, named));
  }
}

/** Objects without a tag and a unique name: only the journal tells whose they are. */
const findsOnlyByJournal = /^\/api_keys\/|\/(snapshots|endpoints|credentials)\//;

const onBranch =
  /^\/projects\/([^/]+)\/branches\/([^/]+)\/(?:(?:roles|databases|data-api|auth\/oauth_providers)\/([^/]+)|auth)$/;

function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

/** What messages say before ids that also stand for something else. */
const prefixes = [
  [/^\/api_keys\//, "[Kk]ey "],
  [/\/spending_limit\//, "spending limit[^.]* "],
] as const;

/** Whether a text names an object by its id: that of what has a name or a place on a branch has those of its project and branch. */
function namesObject(text: string, path: string): boolean {
  const [, project, branch, last] = onBranch.exec(path) ?? [];
  const id = [project, branch, project === undefined ? idOf(path) : last].filter(Boolean).join("/");
  const [, prefix = "(?<![\\w-])"] = prefixes.find(([kind]) => kind.test(path)) ?? [];
  // An address is encoded in an id.
  const forms = project === undefined ? `(?:${id}|${encodeURIComponent(id)})` : id;
  return new RegExp(`${prefix}${forms}(?![\\w-])`).test(text);
}
