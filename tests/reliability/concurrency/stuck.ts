import { ProviderServer } from "../../support/provider-server";
import { startTestPlatform } from "../../support/platform";
import { createdObjectsByAuditor, disagreementTexts } from "../created-objects";
import type { Result } from "./concurrent-stacks";
import { EngineStack } from "./engine-stack";
import { larger, randomProgram, small, type Declared, type Program } from "./program";
import { trafficOf } from "./traffic";

/** Which operation gets stuck, and what else is running. */
export interface Stuck {
  /** Which operation of the resource does not end. */
  readonly operation: keyof typeof verbs;
  /** How long the operations of one change may take, in seconds; longer, if the machine is too busy to tell. */
  readonly timeout: number;
  /** How many others wait for the same project. */
  readonly followers: number;
  /** How many resources there are in other projects. */
  readonly others: number;
  /** Whether the operation comes free while others still wait for it, or only when all have given up. */
  readonly comesFree: boolean;
  readonly operationTime: string;
  readonly draw: () => number;
}

/** The operations that can be stuck, with the verb that they belong to. */
const verbs = {
  create_branch: "create",
  start_compute: "create",
  apply_config: "update",
  delete_timeline: "delete",
} as const;

/** How much a busy machine may add to a time, in milliseconds, in addition to the time of the others. */
const slack = 10_000;
/** A timeout that no machine is too busy for, in seconds. */
const longestTimeout = 120;

/**
 * One operation of one project does not end. Its resource fails, those behind it wait or fail, and all others succeed.
 *
 * The others have to be done before the timeout. On a busy machine they can take longer although they do not wait for the
 * operation, so the scenario is repeated with a longer timeout. If they do wait for it, no timeout is long enough.
 */
export async function stuck(options: Stuck): Promise<Result> {
  for (let { timeout } = options; ; timeout *= 4) {
    const { slowest, ...result } = await scenario({ ...options, timeout });
    if (slowest <= timeout * 1_000 || timeout >= longestTimeout) return result;
  }
}

/** @returns also the time of the slowest of the others, in milliseconds */
async function scenario(options: Stuck): Promise<Result & { readonly slowest: number }> {
  const { draw, operation, operationTime, timeout, comesFree } = options;
  const verb = verbs[operation];
  const platform = await startTestPlatform({ operationTime, seed: String(draw()) });
  const org_id = await platform.firstOrganization();
  const [home = "", ...elsewhere] = await Promise.all(
    [0, 1, 2, 3].map(async (number) => (await platform.project({ name: `home-${number}`, org_id })).project.id),
  );
  const homes = await createdObjectsByAuditor(platform);
  const server = await ProviderServer.start({
    config: {
      "neon:apiUrl": platform.apiUrl,
      "neon:apiKey": platform.apiKey,
      "neon:operationTimeout": `${timeout}s`,
    },
  });
  const failures: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) failures.push(what);
  };
  const began = performance.now();
  try {
    const one: Declared = {
      kind: "Branch",
      name: "stuck",
      args: { projectId: home, compute: small },
      later: { compute: larger },
    };
    const held = new EngineStack(server, [one]);
    const queue: Program = Array.from({ length: options.followers }, (_, number) => ({
      kind: "Branch",
      name: `behind-${number}`,
      args: { projectId: home, ...(draw() < 0.5 ? { compute: small } : {}) },
      later: {},
    }));
    const behind = new EngineStack(server, queue);
    const mix = { prefix: "other", homes: elsewhere, projects: 0, resources: options.others, draw };
    const others = new EngineStack(server, randomProgram(mix));
    if (verb !== "create") await held.up();

    await platform.fault({ action: operation, times: 1, end: "stuck" });
    const later = new Set(verb === "update" ? ["stuck"] : []);
    const first = verb === "delete" ? held.destroy() : held.up(later);
    const isHeld = async (): Promise<boolean> => {
      const path = `/projects/${home}/operations?limit=20`;
      const { body } = await platform.call("GET", path, undefined, { headers: { "x-request-id": "looking" } });
      return body.operations.some((one) => `${one.action} ${one.status}` === `${operation} running`);
    };
    while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 20));

    const patient = comesFree ? { timeouts: { create: "10m" } } : {};
    const queued = behind.up(new Set(), () => patient);
    const around = await others.up();
    expect(around.failures.length === 0, `elsewhere: ${JSON.stringify(around.failures)}`);
    const slowest = around.failures.length === 0 ? Math.max(...around.done.values()) : Infinity;
    expect(slowest <= timeout * 1_000, `elsewhere it took ${slowest} ms: as long as what is stuck`);

    const { failures: given } = await first;
    const [failure] = given;
    expect(failure !== undefined, `${operation} was stuck, and nothing has failed`);
    if (failure !== undefined) {
      expect(failure.after >= timeout * 1_000, `${operation} was given up after ${failure.after} ms`);
      expect(failure.after <= timeout * 1_000 + slack + slowest, `${operation} was held for ${failure.after} ms`);
      expect(
        failure.reason.includes(operation) && /Timed out after .* is running/.test(failure.reason),
        `the reason is not clear: ${failure.reason}`,
      );
    }
    if (comesFree) {
      // The resources behind it have received 423.
      while ((await trafficOf(platform)).busy === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      await platform.clearFaults();
    }
    const { failures: refused, done } = await queued;
    if (comesFree) {
      expect(refused.length === 0, `behind it: ${JSON.stringify(refused)}`);
      expect(done.size === queue.length, `${done.size} of ${queue.length} behind it were done`);
    } else {
      for (const { name, reason } of refused) {
        expect(/423/.test(reason), `${name} has failed with another reason: ${reason}`);
      }
      expect(refused.length === queue.length, `${refused.length} of ${queue.length} behind it have given up`);
      await platform.clearFaults();
    }

    const again = verb === "delete" ? await held.destroy() : await held.up(later);
    expect(again.failures.length === 0, `the next run: ${JSON.stringify(again.failures)}`);
    const rest = await behind.up(new Set(), () => patient);
    expect(rest.failures.length === 0, `the next run of those behind: ${JSON.stringify(rest.failures)}`);
    const owners = [homes, ...[held, behind, others].map(({ objects }) => objects)];
    failures.push(...disagreementTexts(await createdObjectsByAuditor(platform), owners));
    const { requests, limited, busy } = await trafficOf(platform);
    const resources = 1 + options.followers + options.others;
    const seconds = (performance.now() - began) / 1_000;
    const counts = { resources, requests, "429 answers": limited, "423 answers": busy, seconds };
    return { counts, problems: failures, slowest };
  } finally {
    await server.stop();
    await platform.close();
  }
}
