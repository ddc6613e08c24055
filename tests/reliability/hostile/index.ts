import { withPlatformProcess } from "../../support/platform-process";
import type { Campaign } from "../campaign";
import { pick, seededRandom } from "../../support/seeded-random";
import { attempt, hostileCases, targetOn } from "./cases";

const lanes = 16;
const mostCases = 20_000;
/** Mebibytes by which a platform may have grown, whatever was thrown at it. */
const mostGrowth = 300;

/** Hostile requests, many at the same time and in any order, with a well-meaning client among them. */
export const hostile: Campaign = {
  name: "hostile",
  title: "Hostile requests to the local platform",
  share: 0.3,
  carryOut: ({ seed, deadline, say }) =>
    withPlatformProcess(["--operation-time", "5ms"], async ({ platform, memory }) => {
      const draw = seededRandom(seed);
      const failures = new Set<string>();
      const fail = (problem: string): void => {
        if (!failures.has(problem)) say(`${problem} (seed ${seed})`);
        failures.add(problem);
      };
      let cases = 0;
      let slowestMs = 0;
      const target = await targetOn(platform);
      const before = memory();
      const isOver = (): boolean => performance.now() > deadline || cases >= mostCases;
      const attacks = Array.from({ length: lanes }, async () => {
        while (!isOver()) {
          const one = pick(hostileCases, draw);
          if (!one) break;
          cases += 1;
          const problem = await attempt(one, target);
          if (problem !== undefined) fail(`${one.title}: ${problem}`);
        }
      });
      const other = (async () => {
        while (!isOver()) {
          const began = performance.now();
          const { status } = await platform.call("GET", `/projects/${target.projectId}`);
          slowestMs = Math.max(slowestMs, performance.now() - began);
          if (status !== 200) fail(`a well-meaning client is answered ${status}`);
        }
      })();
      await Promise.all([...attacks, other]);
      const growth = memory() - before;
      if (growth > mostGrowth) fail(`the platform has grown by ${growth.toFixed(0)} MiB`);
      return {
        counts: { "sorts of hostile requests": hostileCases.length, cases },
        failures: [...failures],
        details:
          `${lanes} at a time; the platform's process has grown by ${growth.toFixed(0)} MiB, and the slowest answer to a ` +
          `well-meaning client took ${slowestMs.toFixed(0)} ms.`,
      };
    }),
};
