import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { installation } from "../../package/installation";
import { fileAsset } from "../../support/contents";
import { doors, type Door } from "../../support/door";
import { EngineResource } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import type { ProviderServer, Values } from "../../support/provider-server";
import type { Stack } from "../../support/stack";
import { bareProvider, branchesProgram, memoryOf, projectsProgram, timeOf, withStack } from "../cli";
import { createResource, withProvider } from "../creator";
import { inLanes, numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { mean, median } from "../statistics";

const names = { dynamic: "dynamic provider", plugin: "plugin" };
const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;

type ByDoor<Value> = Readonly<Record<Door, Value>>;

async function byDoor<Value>(measure: (door: Door) => Promise<Value>): Promise<ByDoor<Value>> {
  const values: Partial<Record<Door, Value>> = {};
  for (const door of doors) values[door] = await measure(door);
  return values as ByDoor<Value>;
}

/** The medians of rounds in which each way is measured once, in turn. */
async function medians<Name extends string>(
  rounds: number,
  round: () => Promise<Readonly<Record<Name, number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const all: Readonly<Record<Name, number>>[] = [];
  while (all.length < rounds) all.push(await round());
  const ways = Object.keys(all[0] ?? {}) as Name[];
  return Object.fromEntries(ways.map((way) => [way, median(all.map((one) => one[way]))])) as Record<Name, number>;
}

type Create = (server: ProviderServer, index: number) => Promise<unknown>;

/** The mebibytes that a process has in memory after it has created so many resources, as many at a time as the engine on four cores. */
async function memoryAfter(server: ProviderServer, count: number, create: Create): Promise<number> {
  await inLanes(16, numbersBelow(count), (index) => create(server, index));
  return memoryOf(server.pid).now;
}

/** Creates branches with computes, evenly in so many new projects. */
function branchesIn(projects: number): Create {
  const homes: Promise<{ readonly outputs: Values }>[] = [];
  return async (server, index) => {
    const home = (homes[index % projects] ??= createResource(server, "Project", { name: `home-${index % projects}` }));
    const { projectId } = (await home).outputs;
    await createResource(server, "Branch", { projectId, name: `pr-${index}`, compute: {} });
  };
}

/** The figures of the package as a user has it, and of a provider of one line. */
export const providerProcess: Row = {
  name: "provider-process",
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const { folder } = await installation();
      const start = (inputs: Values): Promise<number> =>
        withProvider(
          platform,
          async (server, began) => {
            await server.check("Project", {}, inputs);
            return performance.now() - began;
          },
          { folder },
        );
      const bare = { name: "home", __provider: bareProvider };
      const started = await medians(run.size(15, 1), async () => ({
        bare: await start(bare),
        own: await start({ name: "home" }),
      }));
      run.say("memory");
      const count = run.size(500, 5);
      const after = (create: Create): Promise<number> =>
        withProvider(platform, (server) => memoryAfter(server, count, create), { folder });
      const createBare: Create = (server, index) =>
        createResource(server, "Branch", { __provider: bareProvider, name: `pr-${index}`, compute: {} });
      const memory = await medians(run.size(3, 1), async () => ({
        own: await after(branchesIn(5)),
        bare: await after(createBare),
      }));
      return {
        figures: [
          {
            title: "provider process above the SDK's own: start-up",
            value: started.own - started.bare,
            unit: "ms",
            atMost: 120,
          },
          {
            title: `provider process above the SDK's own: memory at ${count} resources`,
            value: memory.own - memory.bare,
            unit: "MB",
            atMost: 60,
          },
        ],
        comparison: {
          heads: ["process", "start-up", "memory"],
          lines: [
            ["with this package", milliseconds(started.own), megabytes(memory.own)],
            ["with a provider of one line", milliseconds(started.bare), megabytes(memory.bare)],
          ],
        },
      };
    }),
};

/** Milliseconds of the first `up` of so many projects. */
async function firstUp(run: Run, platform: TestPlatform, door: Door): Promise<number> {
  const up = async (stack: Stack): Promise<number> => {
    const time = await timeOf(() => stack.up());
    await stack.destroy();
    return time;
  };
  return await withStack(projectsProgram(run.size(100, 1)), platform, up, door);
}

/** Milliseconds of an `up` that finds no change, and the bytes of a branch in the state. */
async function unchangedUp(run: Run, door: Door) {
  const program = branchesProgram(run.size(500, 1), run.size(5, 1));
  const measured = async (stack: Stack) => {
    await stack.up();
    const times: number[] = [];
    while (times.length < run.size(5, 1)) times.push(await timeOf(() => stack.up()));
    const branches = stack.everyResource().filter(({ type }) => type.endsWith(":Branch"));
    // The SDK adds these members for debuggers.
    const texts = branches.map((one) => JSON.stringify({ ...one, stackTrace: undefined, sourcePosition: undefined }));
    return { time: median(times), bytes: mean(texts.map((text) => Buffer.byteLength(text))) };
  };
  return await withPlatformProcess(["--operation-time", "0"], ({ platform }) =>
    withStack(program, platform, measured, door),
  );
}

export const plugin: Row = {
  name: "plugin",
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const started = await medians(run.size(11, 1), () =>
        byDoor((door) =>
          timeOf(() => withProvider(platform, (server) => server.check("Project", {}, { name: "home" }), { door })),
        ),
      );
      run.say("memory");
      const memory = await byDoor((door) =>
        withProvider(platform, (server) => memoryAfter(server, run.size(500, 3), branchesIn(1)), { door }),
      );
      run.say("up");
      const first = await byDoor((door) => firstUp(run, platform, door));
      const unchanged = await byDoor((door) => unchangedUp(run, door));
      const times = { dynamic: unchanged.dynamic.time, plugin: unchanged.plugin.time };
      const ratio = (of: ByDoor<number>): number => of.plugin / of.dynamic;
      return {
        figures: [
          { title: "plugin ÷ dynamic provider: start-up", value: ratio(started), unit: "×", atMost: 0.6 },
          { title: "plugin ÷ dynamic provider: memory", value: ratio(memory), unit: "×", atMost: 0.7 },
          { title: "plugin ÷ dynamic provider: unchanged `up` of 500", value: ratio(times), unit: "×", atMost: 0.85 },
          { title: "plugin ÷ dynamic provider: `up` of 100 projects", value: ratio(first), unit: "×", atMost: 0.8 },
          ...doors.map((door) => ({
            title: `${names[door]}: state of a branch with a compute`,
            value: unchanged[door].bytes,
            unit: "bytes" as const,
            atMost: { dynamic: 2_300, plugin: 1_600 }[door],
          })),
        ],
        comparison: {
          heads: ["provider", "start-up", "memory", "unchanged `up` of 500", "`up` of 100 projects"],
          lines: doors.map((door) => [
            names[door],
            milliseconds(started[door]),
            megabytes(memory[door]),
            seconds(times[door]),
            seconds(first[door]),
          ]),
        },
      };
    }),
};

/** Mebibytes of a provider process before it uploads a file, and at most while it does. */
async function uploaded(door: Door, platform: TestPlatform, path: string) {
  const { project, branch } = await platform.project({ name: `upload-${door}` });
  const at = { projectId: project.id, branchId: branch.id, bucketName: "files" };
  await platform.call("POST", `/projects/${project.id}/branches/${branch.id}/buckets`, { name: "files" });
  return await withProvider(
    platform,
    async (server) => {
      const object = new EngineResource(server, "BucketObject", "large");
      await server.check("Project", {}, { name: "home" });
      const idle = memoryOf(server.pid).now;
      await object.up({ ...at, source: fileAsset(path) });
      if (object.outputs["size"] !== statSync(path).size) throw new Error("the object has another size than its file");
      return { idle, most: memoryOf(server.pid).most };
    },
    { door },
  );
}

export const upload: Row = {
  name: "upload",
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-bench-"));
      try {
        const path = join(folder, "large");
        writeFileSync(path, "");
        // Zeros, of which the disk holds nothing.
        truncateSync(path, run.size(1024, 16) * 2 ** 20);
        const used = await byDoor((door) => uploaded(door, platform, path));
        return {
          figures: doors.map((door) => ({
            title: `upload of an object of 1 GB, ${names[door]}: memory above that of the idle process`,
            value: used[door].most - used[door].idle,
            unit: "MB",
            atMost: 60,
          })),
        };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
};

const importing = `
require("@pulumi/pulumi");
const began = performance.now();
require("neon-pulumi");
console.log(performance.now() - began);
`;

export const importCost: Row = {
  name: "import",
  measure: async (run) => {
    const { folder } = await installation();
    const file = join(folder, "import.cjs");
    writeFileSync(file, importing);
    const times: number[] = [];
    while (times.length < run.size(15, 1)) {
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
      times.push(Number(stdout));
    }
    const title = '`import "neon-pulumi"` above `import "@pulumi/pulumi"`';
    return { figures: [{ title, value: median(times), unit: "ms", atMost: 80 }] };
  },
};
