import { kinds } from "../../../provider/kinds";
import { isWithin } from "../../support/account";
import { literally } from "../../support/pattern";
import { kindAt, objectAt, type ObjectPaths } from "../created-objects";
import { samples } from "../../support/samples";

/** The outcomes for the objects that existed when a run was interrupted. */
export interface ObjectOutcomes {
  /** The number of objects in the state. */
  readonly inState: number;
  /** The number of objects outside of the state that a run with consent adopted. */
  readonly adopted: number;
  /** The number of objects outside of the state that the output of a later run has named. */
  readonly named: number;
  /** The objects that are in no state, or were adopted or deleted, without a word in any output. */
  readonly silent: readonly string[];
  /** The forbidden outcomes: adopted without consent, or left although only one of its kind can exist. */
  readonly problems: readonly string[];
}

/** Follows the objects of an interrupted run through the runs after it. */
export class LeftObjects {
  readonly #existing: ObjectPaths;
  readonly #inState: ObjectPaths;
  readonly #named = new Set<string>();
  readonly #problems: string[] = [];

  /** @param existing the objects on the platform after the interruption; `inState`: those in the state */
  constructor(existing: ObjectPaths, inState: ObjectPaths) {
    this.#existing = existing;
    this.#inState = inState;
  }

  /** The objects outside of the state, without parts of objects in it. */
  get unsaved(): readonly string[] {
    return [...this.#existing].filter((path) => !this.#inState.has(path) && !this.#inState.has(branchOf(path) ?? ""));
  }

  /** Reads the output of a later run, and the account and the state after it. */
  read(output: string, existing: ObjectPaths, inState: ObjectPaths, consents: boolean): void {
    for (const path of [...this.#existing, ...existing]) {
      if (!this.#inState.has(path) && namesObject(output, path)) this.#named.add(path);
    }
    if (consents) return;
    for (const path of this.unsaved) if (inState.has(path)) this.#problems.push(`${path} was taken without consent`);
  }

  /** Whether an output so far has named one of the objects that still exists. */
  get hasNamed(): boolean {
    return this.unsaved.some((path) => this.#isNamed(path));
  }

  outcomes(existing: ObjectPaths, inState: ObjectPaths): ObjectOutcomes {
    const removed = [...this.#inState].filter((path) => !existing.has(path));
    const isCovered = (path: string): boolean =>
      this.#isNamed(path) || (!existing.has(path) && removed.some((whole) => isWithin(path, whole)));
    const { unsaved } = this;
    const orphans = [...existing].filter((path) => !inState.has(path));
    const silent = [...new Set([...unsaved, ...orphans])].filter((path) => !isCovered(path));
    const doubled = outermost(orphans).filter((path) => !canBeDoubled(path));
    return {
      inState: [...this.#existing].filter((path) => this.#inState.has(path)).length,
      adopted: unsaved.filter((path) => inState.has(path)).length,
      named: outermost([...this.#named]).filter((path) => !inState.has(path)).length,
      silent,
      problems: [
        ...this.#problems,
        ...silent.map((path) => `no run names ${path}`),
        ...doubled.map((path) => `${path} is there, in no state, although consent could take it`),
      ],
    };
  }

  #isNamed(path: string): boolean {
    return [...this.#named].some((whole) => isWithin(path, whole));
  }
}

/** The branch of a compute. */
function branchOf(path: string): string | undefined {
  return /^(.*)\/endpoints\/[^/]+$/.exec(path)?.[1];
}

function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

/** Whether equal objects can exist, so that a create makes another one. */
function canBeDoubled(path: string): boolean {
  const kind = kindAt(path);
  // A new project with the same URN stops the create.
  if (kind === "Project") return false;
  // An endpoint is a part of its branch, or a read replica.
  return kind === "Endpoint" || samples[kind].facts.twice === "another";
}

/** Whether a text names an object by its id. An id that can also mean something else needs the kind's name before it. */
function namesObject(text: string, path: string): boolean {
  const { kind, id, outputs } = objectAt(path);
  const before =
    kind === "ApiKey" ? "(?:[Kk]ey |like this one: )" : id === outputs["orgId"] ? `${kinds[kind].noun}[^.]* ` : "";
  return new RegExp(`${before}(?<![\\w/-])${literally(id)}(?![\\w/-])`).test(text);
}
