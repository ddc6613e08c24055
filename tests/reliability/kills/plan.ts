import { type Door, doors } from "../../support/door";
import type { Place } from "../../support/gate";
import { pick, seededRandom } from "../../support/seeded-random";
import { type Interruption, interruptions } from "./interruption";
import { type Part, parts, replacing, requestsOf, requestsToCreate } from "./program";

/** What the interrupted run does. */
export const actions = ["create", "change", "destroy"] as const;
export type Action = (typeof actions)[number];

/** Where the state is: in a folder, or in a bucket that takes a while to save it. */
export const backends = ["file", "s3"] as const;
export type Backend = (typeof backends)[number];

/** When it is interrupted: at a request, or after a share of the time that its requests take. */
export type Moment =
  | { readonly at: "request"; readonly number: number; readonly changesOnly: boolean; readonly place: Place }
  | { readonly at: "time"; readonly share: number };

/** Where the state is, and how the engine reaches the kinds. */
export interface Setting {
  readonly backend: Backend;
  readonly door: Door;
}

/** A round, independent of the state of its stack. */
export interface Plan extends Setting {
  readonly round: number;
  readonly action: Action;
  readonly interruption: Interruption;
  readonly moment: Moment;
  /** Milliseconds between the first and the second Ctrl-C. */
  readonly pause: number;
  /** What the program changes in this run. */
  readonly changes: readonly Part[];
  /** Whether the next run has consent to take what exists (`NEON_ADOPT=true`). */
  readonly consents: boolean;
  /** Whether the next run is `destroy`, which finishes the interrupted one. */
  readonly destroysAgain: boolean;
}

const places = ["before it arrives", "before its answer", "after its answer"] as const;
/** The number of requests per mutation. */
const requestsForEach = 5;

/** @param setting omitted members alternate, so that each backend meets each door, with and without consent */
export function planOf(
  seed: number,
  round: number,
  setting: { readonly [Name in keyof Setting]?: Setting[Name] | undefined } = {},
): Plan {
  const backend = setting.backend ?? backends[round % 2] ?? "file";
  const door = setting.door ?? doors[Math.floor(round / 2) % 2] ?? "dynamic";
  const consents = Math.floor(round / 4) % 2 === 0;
  const draw = seededRandom(seed, round);
  const action = pick<Action>(["create", "create", "change", "change", "change", "destroy"], draw);
  const replaced = action === "change" && draw() < 0.6 ? [pick(replacing, draw) ?? "key"] : [];
  const inPlace = parts.filter((part) => !replacing.includes(part) && draw() < 0.3);
  const changes = action === "change" ? [...inPlace, ...replaced] : [];
  const extent = action === "change" ? changes.reduce((sum, part) => sum + requestsOf(part), 0) || 1 : requestsToCreate;
  return {
    round,
    backend,
    door,
    action,
    interruption: pick(interruptions, draw),
    moment: momentOf(extent, draw),
    pause: Math.round(draw() * 1_500),
    changes: action === "change" && changes.length === 0 ? ["restore"] : changes,
    consents,
    destroysAgain: action === "destroy" && draw() < 0.5,
  };
}

/** @param extent the number of mutations in the run */
function momentOf(extent: number, draw: () => number): Moment {
  if (draw() < 0.25) return { at: "time", share: (draw() * extent) / requestsToCreate };
  const changesOnly = draw() < 0.85;
  const all = changesOnly ? extent : extent * requestsForEach;
  return { at: "request", number: 1 + Math.floor(draw() * all), changesOnly, place: pick(places, draw) };
}
