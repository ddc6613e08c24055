import type { Claim } from "../../ownership/claim";
import type { Values } from "../../values";
import type { Maker } from "./maker";

/** How a new resource asks for an existing object. `the run`: only the setting for all resources asks. */
export type Asks = "nothing" | "false" | "true" | "the run" | "an id";

/** A fact that costs requests. `complete`: the object was read with its passwords, as an adoption requires. */
export type Fact = "exists" | "complete" | "maker";

/** An object that a new resource can mean. A fact is undefined until it is read. */
export interface Candidate {
  readonly outputs: Values;
  /**
   * The claim of the resource of this run that has the object: another resource's, if there is one, or the resource's
   * own.
   */
  readonly holder?: Claim | undefined;
  readonly exists?: boolean;
  readonly complete?: boolean;
  readonly maker?: Maker;
  /** The URN of a resource of this stack that has the object, if that can be an earlier URN of the new resource. */
  readonly former?: string | undefined;
  /** The age of the object in milliseconds; NaN if it is not known. */
  readonly age: number;
  /** The inputs that differ from the program and cannot be changed in place. Known once the object is complete. */
  readonly fixed?: readonly string[];
  /** How to restore the object, if it was deleted and can be restored. */
  readonly recovery?: string | undefined;
}

/** A new resource and the existing objects that it can mean. */
export interface Situation {
  readonly asks: Asks;
  /**
   * Whether objects can share a name. `unique`: they cannot; `tagged`: they can, and tags tell what made them; `many`:
   * they can, and nothing tells them apart.
   */
  readonly like: "unique" | "tagged" | "many";
  readonly urn: string;
  /** Whether the program sets `retainOnDelete`. */
  readonly isRetained: boolean;
  readonly candidates: readonly Candidate[];
  /**
   * The claims of other resources of this run to the same name. If objects can share a name, only the claims of
   * resources whose object is not known yet.
   */
  readonly naming: readonly Claim[];
}

/**
 * - `adopt`: the candidate is adopted;
 * - `held`, `replaced`, `absent`, `several`, `fixed`: nothing is adopted although the program or the run asks for it,
 *   so the preview fails, too;
 * - `taken`, `exists`: nothing is created, and the preview warns;
 * - `create`: an object is created, and the candidates are named in a warning.
 */
type Verdict = "adopt" | "held" | "replaced" | "absent" | "several" | "fixed" | "taken" | "exists" | "create";

/**
 * The maximal age of an object of this URN that a killed run of this stack can have created, in milliseconds: a day.
 */
const youth = 24 * 3600 * 1000;

/** The number of objects of one name whose maker is looked up, with a request each. */
const maxTags = 20;

const foreign: readonly string[] = ["this-stack", "unknown-stack", "another-stack", "another-resource"];
const ofThisUrn: readonly string[] = ["this-resource", "this-urn", "this-project", "another-stack"];

/**
 * Whether a tag says that an object belongs to another resource. The setting for a whole run does not adopt such an
 * object.
 */
export function isForeign(maker: Maker | undefined): boolean {
  return maker !== undefined && foreign.includes(maker.by);
}

type Group = keyof ReturnType<typeof groupsOf>;
type Needs = readonly (readonly [Fact, Group])[];

/** The groups of candidates that rows refer to. */
function groupsOf({ asks, urn, isRetained, candidates, naming }: Situation) {
  const others = candidates.filter(({ holder }) => holder !== undefined && holder.urn !== urn);
  const own = candidates.filter(({ holder }) => holder?.urn === urn);
  const existing = candidates.filter(({ exists }) => exists);
  const free = candidates.filter(({ holder, exists }) => holder === undefined && exists !== false);
  const isFixed = ({ fixed = [] }: Candidate): boolean => fixed.length > 0;

  const named = candidates.length < 2 ? candidates : free;
  // A replacement has the name of its old object, which still exists. It means only an object that a killed run has
  // created for it.
  const isBeside = candidates.length > 1 && own.length > 0;
  const meansAny = asks === "true" && !isBeside;
  // `adopt: true` means the only object of the name, no matter what made it.
  const untold = meansAny && named.length < 2 ? [] : named;
  const madeBy = (by: Maker["by"]): readonly Candidate[] => untold.filter(({ maker }) => maker?.by === by);
  const possible = isBeside ? [] : named.filter(({ maker }) => meansAny || !isForeign(maker));
  const meant = [madeBy("this-resource"), madeBy("this-urn")].find((made) => made.length === 1) ?? possible;
  // The old object is deleted later. If `retainOnDelete` keeps it, it is adopted again, provided that it is as
  // declared.
  const adoptable = meant.filter(
    (one) => existing.includes(one) && (!own.includes(one) || (isRetained && !isFixed(one))),
  );
  // An object that `retainOnDelete` keeps is not lost.
  const isLost = ({ maker, age }: Candidate): boolean =>
    !isRetained && (maker?.by === "this-resource" || (maker?.by === "this-urn" && age < youth));
  return {
    candidates,
    others,
    replaced: isRetained ? [] : existing.filter((one) => own.includes(one)),
    unfit: existing.filter(isFixed),
    existing,
    untold,
    meant,
    meantOfOthers: meant.filter((one) => others.includes(one)),
    several: meant.length > 1 ? meant : [],
    unadoptable: adoptable.filter(isFixed),
    adoptable,
    free,
    taken: others.length > 0 || naming.length === 0 ? others : free,
    sampled: free.slice(0, maxTags),
    lost: free.filter(isLost),
    // If any number of objects can have a name, the name alone says nothing.
    told: free.filter(({ maker, former }) => former !== undefined || ofThisUrn.includes(maker?.by ?? "")),
    surplus: free.length > naming.length ? free : [],
  };
}

const sampledTags: Needs = [
  ["exists", "free"],
  ["maker", "sampled"],
];

/** The facts to read, and of which candidates, before a group is known. */
const needs: Readonly<Partial<Record<Group, Needs>>> = {
  replaced: [["complete", "candidates"]],
  meantOfOthers: [["maker", "untold"]],
  unadoptable: [["complete", "meant"]],
  taken: [["exists", "free"]],
  lost: sampledTags,
  told: sampledTags,
  surplus: [["exists", "free"]],
};

/** A row of the table of verdicts. If the group has members, the verdict is about them. */
interface Row {
  readonly asks: readonly Asks[];
  readonly like: readonly Situation["like"][];
  readonly group: Group;
  /** The group in the words of `docs/adopt.md`. */
  readonly what: string;
  readonly is: Verdict;
}

const byId: Pick<Row, "asks" | "like"> = { asks: ["an id"], like: ["unique", "tagged", "many"] };
// If nothing tells objects apart, a name does not say which one is meant.
const byName: typeof byId = { asks: ["true", "the run"], like: ["unique", "tagged"] };
const notById = ["nothing", "false", "true", "the run"] as const;
const unique: typeof byId = { asks: notById, like: ["unique"] };
const tagged: typeof byId = { asks: notById, like: ["tagged"] };
const many: typeof byId = { asks: notById, like: ["many"] };

const held = "one that another resource of the run has";
const fixed = "one that differs in what cannot be changed in place";
const lost = "one that a run for this resource has created, or in the last day for its URN";

/** The verdicts on a new resource. The first row that applies decides. If none does, an object is created. */
export const rows: readonly Row[] = [
  { ...byId, group: "others", what: held, is: "held" },
  { ...byId, group: "replaced", what: "the one that this change replaces", is: "replaced" },
  { ...byId, group: "unfit", what: fixed, is: "fixed" },
  { ...byId, group: "existing", what: "one", is: "adopt" },
  { ...byId, group: "candidates", what: "none", is: "absent" },
  { ...byName, group: "meantOfOthers", what: held, is: "held" },
  { ...byName, group: "several", what: "several, and no tag tells which one is meant", is: "several" },
  { ...byName, group: "unadoptable", what: fixed, is: "fixed" },
  { ...byName, group: "adoptable", what: "one, with `NEON_ADOPT` unless a tag calls it another's", is: "adopt" },
  { ...unique, group: "taken", what: `${held}, or whose name it declares`, is: "taken" },
  { ...unique, group: "free", what: "one", is: "exists" },
  { ...tagged, asks: ["nothing", "true", "the run"], group: "lost", what: lost, is: "exists" },
  { ...tagged, group: "told", what: "one that a run for its URN has created", is: "create" },
  { ...many, group: "surplus", what: "more than the other resources of the run declare", is: "create" },
];

/** A verdict on these candidates. */
interface Judged {
  readonly is: Verdict;
  readonly candidates: readonly Candidate[];
}

/** A fact about these candidates has to be read first. */
export interface Unread {
  readonly is: "unread";
  readonly fact: Fact;
  readonly candidates: readonly Candidate[];
}

/** Decides on a new resource. A pure function. */
export function verdictOn(situation: Situation): Judged | Unread {
  const groups = groupsOf(situation);
  for (const { asks, like, group, is } of rows) {
    if (!asks.includes(situation.asks) || !like.includes(situation.like)) continue;
    for (const [fact, of] of needs[group] ?? []) {
      const candidates = groups[of].filter((one) => one[fact] === undefined);
      if (candidates.length > 0) return { is: "unread", fact, candidates };
    }
    if (groups[group].length > 0) return { is, candidates: groups[group] };
  }
  return { is: "create", candidates: [] };
}
