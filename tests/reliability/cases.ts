import { samples } from "../support/samples";
import { named, type Part } from "./case-run";
import { nameOf, record, recoveries, type Case, type Clean } from "./case";
import { operationFaults, requestFaults, type Fault } from "./fault";
import { lanes, withFresh } from "./lanes";
import { inParallel } from "./parallel";
import type { Point } from "./point";
import { verbsOf } from "./subject";

const patience = 180_000;

/** What each verb of each kind does without faults. It is recorded, so that new kinds and requests are covered. */
export async function cleanRuns(workers: number, { kinds, name = "" }: Part): Promise<readonly Clean[]> {
  // The name of a case begins with its kind and verb.
  const [ofKind, ofVerb] = name.split("/");
  const order = { ...lanes, workers, patience };
  const verbs = await inParallel({
    ...order,
    items: Object.values(samples).filter(
      ({ kind }) => (kinds?.includes(kind) ?? true) && (name === "" || kind === ofKind),
    ),
    work: async ({ stage }, sample) => (await verbsOf(stage, sample)).map((verb) => ({ sample, verb })),
    late: ({ kind }): never => hangs(kind),
  });
  return inParallel({
    ...order,
    items: verbs.flat().filter(({ verb }) => ofVerb === undefined || verb.title === ofVerb),
    work: (lane, { sample, verb }) => withFresh(lane, (first) => record(lane.stage, first, sample, verb)),
    late: ({ sample: { kind }, verb }): never => hangs(`${kind}/${verb.title}`),
  });
}

function hangs(what: string): never {
  throw new Error(`${what} has not ended after ${patience / 1000} s, without any fault`);
}

/** Every fault at every moment, with each recovery. */
export function casesOf(cleans: readonly Clean[], part: Part): readonly Case[] {
  const all = cleans.flatMap((clean) =>
    clean.points.flatMap((point) =>
      faultsAt(point).flatMap((fault) =>
        // After a failed delete, the same command and `destroy` are the same.
        recoveries
          .filter((recovery) => clean.verb.is !== "delete" || recovery !== "up")
          .map((recovery) => ({ clean, point, fault, recovery })),
      ),
    ),
  );
  return named(all, nameOf, part);
}

function faultsAt(point: Point): readonly Fault[] {
  return (point.is === "request" ? requestFaults : operationFaults).filter(({ suits }) => suits?.(point) ?? true);
}

/** Whether a case takes long in real time. */
export function isSlow({ fault, point }: Case): boolean {
  return fault.isSlow?.(point) ?? false;
}
