import { kinds } from "../../../provider/kinds";
import { isWithin } from "../../support/account";
import { literally } from "../../support/pattern";
import { kindAt, objectAt, type ObjectPaths } from "../created-objects";
import { samples } from "../../support/samples";

/** What became of the objects that existed when a run was interrupted. */
export interface ObjectOutcomes {
  /** The state held them. */
  readonly inState: number;
  /** The state did not, and a run with consent took them. */
  readonly adopted: number;
  /** The state did not, and the output of a later run has named them. */
  readonly named: number;
  /** In no state, or taken or deleted, and no run has said so. */
  readonly silent: readonly string[];
  /** What must not be: taken without consent, or left although only one of its kind can be there. */
  readonly problems: readonly string[];
}

/** Follows the objects that an interrupted run has left through the runs after it. */
export class LeftObjects {
  readonly #existing: ObjectPaths;
  readonly #inState: ObjectPaths;
  readonly #named = new Set<string>();
  readonly #problems: string[] = [];

  /** @param existing those on the platform, and in the state, after the interruption */
  constructor(existing: ObjectPaths, inState: ObjectPaths) {
    this.#existing = existing;
    this.#inState = inState;
  }

  /** Those that no state holds, without what is a part of one that it holds. */
  get unsaved(): readonly string[] {
    return [...this.#existing].filter((path) => !this.#inState.has(path) && !this.#inState.has(branchOf(path) ?? ""));
  }

  /** Reads the output of a later run, and what is there and in the state after it. */
  read(output: string, existing: ObjectPaths, inState: ObjectPaths, consents: boolean): void {
    for (const path of [...this.#existing, ...existing]) {
      if (!this.#inState.has(path) && namesObject(output, path)) this.#named.add(path);
    }
    if (consents) return;
    for (const path of this.unsaved) if (inState.has(path)) this.#problems.push(`${path} was taken without consent`);
  }

  /** Whether an output so far has named any of them that is still there. */
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

/** The branch that an object is the compute of. */
function branchOf(path: string): string | undefined {
  return /^(.*)\/endpoints\/[^/]+$/.exec(path)?.[1];
}

function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

/** Whether any number of equal objects can be there, so that another one is created. */
function canBeDoubled(path: string): boolean {
  const kind = kindAt(path);
  // A young one of the same URN stops the create.
  if (kind === "Project") return false;
  // That of a branch is a part of it, or a read replica.
  return kind === "Endpoint" || samples[kind].facts.twice === "another";
}

/** Whether a text names an object by its id. One that also stands for something else needs a word before it. */
function namesObject(text: string, path: string): boolean {
  const { kind, id, outputs } = objectAt(path);
  const before =
    kind === "ApiKey" ? "(?:[Kk]ey |like this one: )" : id === outputs["orgId"] ? `${kinds[kind].noun}[^.]* ` : "";
  return new RegExp(`${before}(?<![\\w/-])${literally(id)}(?![\\w/-])`).test(text);
}
