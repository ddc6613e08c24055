import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { installation } from "../../package/installation";
import { ProviderServer, type Values } from "../../support/provider-server";
import { EngineLog } from "../../support/engine-log";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { bareProvider } from "../bare";
import { createResource } from "../creator";
import { inLanes, numbersBelow } from "../lanes";
import type { Row } from "../row";
import { median } from "../statistics";
import { cpuOf, memoryOf } from "../usage";

/** Gives work a provider process that is started as a user's engine does, and the time at which it was. */
async function withProvider<Result>(
  { apiUrl, apiKey }: TestPlatform,
  work: (server: ProviderServer, began: number) => Promise<Result>,
): Promise<Result> {
  const { folder } = await installation();
  const config = { "neon:apiUrl": apiUrl, "neon:apiKey": apiKey };
  const engine = await EngineLog.start();
  const began = performance.now();
  const server = await ProviderServer.start({ config, folder, engine, isProcess: true });
  try {
    return await work(server, began);
  } finally {
    await server.stop();
    engine.stop();
  }
}

interface Start {
  readonly wall: number;
  readonly cpu: number;
}

/** What a process takes until it has answered its first call. */
function start(platform: TestPlatform, inputs: Values): Promise<Start> {
  return withProvider(platform, async (server, began) => {
    await server.check("Project", {}, inputs);
    return { wall: performance.now() - began, cpu: cpuOf(server.pid) };
  });
}

/** The mebibytes that a process has in memory after it has created so many resources. */
function memoryAfter(platform: TestPlatform, count: number, create: Create): Promise<number> {
  return withProvider(platform, async (server) => {
    // As many at a time as the engine creates by default on four cores.
    await inLanes(16, numbersBelow(count), (index) => create(server, index));
    return memoryOf(server.pid).now;
  });
}
type Create = (server: ProviderServer, index: number) => Promise<unknown>;

export const providerProcess: Row = {
  name: "provider-process",
  title: "The provider process",
  compares: `Pulumi's dynamic-provider process with this package, and with a provider of one line that returns its inputs. Start-up
is the time from the start of the process until it has answered its first \`check\`, that of a new project, the median of 15 starts which alternate.
Memory is the resident set after 500 branches with computes in five projects were created, or 500 resources of that provider,
16 at a time; the median of three processes. The packages are installed as a user has them.`,
  measuresTime: true,
  measure: async (run) => {
    const platform = await startTestPlatform({ operationTime: "0" });
    try {
      const starts: { own: Start; bare: Start }[] = [];
      const inputs = { name: "home" };
      for (let count = 0; count < run.size(15, 1); count += 1) {
        const bare = await start(platform, { ...inputs, __provider: bareProvider });
        starts.push({ bare, own: await start(platform, inputs) });
      }
      run.say("memory");
      const memory: { own: number; bare: number }[] = [];
      const count = run.size(500, 5);
      for (let round = 0; round < run.size(3, 1); round += 1) {
        const homes: unknown[] = [];
        const make: Create = async (server, index) => {
          homes[index % 5] ??= createResource(server, "Project", { name: `home-${round}-${index % 5}` });
          const { outputs } = (await homes[index % 5]) as { outputs: Values };
          const { projectId } = outputs;
          return await createResource(server, "Branch", { projectId, name: `pr-${index}`, compute: {} });
        };
        const makeBare: Create = (server, index) =>
          createResource(server, "Branch", { __provider: bareProvider, name: `pr-${index}`, compute: {} });
        memory.push({
          own: await memoryAfter(platform, count, make),
          bare: await memoryAfter(platform, count, makeBare),
        });
      }
      const own = (of: (start: Start) => number): number => median(starts.map((each) => of(each.own)));
      const bare = (of: (start: Start) => number): number => median(starts.map((each) => of(each.bare)));
      const [ownMemory, bareMemory] = [median(memory.map((each) => each.own)), median(memory.map((each) => each.bare))];
      return {
        figures: [
          {
            title: "provider process above the SDK's own: start-up",
            value: own(({ wall }) => wall) - bare(({ wall }) => wall),
            unit: "ms",
            atMost: 120,
          },
          {
            title: `provider process above the SDK's own: memory at ${count} resources`,
            value: ownMemory - bareMemory,
            unit: "MB",
            atMost: 60,
          },
        ],
        comparison: {
          heads: ["process", "start-up", "CPU time of it", "memory"],
          lines: [
            ["with this package", own, ownMemory] as const,
            ["with a provider of one line", bare, bareMemory] as const,
          ].map(([name, of, mebibytes]) => [
            name,
            `${of(({ wall }) => wall).toFixed(0)} ms`,
            `${of(({ cpu }) => cpu).toFixed(0)} ms`,
            `${mebibytes.toFixed(0)} MB`,
          ]),
        },
      };
    } finally {
      await platform.close();
    }
  },
};

const importing = `
const times = ["@pulumi/pulumi", "neon-pulumi"].map((name) => {
  const began = [performance.now(), process.cpuUsage()];
  require(name);
  const { user, system } = process.cpuUsage(began[1]);
  return [performance.now() - began[0], (user + system) / 1000];
});
console.log(JSON.stringify(times));
`;

export const importCost: Row = {
  name: "import",
  title: "The import of the package",
  compares: `A process requires \`@pulumi/pulumi\`, then \`neon-pulumi\`, as installed from the packed package: the time of the second
\`require\`. Medians of 15 processes.`,
  measuresTime: true,
  measure: async (run) => {
    const { folder } = await installation();
    const file = join(folder, "import.cjs");
    writeFileSync(file, importing);
    const all: [[number, number], [number, number]][] = [];
    for (let count = 0; count < run.size(15, 1); count += 1) {
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
      all.push(JSON.parse(stdout) as (typeof all)[number]);
    }
    const of = (index: 0 | 1, member: 0 | 1): number => median(all.map((times) => times[index][member]));
    return {
      figures: [
        { title: '`import "neon-pulumi"` above `import "@pulumi/pulumi"`', value: of(1, 0), unit: "ms", atMost: 80 },
      ],
      comparison: {
        heads: ["package", "time", "CPU time"],
        lines: ([0, 1] as const).map((index) => [
          ["`@pulumi/pulumi`", "`neon-pulumi`, after it"][index] ?? "",
          `${of(index, 0).toFixed(0)} ms`,
          `${of(index, 1).toFixed(0)} ms`,
        ]),
      },
    };
  },
};
