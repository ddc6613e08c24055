import { createResource, mutationsOf, readyProvider, type Step, timed } from "../creator";
import { startTestPlatform } from "../../support/platform";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { mean, percentile } from "../statistics";

/** The milliseconds beyond the operations of each of many creations, one after the other in one process. */
async function beyond(run: Run, operationTime: number): Promise<number[]> {
  const platform = await startTestPlatform({ operationTime: `${operationTime}ms` });
  const server = await readyProvider(platform);
  try {
    const { projectId } = (await createResource(server, "Project", { name: "home" })).outputs;
    const steps: Step[] = [];
    for (const index of numbersBelow(run.size(30, 2))) {
      await timed(steps, "branch", () =>
        createResource(server, "Branch", { projectId, name: `pr-${index}`, compute: {} }),
      );
    }
    return (await mutationsOf(platform, steps)).map(({ wall, operations }) => wall - operations);
  } finally {
    await server.stop();
    await platform.close();
  }
}

export const overhead: Row = {
  name: "overhead",
  title: "What a creation takes beyond its operations",
  compares: `30 branches with computes are created one after the other in one process, at a platform without latency, whose
operations take so long each. The figure is the mean of the time from the call of \`check\` to the end of \`create\`, minus the
time that its operations ran, by the platform's own clock.`,
  measuresTime: true,
  measure: async (run) => {
    const all: [number, number[]][] = [];
    for (const time of [0, 50, 100, 300]) all.push([time, await beyond(run, time)]);
    return {
      figures: all.map(([time, values]) => ({
        title: `a creation with operations of ${time} ms: beyond them`,
        value: mean(values),
        unit: "ms",
        atMost: 60,
      })),
      comparison: {
        heads: ["each operation", "mean", "median", "95th percentile"],
        lines: all.map(([time, values]) => [
          `${time} ms`,
          ...[mean(values), percentile(values, 0.5), percentile(values, 0.95)].map((value) => `${value.toFixed(0)} ms`),
        ]),
      },
    };
  },
};
