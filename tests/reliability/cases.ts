import { samples } from "../support/samples";
import { nameOf, record, recoveries, type Case, type Clean } from "./case";
import { operationFaults, requestFaults, type Fault } from "./fault";
import { onLanes, withFresh } from "./lanes";
import type { Point } from "./point";
import { verbsOf } from "./subject";

/** Which part of the matrix is meant; all of it where nothing is said. */
export interface Part {
  readonly kinds?: readonly string[] | undefined;
  /** The name of a case, or how it begins. */
  readonly name?: string | undefined;
}

const patience = 180_000;

/** What each verb of each kind does when nothing goes wrong: recorded, so that new kinds and requests are covered. */
export async function cleanRuns(lanes: number, { kinds, name = "" }: Part): Promise<readonly Clean[]> {
  // The name of a case begins with its kind and verb.
  const [ofKind, ofVerb] = name.split("/");
  const asked = Object.values(samples).filter(
    ({ kind }) => (kinds?.includes(kind) ?? true) && (name === "" || kind === ofKind),
  );
  const led = await onLanes({
    lanes,
    items: asked,
    patience,
    work: async ({ stage }, sample) => (await verbsOf(stage, sample)).map((verb) => ({ sample, verb })),
    late: ({ kind }): never => hangs(kind),
  });
  return onLanes({
    lanes,
    items: led.flat().filter(({ verb }) => ofVerb === undefined || verb.title === ofVerb),
    patience,
    work: (lane, { sample, verb }) => withFresh(lane, (first) => record(lane.stage, first, sample, verb)),
    late: ({ sample: { kind }, verb }): never => hangs(`${kind}/${verb.title}`),
  });
}

function hangs(what: string): never {
  throw new Error(`${what} is not over after ${patience / 1000} s, without any fault`);
}

/** Every fault at every moment, and everything that people do then. */
export function casesOf(cleans: readonly Clean[], { name = "" }: Part): readonly Case[] {
  const all = cleans.flatMap((clean) =>
    clean.points.flatMap((point) =>
      faultsAt(point).flatMap((fault) =>
        // Whoever deletes does the same again when they give up.
        recoveries
          .filter((recovery) => clean.verb.is !== "delete" || recovery !== "up")
          .map((recovery) => ({ clean, point, fault, recovery })),
      ),
    ),
  );
  const exactly = all.filter((one) => nameOf(one) === name);
  return exactly.length > 0 ? exactly : all.filter((one) => nameOf(one).startsWith(name));
}

function faultsAt(point: Point): readonly Fault[] {
  return (point.is === "request" ? requestFaults : operationFaults).filter(({ suits }) => suits?.(point) ?? true);
}

/** Whether a case takes long in real time. */
export function isSlow({ fault, point }: Case): boolean {
  return fault.isSlow?.(point) ?? false;
}
