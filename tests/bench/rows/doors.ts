import { doors, type Door } from "../../support/door";
import { EngineLog } from "../../support/engine-log";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import { withPlugin } from "../../support/plugin";
import { ProviderServer, type Values } from "../../support/provider-server";
import { Stack } from "../../support/stack";
import { branchesProgram, projectsProgram, timeOf, withStack } from "../cli";
import { createResource } from "../creator";
import { inLanes, numbersBelow } from "../lanes";
import type { Row } from "../row";
import { mean, median } from "../statistics";
import { memoryOf } from "../usage";

/** The same of each door. */
type ByDoor<Value> = Readonly<Record<Door, Value>>;

export async function byDoor<Value>(measure: (door: Door) => Promise<Value>): Promise<ByDoor<Value>> {
  const values: Partial<Record<Door, Value>> = {};
  for (const door of doors) values[door] = await measure(door);
  return values as ByDoor<Value>;
}

/** Gives work a provider process that is started as a user's engine does. */
export async function withProvider<Result>(
  door: Door,
  { apiUrl, apiKey }: TestPlatform,
  work: (server: ProviderServer) => Promise<Result>,
): Promise<Result> {
  const engine = await EngineLog.start();
  const config = { "neon:apiUrl": apiUrl, "neon:apiKey": apiKey };
  const server = await ProviderServer.start({ door, config, engine, isProcess: true });
  try {
    return await work(server);
  } finally {
    await server.stop();
    engine.stop();
  }
}

/** A stack of the same program at a door, without what tests preload. */
async function stackAt(door: Door, program: string, platform: TestPlatform): Promise<Stack> {
  const stack = await Stack.create({ program, platform, project: door === "plugin" ? withPlugin : {} });
  stack.environment["NODE_OPTIONS"] = `--require=${require.resolve("../../support/javascript-program")}`;
  return stack;
}

/** Milliseconds from the start of a process until it has answered its first call. */
const start = (door: Door, platform: TestPlatform): Promise<number> =>
  timeOf(() => withProvider(door, platform, (server) => server.check("Project", {}, { name: "home" })));

/** Mebibytes of a process that has created so many branches. */
const memory = (door: Door, platform: TestPlatform, count: number): Promise<number> =>
  withProvider(door, platform, async (server) => {
    const { outputs } = (await createResource(server, "Project", { name: `home-${door}` })) as { outputs: Values };
    const { projectId } = outputs;
    await inLanes(16, numbersBelow(count), (index) =>
      createResource(server, "Branch", { projectId, name: `pr-${index}`, compute: {} }),
    );
    return memoryOf(server.pid).now;
  });

/** Bytes of a branch in the state, as compact JSON without what the SDK adds for debuggers. */
function stateOf(stack: Stack): number {
  const branches = stack.everyResource().filter(({ type }) => type.endsWith(":Branch"));
  return mean(
    branches.map((one) =>
      Buffer.byteLength(JSON.stringify({ ...one, stackTrace: undefined, sourcePosition: undefined })),
    ),
  );
}

export const plugin: Row = {
  name: "plugin",
  title: "The provider plugin and the dynamic provider",
  compares: `The same program with the plugin and with the dynamic provider. Start-up is the time from the start of a process until it has answered its first
\`check\` and ended, the median of 11 which alternate. Memory is the resident set after 500 branches with computes were created in one
project. The \`up\` without a change is one of 500 branches in five projects, the median of 5 which alternate; the first \`up\`
creates 100 projects without operation time. The state is that of a branch with a compute, as in [state](#the-size-of-the-state).`,
  measuresTime: true,
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const starts: ByDoor<number>[] = [];
      for (let count = 0; count < run.size(11, 1); count += 1)
        starts.push(await byDoor((door) => start(door, platform)));
      run.say("memory");
      const most = await byDoor((door) => memory(door, platform, run.size(500, 3)));
      run.say("up");
      const first = await byDoor(async (door) => {
        const stack = await stackAt(door, projectsProgram(run.size(100, 1)), platform);
        return await withStack(stack, async () => {
          const time = await timeOf(() => stack.up());
          await stack.destroy();
          return time;
        });
      });
      const program = branchesProgram(run.size(500, 1), run.size(5, 1));
      const stacks = await byDoor((door) => stackAt(door, program, platform));
      const ups: ByDoor<number>[] = [];
      await byDoor((door) => stacks[door].up());
      for (let count = 0; count < run.size(5, 1); count += 1) {
        ups.push(await byDoor((door) => timeOf(() => stacks[door].up())));
      }
      const states = await byDoor((door) => Promise.resolve(stateOf(stacks[door])));
      for (const door of doors) await stacks[door].remove();

      const medians = (of: readonly ByDoor<number>[]): ByDoor<number> => ({
        dynamic: median(of.map(({ dynamic }) => dynamic)),
        plugin: median(of.map((one) => one.plugin)),
      });
      const [started, unchanged] = [medians(starts), medians(ups)];
      const ratio = (of: ByDoor<number>): number => of.plugin / of.dynamic;
      const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
      return {
        figures: [
          { title: "plugin ÷ dynamic provider: start-up", value: ratio(started), unit: "×", atMost: 0.6 },
          { title: "plugin ÷ dynamic provider: memory", value: ratio(most), unit: "×", atMost: 0.7 },
          {
            title: "plugin ÷ dynamic provider: unchanged `up` of 500",
            value: ratio(unchanged),
            unit: "×",
            atMost: 0.85,
          },
          { title: "plugin ÷ dynamic provider: `up` of 100 projects", value: ratio(first), unit: "×", atMost: 0.8 },
          { title: "plugin: state of a branch with a compute", value: states.plugin, unit: "bytes", atMost: 1_600 },
        ],
        comparison: {
          heads: [
            "provider",
            "start-up",
            "memory",
            "unchanged `up` of 500",
            "`up` of 100 projects",
            "state of a branch",
          ],
          lines: doors.map((door) => [
            door === "dynamic" ? "dynamic provider" : "plugin",
            `${started[door].toFixed(0)} ms`,
            `${most[door].toFixed(0)} MB`,
            seconds(unchanged[door]),
            seconds(first[door]),
            `${states[door].toFixed(0)} bytes`,
          ]),
        },
      };
    }),
};
