import { type Campaign, roundsOf, runCases } from "../campaign";
import { seededRandom } from "../../support/seeded-random";
import { carryOutRound } from "./round";
import { World } from "./world";

/** The platform keeps the data of deleted branches for a week: after so many rounds, a world takes two gigabytes. */
const roundsOfWorld = 60;

/** Branches of real databases that are written to, while something is killed. */
export const databases: Campaign = {
  name: "databases",
  title: "Branches of databases that are written to and killed",
  share: 0.3,
  carryOut: async (run) => {
    const { ran, failures } = await runCases(run, {
      campaign: "databases",
      cases: roundsOf(run, 1),
      nameOf: String,
      workers: 1,
      open: async () => ({ world: await World.open(), rounds: 0 }),
      close: ({ world }) => world.close(),
      work: async (worker, round) => {
        if (worker.rounds === roundsOfWorld) {
          await worker.world.close();
          Object.assign(worker, { world: await World.open(), rounds: 0 });
        }
        worker.rounds += 1;
        return carryOutRound(worker.world, seededRandom(run.seed, round));
      },
      patience: 180_000,
      every: 10,
    });
    const done = ran.flatMap(({ result }) => (result === undefined ? [] : [result]));
    const count = (is: (one: (typeof done)[number]) => boolean): number => done.filter(is).length;
    return {
      counts: {
        branches: done.length,
        "at a log position": count(({ point }) => point === "lsn"),
        "at a time": count(({ point }) => point === "time"),
        "with the platform killed": count(({ victim }) => victim === "platform"),
        "with the postmaster of the parent killed": count(({ victim }) => victim === "postmaster"),
        "with a writer's server process killed": count(({ victim }) => victim === "backend"),
        "with a parent whose history was shortened": count(({ isShortened }) => isShortened),
        "rows compared in children": done.reduce((sum, { rows }) => sum + rows, 0),
      },
      failures,
    };
  },
};
