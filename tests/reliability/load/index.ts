import { spawnPlatform } from "../../support/platform-process";
import { TestPlatform } from "../../support/platform";
import type { Campaign } from "../campaign";
import { crowd } from "./crowd";
import { longList } from "./long-list";

const clients = 500;
const mostMs = 10_000;
/** How many mebibytes a platform may grow under load, including the created objects. */
const mostGrowth = 400;
/** A response that takes so many times the median is starved. */
const mostOfMedian = 100;
/** How long one request may delay others, in milliseconds. */
const mostBesideMs = 5_000;

/** Many clients of the local platform at the same time. */
export const load: Campaign = {
  name: "load",
  title: "500 concurrent clients of the local platform",
  share: 0.2,
  carryOut: async ({ seed, deadline, say }) => {
    const { child, platform } = await spawnPlatform(["--operation-time", "1ms"]);
    try {
      const milliseconds = Math.max(1_000, Math.min(mostMs, deadline - performance.now()));
      const order = { seed, platform: new TestPlatform(platform), pid: child.pid ?? 0, clients, milliseconds };
      const { failures, medianMs, worstMs, memory, ...counted } = await crowd(order);
      const [before, after] = memory;
      const long = await longList(order.platform, deadline);
      const problems = [
        ...failures,
        ...(counted.fewest === 0 ? ["a client was never answered"] : []),
        ...(after - before > mostGrowth ? [`the platform has grown from ${before} to ${after} MiB`] : []),
        ...(worstMs > mostOfMedian * medianMs ? [`the slowest answer took ${worstMs} ms, most ${medianMs} ms`] : []),
      ];
      if (long.besideMs > mostBesideMs) problems.push(`a long list has kept others waiting for ${long.besideMs} ms`);
      for (const problem of problems) say(`${problem} (seed ${seed})`);
      return {
        counts: {
          clients,
          "requests answered": counted.requests,
          "changes performed": counted.changes,
          "changes turned away with 423": counted.locked,
          "wrong answers": failures.length,
        },
        failures: problems,
        details:
          `In ${(milliseconds / 1000).toFixed(0)} s: the median response took ${medianMs.toFixed(0)} ms, the slowest ` +
          `${worstMs.toFixed(0)} ms. Every client got at least ${counted.fewest} responses. The platform's ` +
          `process grew from ${before.toFixed(0)} to ${after.toFixed(0)} MiB. Half of the clients open a connection for every request. ` +
          `A list of ${long.branches} branches took ${long.listMs.toFixed(0)} ms, and a small request at the same time at most ` +
          `${long.besideMs.toFixed(0)} ms.`,
      };
    } finally {
      await platform.close();
    }
  },
};
