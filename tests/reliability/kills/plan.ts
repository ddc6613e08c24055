import { isReplacing, parts, replacing, type Part } from "./wish";
import { ways, type Way } from "./way";
import { pick, seededRandom } from "../seeded-random";
import type { Place } from "./gate";

/** What the run does that is killed. */
export const verbs = ["make", "change", "destroy"] as const;
export type Verb = (typeof verbs)[number];

/** When it is killed: at a request, or after a share of the time that its requests take. */
export type Moment =
  | { readonly at: "request"; readonly share: number; readonly changesOnly: boolean; readonly place: Place }
  | { readonly at: "time"; readonly share: number };

/** A round, independent of the state of its stack. */
export interface Plan {
  readonly round: number;
  readonly verb: Verb;
  readonly way: Way;
  readonly moment: Moment;
  /** Milliseconds between two strikes. */
  readonly pause: number;
  /** What the program changes in this run. */
  readonly changes: readonly Part[];
  /** Whether the next run is on another machine, without the journal. */
  readonly forgets: boolean;
}

const places = ["before it arrives", "before its answer", "after its answer"] as const;

export function planOf(seed: number, round: number): Plan {
  const draw = seededRandom(seed, round);
  const verb = pick<Verb>(["make", "change", "change", "change", "destroy"], draw);
  const way = pick(ways, draw);
  const place = pick(places, draw);
  const share = draw();
  const moment: Moment =
    draw() < 0.75 ? { at: "request", share, changesOnly: draw() < 0.85, place } : { at: "time", share };
  const pause = Math.round(draw() * 1_500);
  const inPlace = parts.filter((part) => !isReplacing(part) && draw() < 0.4);
  const replaced = draw() < 0.4 ? [pick(replacing, draw)] : [];
  const changes = verb === "change" ? [...inPlace, ...replaced] : [];
  return {
    round,
    verb,
    way,
    moment,
    pause,
    changes: verb === "change" && changes.length === 0 ? ["restore"] : changes,
    forgets: draw() < 1 / 3,
  };
}

/** How many requests that change something each of them takes, to draw one of them. */
const requests: Readonly<Record<Part, number>> = {
  size: 2,
  name: 1,
  compute: 1,
  restore: 1,
  password: 1,
  database: 1,
  snapshot: 1,
  reader: 2,
  key: 2,
  branch: 2,
  project: 13,
};
const requestsToMake = 7;
/** How many requests there are for each that changes something. */
const looks = 5;

/** How much there is to do, relative to creating everything. */
export function extentOf({ verb, changes }: Pick<Plan, "verb" | "changes">): number {
  // A replaced object is created with all its changes.
  const covered: readonly Part[] = changes.includes("project")
    ? parts.filter((part) => part !== "project" && part !== "key")
    : changes.includes("branch")
      ? ["name", "compute", "restore"]
      : [];
  const counted = changes.filter((part) => !covered.includes(part));
  return verb === "change" ? counted.reduce((sum, part) => sum + requests[part], 0) / requestsToMake : 1;
}

/** The number of the request at which a plan strikes. */
export function numberOf({ moment, ...plan }: Pick<Plan, "verb" | "changes" | "moment">): number {
  const each = moment.at === "request" && moment.changesOnly ? 1 : looks;
  return 1 + Math.floor(moment.share * extentOf(plan) * requestsToMake * each);
}

export function titleOf(plan: Plan): string {
  const { round, verb, way, moment, changes, forgets } = plan;
  const what = changes.length > 0 ? `${verb} ${changes.join("+")}` : verb;
  const when =
    moment.at === "time"
      ? `after ${Math.round(moment.share * 100)} % of the time`
      : `${moment.place} at ${moment.changesOnly ? "change" : "request"} ${numberOf(plan)}`;
  return `round ${round}: ${what}, ${way} ${when}${forgets ? ", then another machine" : ""}`;
}
