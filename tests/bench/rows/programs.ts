import type { LoggedRequest } from "../../../platform/http/request-log";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import { bareUps, branchesProgram, projectsProgram, timeOf, type Ups, userStack, upTwice, withStack } from "../cli";
import { durationOf, operationsByProject } from "../creator";
import { numbersBelow } from "../lanes";
import type { Row } from "../row";
import { mean, median } from "../statistics";

function countOf(requests: readonly LoggedRequest[], wanted: number): number {
  return requests.filter(({ status }) => status === wanted).length;
}

export const parallelChildren: Row = {
  name: "parallel-children",
  title: "Children of one project in parallel",
  compares: `One \`pulumi up --parallel 128\` creates a project and 8, then 100 branches with computes in it, with operations of 20 ms.
The figure is the number of responses with status 423, which the platform gives while another change of the project is in
progress. The peer sends all branches at once, waits 100 ms after a 423 and tries again.`,
  measuresTime: false,
  measure: async (run) => {
    const counts = [];
    for (const count of [run.size(8, 2), run.size(100, 4)]) {
      const own = await withPlatformProcess(["--operation-time", "20ms"], async ({ platform }) => {
        return await withStack(await userStack(branchesProgram(count, 1), platform), async (stack) => {
          await stack.up("--parallel", "128");
          return countOf(await platform.requests(), 423);
        });
      });
      const peer = await withPlatformProcess(["--operation-time", "20ms"], ({ platform }) =>
        allAtOnce(platform, count),
      );
      counts.push({ count, own, peer });
    }
    return {
      figures: counts.map(({ count, own }) => ({
        title: `${count} children of one project in parallel: 423 caused by ourselves`,
        value: own,
        unit: "",
        atMost: 0,
      })),
      comparison: {
        heads: ["program", ...counts.map(({ count }) => `${count} branches: 423`)],
        lines: [
          ["this package", ...counts.map(({ own }) => String(own))],
          ["all at once, retried after 100 ms", ...counts.map(({ peer }) => String(peer))],
        ],
      },
    };
  },
};

async function allAtOnce(platform: TestPlatform, count: number): Promise<number> {
  const { project } = await platform.project({ name: "home" });
  await Promise.all(
    numbersBelow(count).map(async (index) => {
      const body = { branch: { name: `pr-${index}` }, endpoints: [{ type: "read_write" }] };
      for (;;) {
        const { status } = await platform.call("POST", `/projects/${project.id}/branches`, body, { unchecked: true });
        if (status === 201) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }),
  );
  return countOf(await platform.requests(), 423);
}

export const manyProjects: Row = {
  name: "many-projects",
  title: "Many projects in one program",
  compares: `One \`pulumi up\` of 50 projects, whose two operations take one second each, with a latency of 20 ms, divided by that
of 50 resources of a provider of one line which sleeps as long as those operations took on average. Both with the engine's
default parallelism; the median of three pairs.`,
  measuresTime: true,
  measure: async (run) => {
    const count = run.size(50, 4);
    const time = run.quick ? "50ms" : "1s";
    const pairs: { own: number; bare: number }[] = [];
    for (let round = 0; round < run.size(3, 1); round += 1) {
      const { own, sleep } = await withPlatformProcess(
        ["--operation-time", time, "--latency", "20ms"],
        async ({ platform }) => {
          return await withStack(await userStack(projectsProgram(count), platform), async (stack) => {
            const wall = await timeOf(() => stack.up());
            return { own: wall, sleep: mean((await operationsByProject(platform)).map(durationOf)) };
          });
        },
      );
      pairs.push({ own, bare: (await bareUps(count, { sleep })).first });
      run.say(
        `${own.toFixed(0)} ms, bare ${pairs.at(-1)?.bare.toFixed(0) ?? ""} ms, each sleeps ${sleep.toFixed(0)} ms`,
      );
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
          ["this package", `${(median(pairs.map(({ own }) => own)) / 1000).toFixed(2)} s`],
          ["bare resources", `${(median(pairs.map(({ bare }) => bare)) / 1000).toFixed(2)} s`],
        ],
      },
    };
  },
};

/** The outputs of a project: each costs Pulumi's SDK time in the program, whatever the provider does. */
const outputsOfProject = 23;

export const noTime: Row = {
  name: "no-time",
  title: "Programs whose operations take no time",
  compares: `\`pulumi up\` of 100 projects with an operation time and a latency of 0, and a second one that finds no change, each
divided by the same command with 100 resources of a provider of one line that does nothing, and with such resources that
have as many outputs as a project. The median of five rounds.`,
  measuresTime: true,
  measure: async (run) => {
    const count = run.size(100, 4);
    const rounds: { own: Ups; bare: Ups; wide: Ups }[] = [];
    for (let round = 0; round < run.size(5, 1); round += 1) {
      const own = await withPlatformProcess(["--operation-time", "0"], async ({ platform }) =>
        withStack(await userStack(projectsProgram(count), platform), (stack) => upTwice(stack)),
      );
      rounds.push({ own, bare: await bareUps(count), wide: await bareUps(count, { outputs: outputsOfProject }) });
      run.say(`${round + 1}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const ratio = (peer: "bare" | "wide", of: (ups: Ups) => number): number =>
      median(rounds.map((one) => of(one.own) / of(one[peer])));
    const [unchanged, first] = [(ups: Ups) => ups.unchanged, (ups: Ups) => ups.first];
    const titles = {
      unchanged: `unchanged \`up\` of ${count} projects`,
      first: `\`up\` of ${count} projects, operations and latency 0`,
    };
    const peers = { bare: "bare resources that do nothing", wide: "such resources with as many outputs" };
    const programs = { own: "this package", bare: "bare resources", wide: "bare resources with as many outputs" };
    return {
      figures: [
        { title: `${titles.unchanged} ÷ ${peers.bare}`, value: ratio("bare", unchanged), unit: "×", atMost: 1.1 },
        { title: `${titles.unchanged} ÷ ${peers.wide}`, value: ratio("wide", unchanged), unit: "×" },
        { title: `${titles.first} ÷ ${peers.bare}`, value: ratio("bare", first), unit: "×", atMost: 1.25 },
        { title: `${titles.first} ÷ ${peers.wide}`, value: ratio("wide", first), unit: "×" },
      ],
      comparison: {
        heads: ["program", "first `up`", "unchanged `up`"],
        lines: (["own", "bare", "wide"] as const).map((which) => [
          programs[which],
          `${(median(rounds.map((one) => one[which].first)) / 1000).toFixed(2)} s`,
          `${(median(rounds.map((one) => one[which].unchanged)) / 1000).toFixed(2)} s`,
        ]),
      },
    };
  },
};

/** The documented limit of an account: so many requests in any minute. */
const perMinute = 700;
const minute = 60_000;

/** When the limit admits the last of so many requests, in milliseconds after the first one. */
function limitFloor(requests: number): number {
  return minute * Math.floor((requests - 1) / perMinute);
}

export const rateLimit: Row = {
  name: "rate-limit",
  title: "Under Neon's rate limits",
  compares: `One \`pulumi up --parallel 256\` of 200 branches with computes in eight projects, with operations of 500 ms, a latency of
20 ms and the limits that Neon documents: 700 requests a minute for the account, 40 a second for a route. The floor is the
larger of two times: that of all operations of the project that took longest, and that in which 700 requests in any minute
make as many requests as were sent. The local platform's limit is a token bucket and would admit a burst earlier. The time of
the whole command counts, with Pulumi's own start and end.`,
  measuresTime: true,
  measure: async (run) => {
    const flags = ["--rate-limit", "--operation-time", run.quick ? "10ms" : "500ms", "--latency", "20ms"];
    return await withPlatformProcess(flags, async ({ platform }) => {
      const count = run.size(200, 8);
      return await withStack(await userStack(branchesProgram(count, run.size(8, 2)), platform), async (stack) => {
        const wall = await timeOf(() => stack.up("--parallel", "256"));
        const requests = await platform.requests();
        const times = requests.map(({ time }) => Date.parse(time));
        const sent = requests.length;
        const limited = countOf(requests, 429);
        // The readings below are not part of the run, and may meet the limit themselves.
        await new Promise((resolve) => setTimeout(resolve, run.size(15_000, 0)));
        const operations = Math.max(...(await operationsByProject(platform)).map(durationOf));
        const floor = Math.max(operations, limitFloor(sent));
        const inner = Math.max(...times) - Math.min(...times);
        return {
          figures: [
            {
              title: `${count} branches under Neon's rate limits ÷ the larger of the operations and the limit`,
              value: wall / floor,
              unit: "×",
              atMost: 1.1,
            },
            { title: `${count} branches under Neon's rate limits: 429`, value: limited, unit: "", atMost: 0 },
          ],
          comparison: {
            heads: ["part", "value"],
            lines: [
              ["the whole command", `${(wall / 1000).toFixed(1)} s`],
              ["from its first to its last request", `${(inner / 1000).toFixed(1)} s`],
              ["operations of the slowest project", `${(operations / 1000).toFixed(1)} s`],
              ["700 requests in any minute", `${(limitFloor(sent) / 1000).toFixed(1)} s`],
              ["requests", String(sent)],
            ],
          },
        };
      });
    });
  },
};
