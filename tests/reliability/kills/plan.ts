import { type Door, doors } from "../../support/door";
import { pick, seededRandom } from "../../support/seeded-random";
import type { Bucket, SavePlace } from "./bucket";
import type { Place } from "../../support/gate";
import { type Interruption, interruptions, killsCli } from "./interruption";
import { isReplacing, outsideProject, type Part, parts, replacing } from "./program";

/** What the interrupted run does. */
export const actions = ["create", "change", "destroy"] as const;
export type Action = (typeof actions)[number];

/** Where the state is: in a folder, or in a bucket that takes a while to save it. */
export const backends = ["file", "s3"] as const;
export type Backend = (typeof backends)[number];

/** When it is interrupted: at a request, at a save of the state, or after a share of the time that its requests take. */
export type Moment =
  | { readonly at: "request"; readonly share: number; readonly changesOnly: boolean; readonly place: Place }
  | { readonly at: "save"; readonly share: number; readonly addsOnly: boolean; readonly place: SavePlace }
  | { readonly at: "time"; readonly share: number };

/** A round, independent of the state of its stack. */
export interface Plan {
  readonly round: number;
  readonly backend: Backend;
  readonly door: Door;
  readonly action: Action;
  readonly interruption: Interruption;
  readonly moment: Moment;
  /** Milliseconds between the first and the second Ctrl-C. */
  readonly pause: number;
  /** What the program changes in this run. */
  readonly changes: readonly Part[];
  /** Whether the next run is on another machine, without the journal. */
  readonly onAnotherMachine: boolean;
  /** Whether an object that an error suggests to adopt is adopted. Otherwise it is deleted. */
  readonly adopts: boolean;
}

const places = ["before it arrives", "before its answer", "after its answer"] as const;
const savePlaces = ["before it is stored", "before it is stored", "after it is stored"] as const;

/** Where the state is, and how the engine reaches the kinds. */
export interface Setting {
  readonly backend: Backend;
  readonly door: Door;
}

/** @param setting what is left out takes turns, so that each backend meets each door */
export function planOf(
  seed: number,
  round: number,
  setting: { readonly [Name in keyof Setting]?: Setting[Name] | undefined } = {},
): Plan {
  const backend = setting.backend ?? backends[round % 2] ?? "file";
  const door = setting.door ?? doors[Math.floor(round / 2) % 2] ?? "dynamic";
  const draw = seededRandom(seed, round);
  const isAtSave = backend === "s3" && draw() < 0.5;
  // A save that is lost matters most if it adds an object.
  const adding: readonly Action[] = ["create", "create", "change", "change", "destroy"];
  const any: readonly Action[] = ["create", "change", "change", "change", "destroy"];
  const action = pick(isAtSave ? adding : any, draw) ?? "change";
  const place = pick(places, draw);
  const savePlace = pick(savePlaces, draw);
  const share = draw();
  const kind = draw();
  const replaced = action === "change" && draw() < (isAtSave ? 0.8 : 0.4) ? [pick(replacing, draw)] : [];
  const moment: Moment = isAtSave
    ? { at: "save", share, addsOnly: (action === "create" || replaced.length > 0) && draw() < 0.8, place: savePlace }
    : kind < 0.75
      ? { at: "request", share, changesOnly: draw() < 0.85, place }
      : { at: "time", share };
  // Nothing else loses a save.
  const interruption = pick(isAtSave && draw() < 0.7 ? killsCli : interruptions, draw);
  const pause = Math.round(draw() * 1_500);
  const inPlace = parts.filter((part) => !isReplacing(part) && draw() < 0.4);
  const changes = action === "change" ? [...inPlace, ...replaced] : [];
  return {
    round,
    backend,
    door,
    action,
    interruption,
    moment,
    pause,
    changes: action === "change" && changes.length === 0 ? ["restore"] : changes,
    onAnotherMachine: draw() < (isAtSave ? 1 / 6 : 1 / 3),
    adopts: draw() < 0.5,
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
  limit: 1,
  member: 1,
  access: 1,
  key: 2,
  branch: 2,
  project: 25,
};
const requestsToCreate = 15;
/** How many requests there are for each that changes something. */
const requestsForEach = 5;

/** How much there is to do, relative to creating everything. */
export function extentOf({ action, changes }: Pick<Plan, "action" | "changes">): number {
  // A replaced object is created with all its changes.
  const covered: readonly Part[] = changes.includes("project")
    ? parts.filter((part) => part !== "project" && !outsideProject.includes(part))
    : changes.includes("branch")
      ? ["name", "compute", "restore"]
      : [];
  const counted = changes.filter((part) => !covered.includes(part));
  return action === "change" ? counted.reduce((sum, part) => sum + requests[part], 0) / requestsToCreate : 1;
}

/**
 * The number of the request or of the save at which a run is interrupted.
 *
 * @param saves how often the state is saved while everything is created
 */
export function numberOf(plan: Pick<Plan, "action" | "changes" | "moment">, saves: Bucket["saves"]): number {
  const { moment } = plan;
  const all =
    moment.at === "save"
      ? savesOf(plan, moment.addsOnly, saves)
      : extentOf(plan) * requestsToCreate * (moment.at === "request" && moment.changesOnly ? 1 : requestsForEach);
  return 1 + Math.floor(moment.share * all);
}

/** How often a run saves the state: before and after each step, or only with another object. */
function savesOf(
  { action, changes }: Pick<Plan, "action" | "changes">,
  addsOnly: boolean,
  saves: Bucket["saves"],
): number {
  if (action !== "change") return addsOnly ? saves.adding : saves.all;
  if (changes.includes("project")) return addsOnly ? saves.adding - outsideProject.length : 2 * saves.all;
  const replaced = changes.filter(isReplacing).length;
  const updated = new Set(changes.flatMap((part) => resourceOf[part] ?? [])).size;
  return addsOnly ? replaced : 2 * updated + 4 * replaced;
}

/** The resource that a change of a part updates. */
const resourceOf: Readonly<Partial<Record<Part, string>>> = {
  size: "shop",
  name: "pr",
  compute: "pr",
  restore: "pr",
  password: "app",
  database: "data",
  snapshot: "kept",
  reader: "reader",
  limit: "limit",
  member: "colleague",
  access: "access",
};

export function titleOf(plan: Plan): string {
  const { round, backend, door, action, interruption, moment, changes, onAnotherMachine } = plan;
  const what = changes.length > 0 ? `${action} ${changes.join("+")}` : action;
  return `round ${round} (${backend}, ${door}): ${what}, ${interruption} ${whenOf(moment)}${onAnotherMachine ? ", then another machine" : ""}`;
}

function whenOf(moment: Moment): string {
  const share = `${Math.round(moment.share * 100)} %`;
  switch (moment.at) {
    case "time":
      return `after ${share} of the time`;
    case "save":
      return `after ${share} of the saves${moment.addsOnly ? " of new objects" : ""}, ${moment.place}`;
    case "request":
      return `after ${share} of the ${moment.changesOnly ? "changes" : "requests"}, ${moment.place}`;
    default:
      return moment satisfies never;
  }
}
