import { TestPlatform } from "../../support/platform";
import { spawnPlatform } from "../../support/platform-process";
import { memoryOf } from "../../support/memory";
import type { Campaign } from "../campaign";
import { pick } from "../seeded-random";
import { attempt, targetOn } from "./attempt";
import { hostileCases } from "./cases";

const lanes = 16;
const mostCases = 20_000;
/** Mebibytes by which a platform may have grown, whatever was thrown at it. */
const mostGrowth = 300;

/** Hostile requests, many at the same time and in any order, with a well-meaning client among them. */
export const hostile: Campaign = {
  name: "hostile",
  title: "Hostile requests to the local platform",
  share: 0.3,
  carryOut: async ({ seed, draw, deadline, say }) => {
    const { child, platform } = await spawnPlatform(["--operation-time", "5ms"]);
    const running = new TestPlatform(platform);
    const failures = new Set<string>();
    let cases = 0;
    let slowestMs = 0;
    try {
      const target = await targetOn(running);
      const before = memoryOf(child.pid ?? 0);
      const fail = (problem: string): void => {
        if (!failures.has(problem)) say(`${problem} (seed ${seed})`);
        failures.add(problem);
      };
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
          const { status } = await running.call("GET", `/projects/${target.projectId}`);
          slowestMs = Math.max(slowestMs, performance.now() - began);
          if (status !== 200) fail(`a well-meaning client is answered ${status}`);
        }
      })();
      await Promise.all([...attacks, other]);
      const growth = memoryOf(child.pid ?? 0) - before;
      if (growth > mostGrowth) fail(`the platform has grown by ${growth.toFixed(0)} MiB`);
      return {
        counts: { "sorts of hostile requests": hostileCases.length, cases },
        failures: [...failures],
        details:
          `${lanes} at a time; the platform's process has grown by ${growth.toFixed(0)} MiB, and the slowest answer to a ` +
          `well-meaning client took ${slowestMs.toFixed(0)} ms.`,
      };
    } finally {
      await platform.close();
    }
  },
};
