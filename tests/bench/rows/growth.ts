import { statSync } from "node:fs";

import { filesIn } from "../../support/files";
import { withPlatformProcess } from "../../support/platform-process";
import type { Stack } from "../../support/stack";
import { bareProgram } from "../bare";
import { branchesProgram, type Part, type Used, userStack, watched, withStack } from "../cli";
import type { Row } from "../row";
import { cpuOf } from "../usage";

/** The figures of a stack of one size. */
interface Figures {
  readonly up: number;
  readonly unchanged: number;
  readonly memory: number;
  readonly stateBytes: number;
}
interface OwnFigures extends Figures {
  readonly refresh: number;
  /** CPU milliseconds of the first `up`. */
  readonly cpu: Readonly<Record<Part | "platform", number>>;
  readonly requests: { readonly up: number; readonly refresh: number };
}

interface OfSize {
  readonly size: number;
  readonly own: OwnFigures;
  readonly bare: Figures;
}

const parts = ["engine", "program", "provider", "platform"] as const;

/** Branches with computes, a hundred in each project. */
async function own(resources: number): Promise<OwnFigures> {
  return await withPlatformProcess(["--operation-time", "0"], async ({ platform, pid }) => {
    const projects = Math.ceil(resources / 100);
    return await withStack(
      await userStack(branchesProgram(resources - projects, projects), platform),
      async (stack) => {
        const before = cpuOf(pid);
        const up = await watched(stack, "up");
        const cpu = { ...up.cpu, platform: cpuOf(pid) - before };
        const figures = await figuresOf(stack, up);
        const sent = (await platform.requests()).length;
        await platform.clearRequests();
        const refresh = await watched(stack, "refresh");
        const requests = { up: sent, refresh: (await platform.requests()).length };
        return { ...figures, memory: Math.max(figures.memory, refresh.memory), refresh: refresh.ms, cpu, requests };
      },
    );
  });
}

/** @param up the first one of the stack */
async function figuresOf(stack: Stack, up: Used): Promise<Figures> {
  const unchanged = await watched(stack, "up");
  const [file = ""] = filesIn(stack.kept).filter((path) => /\.pulumi\/stacks\/.*\.json$/.test(path));
  const stateBytes = statSync(file).size;
  return { up: up.ms, unchanged: unchanged.ms, memory: Math.max(up.memory, unchanged.memory), stateBytes };
}

async function bare(resources: number): Promise<Figures> {
  return await withStack(await userStack(bareProgram(resources)), async (stack) =>
    figuresOf(stack, await watched(stack, "up")),
  );
}

export const growth: Row = {
  name: "growth",
  title: "Growth with the number of resources",
  compares: `Stacks of 10, 100 and 1,000 resources: projects, each with up to 99 branches with computes, at an operation time and a
latency of 0 and without a rate limit; and as many resources of a provider of one line that does nothing. Memory is the most that the provider
process had. The state is the file of Pulumi's file backend. CPU is that of the first \`up\`; the engine is the CLI with its language host.`,
  measuresTime: true,
  measure: async (run) => {
    const sizes = run.quick ? [4, 8] : [10, 100, 1_000];
    const all: OfSize[] = [];
    for (const size of sizes) {
      run.say(`${size} resources`);
      all.push({ size, own: await own(size), bare: await bare(size) });
    }
    const [first] = all;
    const last = all.at(-1);
    return {
      figures: all.flatMap(({ size, own, bare }) => [
        { title: `\`up\` of ${size} resources ÷ bare resources`, value: own.up / bare.up, unit: "×" as const },
        {
          title: `unchanged \`up\` of ${size} resources ÷ bare resources`,
          value: own.unchanged / bare.unchanged,
          unit: "×" as const,
        },
      ]),
      comparison: {
        heads: [
          ...["resources", "`up`", "bare", "unchanged", "bare", "refresh", "its requests"],
          ...["memory", "bare", "state", "bare"],
          ...parts.map((part) => `CPU of ${part}`),
        ],
        lines: all.map(({ size, own, bare }) => [
          size,
          ...[own.up, bare.up, own.unchanged, bare.unchanged, own.refresh].map((ms) => `${(ms / 1000).toFixed(1)} s`),
          own.requests.refresh,
          ...[own.memory, bare.memory].map((mebibytes) => `${mebibytes.toFixed(0)} MB`),
          ...[own.stateBytes, bare.stateBytes].map((bytes) => `${(bytes / 1000).toFixed(0)} kB`),
          ...parts.map((part) => `${(own.cpu[part] / 1000).toFixed(1)} s`),
        ]),
      },
      ...(first === undefined || last === undefined || run.quick ? {} : { remark: remark(last, first) }),
    };
  },
};

/** Where one process stops being enough, calculated from the largest stack. */
function remark({ size, own }: OfSize, first: OfSize): string {
  const { up, memory, requests, stateBytes } = own;
  const perMinute = 700;
  const perResource = requests.up / size;
  const base = first.own.memory;
  const slope = (memory - base) / (size - first.size);
  // Node's own limit for a process without options on a machine with enough memory.
  const heap = 4_096;
  const most = Math.floor((heap - base) / slope / 1_000) * 1_000;
  return `**Where one process ends.** The first \`up\` sends ${perResource.toFixed(1)} requests for each resource. The rate limit of ${perMinute} requests a minute therefore admits ${Math.floor(perMinute / perResource)} new resources a minute after the first ${perMinute} requests: ${size} resources take at least ${Math.max(0, (requests.up - perMinute) / perMinute).toFixed(1)} minutes at Neon, and took ${(up / 60_000).toFixed(1)} here, without the limit. The limit belongs to the account: a second process does not raise it, another organization does. Within a project the platform runs one change after the other, so ${size} branches of one project take as long as their operations together. Memory grows by ${(slope * 1000).toFixed(0)} kB for each resource; at this slope, a process reaches 4 GB with ${slope <= 0 ? "any number of resources" : `${most.toLocaleString("en-US")} resources`}. The state file has ${(stateBytes / size / 1000).toFixed(1)} kB for each resource, and Pulumi's file backend writes it as a whole after each step: its time grows with the square of the number of resources. Before any of these hurts, split the program into several stacks, for example one for each project or environment, which run at the same time and share the rate limit; keep the state in a backend that stores only what changes (Pulumi Cloud); and run large stacks where the runner has the memory (Pulumi Deployments, or a larger CI runner).`;
}
