import { type Campaign, runCases } from "../campaign";
import { numbersFrom, roundRandom } from "../seeded-random";
import { carryOutRound } from "./round";
import { World } from "./world";

/** Branches of real databases that are written to, while something is killed. */
export const databases: Campaign = {
  name: "databases",
  title: "Branches of databases that are written to and killed",
  share: 0.3,
  carryOut: async ({ seed, deadline, only, say }) => {
    const { ran, failures } = await runCases(
      { seed, deadline, say },
      {
        campaign: "databases",
        cases: only === undefined ? numbersFrom(1) : [Number(only)],
        nameOf: String,
        workers: 1,
        open: () => World.open(),
        close: (world) => world.close(),
        work: (world, round) => carryOutRound(world, roundRandom(seed, round)),
        patience: 180_000,
        every: 10,
      },
    );
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
      details: "",
    };
  },
};
