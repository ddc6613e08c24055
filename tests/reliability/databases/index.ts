import { type Campaign, runCases } from "../campaign";
import { numbersFrom, roundRandom } from "../seeded-random";
import { carryOutRound } from "./round";
import { World } from "./world";

/** The platform keeps the data of deleted branches for a week: after so many rounds, a world takes two gigabytes. */
const roundsOfWorld = 60;

/** One world after the other. */
class Worlds {
  #world: World;
  #rounds = 0;

  private constructor(world: World) {
    this.#world = world;
  }

  static async open(): Promise<Worlds> {
    return new Worlds(await World.open());
  }

  /** The world of the next round. */
  async next(): Promise<World> {
    this.#rounds += 1;
    if (this.#rounds % roundsOfWorld === 0) {
      await this.#world.close();
      this.#world = await World.open();
    }
    return this.#world;
  }

  close(): Promise<void> {
    return this.#world.close();
  }
}

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
        open: () => Worlds.open(),
        close: (worlds) => worlds.close(),
        work: async (worlds, round) => carryOutRound(await worlds.next(), roundRandom(seed, round)),
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
