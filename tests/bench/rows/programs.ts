import { statSync } from "node:fs";

import { filesIn } from "../../support/files";
import { withPlatformProcess } from "../../support/platform-process";
import type { Stack } from "../../support/stack";
import { bareProgram, branchesProgram, projectsProgram, timeOf, withStack } from "../cli";
import { durationOf, operationsByProject } from "../creator";
import type { Row } from "../row";
import { mean, median } from "../statistics";

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

export const manyProjects: Row = {
  name: "many-projects",
  measure: async (run) => {
    const count = run.size(50, 4);
    const flags = ["--operation-time", run.quick ? "50ms" : "1s", "--latency", "20ms"];
    const pairs: { own: number; bare: number }[] = [];
    while (pairs.length < run.size(3, 1)) {
      const { own, sleep } = await withPlatformProcess(flags, ({ platform }) =>
        withStack(projectsProgram(count), platform, async (stack) => {
          const wall = await timeOf(() => stack.up());
          return { own: wall, sleep: mean((await operationsByProject(platform)).map(durationOf)) };
        }),
      );
      const bare = await withStack(bareProgram(count, sleep), undefined, (stack) => timeOf(() => stack.up()));
      pairs.push({ own, bare });
      run.say(`${seconds(own)}, bare ${seconds(bare)}, each sleeps ${seconds(sleep)}`);
    }
    return {
      figures: [
        {
          title: `${count} projects in one \`up\` ÷ bare resources that only sleep as long`,
          value: median(pairs.map(({ own, bare }) => own / bare)),
          unit: "×",
          atMost: 1.1,
        },
      ],
      comparison: {
        heads: ["program", "`up`"],
        lines: [
          ["this package", seconds(median(pairs.map(({ own }) => own)))],
          ["bare resources", seconds(median(pairs.map(({ bare }) => bare)))],
        ],
      },
    };
  },
};

/** The documented limit of an account: so many requests in any minute. */
const perMinute = 700;

/** When the limit admits the last of so many requests, in milliseconds after the first one. */
function limitFloor(requests: number): number {
  return 60_000 * Math.floor((requests - 1) / perMinute);
}

export const rateLimit: Row = {
  name: "rate-limit",
  measure: async (run) => {
    const flags = ["--rate-limit", "--operation-time", run.quick ? "10ms" : "500ms", "--latency", "20ms"];
    const count = run.size(200, 8);
    return await withPlatformProcess(flags, ({ platform }) =>
      withStack(branchesProgram(count, run.size(8, 2)), platform, async (stack) => {
        const wall = await timeOf(() => stack.up("--parallel", "256"));
        const requests = await platform.requests();
        const times = requests.map(({ time }) => Date.parse(time));
        // The readings below are not part of the run, and may meet the limit themselves.
        await new Promise((resolve) => setTimeout(resolve, run.size(15_000, 0)));
        const operations = Math.max(...(await operationsByProject(platform)).map(durationOf));
        const limit = limitFloor(requests.length);
        return {
          figures: [
            {
              title: `${count} branches under Neon's rate limits ÷ the larger of the operations and the limit`,
              value: wall / Math.max(operations, limit),
              unit: "×",
              atMost: 1.1,
            },
            {
              title: `${count} branches under Neon's rate limits: 429`,
              value: requests.filter(({ status }) => status === 429).length,
              unit: "",
              atMost: 0,
            },
          ],
          comparison: {
            heads: ["part", "value"],
            lines: [
              ["the whole command", seconds(wall)],
              ["from its first to its last request", seconds(Math.max(...times) - Math.min(...times))],
              ["operations of the slowest project", seconds(operations)],
              ["700 requests in any minute", seconds(limit)],
              ["requests", String(requests.length)],
            ],
          },
        };
      }),
    );
  },
};

/** The first `up` of a stack, and one that finds no change, in milliseconds, and the size of its state file. */
async function ups(stack: Stack) {
  const first = await timeOf(() => stack.up());
  const unchanged = await timeOf(() => stack.up());
  const [file = ""] = filesIn(stack.kept).filter((path) => /\.pulumi\/stacks\/.*\.json$/.test(path));
  return { first, unchanged, stateBytes: statSync(file).size };
}

/** A stack of branches with computes, a hundred in each project, and as many bare resources. */
async function grown(size: number) {
  const own = await withPlatformProcess(["--operation-time", "0"], ({ platform }) => {
    const projects = Math.ceil(size / 100);
    return withStack(branchesProgram(size - projects, projects), platform, async (stack) => {
      const both = await ups(stack);
      await platform.clearRequests();
      const refresh = await timeOf(() => stack.refresh());
      return { ...both, refresh, requests: (await platform.requests()).length };
    });
  });
  return { size, own, bare: await withStack(bareProgram(size), undefined, ups) };
}

/** The largest time that a stack of a hundred resources may take, as a multiple of bare resources. */
const targets = { first: 1.25, unchanged: 1.1 };

export const growth: Row = {
  name: "growth",
  measure: async (run) => {
    const all: Awaited<ReturnType<typeof grown>>[] = [];
    for (const size of run.quick ? [4, 8] : [10, 100, 1_000]) {
      run.say(`${size} resources`);
      all.push(await grown(size));
    }
    const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
    return {
      figures: all.flatMap(({ size, own, bare }) =>
        (["first", "unchanged"] as const).map((which) => ({
          title: `${which === "first" ? "" : "unchanged "}\`up\` of ${size} resources ÷ bare resources`,
          value: own[which] / bare[which],
          unit: "×" as const,
          ...(size === 100 ? { atMost: targets[which] } : {}),
        })),
      ),
      comparison: {
        heads: ["resources", "`up`", "bare", "unchanged", "bare", "refresh", "its requests", "state", "bare"],
        lines: all.map(({ size, own, bare }) => [
          size,
          ...[own.first, bare.first, own.unchanged, bare.unchanged, own.refresh].map(seconds),
          own.requests,
          ...[own.stateBytes, bare.stateBytes].map(kilobytes),
        ]),
      },
    };
  },
};
