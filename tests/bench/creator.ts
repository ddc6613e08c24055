import type { Operation } from "@neondatabase/api-client";
import { randomUUID } from "node:crypto";

import type { KindName } from "../../provider/frozen-entry";
import { type Door, urnOf } from "../support/door";
import { EngineLog } from "../support/engine-log";
import { ProviderServer, type Values } from "../support/provider-server";
import { startTestPlatform, type TestPlatform } from "../support/platform";

/** What is created, in this order. */
export const nouns = ["project", "branch", "role", "database"] as const;
export type Noun = (typeof nouns)[number];

/** A creation, from its beginning until its object is ready. In milliseconds since 1970, with fractions. */
export interface Step {
  readonly noun: Noun;
  readonly began: number;
  readonly ended: number;
}

/** Creates a project, a branch with a compute, a role and a database, as far as it can. */
export type Creator = (platform: TestPlatform) => Promise<readonly Step[]>;

/** Now, in milliseconds since 1970, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

export async function timed<Made>(steps: Step[], noun: Noun, create: () => Promise<Made>): Promise<Made> {
  const began = now();
  const made = await create();
  steps.push({ noun, began, ended: now() });
  return made;
}

export interface Times {
  readonly operationTime: string;
  readonly latencyMs: number;
  readonly seed: string;
}

/** Runs a program on a platform of its own, and compares each of its creations with its operations. */
export async function measured(creator: Creator, times: Times) {
  const platform = await startTestPlatform(times);
  try {
    const steps = await creator(platform);
    return await mutationsOf(platform, steps);
  } finally {
    await platform.close();
  }
}

export async function operationsByProject(platform: TestPlatform): Promise<(readonly Operation[])[]> {
  const { projects } = (await platform.call("GET", "/projects?limit=400")).body;
  return await Promise.all(
    projects.map(
      async ({ id }) => (await platform.call("GET", `/projects/${id}/operations?limit=1000`)).body.operations,
    ),
  );
}

/** How long operations of one project ran, in milliseconds by the platform's clock: one runs after the other. */
export function durationOf(operations: readonly Operation[]): number {
  return operations.reduce((sum, { total_duration_ms: duration }) => sum + duration, 0);
}

/** What the platform needed for each step: its requests by their times, and the operations that they started. In milliseconds. */
async function mutationsOf(platform: TestPlatform, steps: readonly Step[]) {
  const requests = await platform.requests();
  const operations = (await operationsByProject(platform)).flat();
  return steps.map((step) => {
    const { noun, began, ended } = step;
    const own = requests.filter(({ time }) => stepAt(time, steps) === step);
    const started = new Set(own.flatMap((request) => request.operations));
    if (started.size === 0) throw new Error(`the creation of the ${noun} has started no operation`);
    const floor = durationOf(operations.filter(({ id }) => started.has(id)));
    const wall = ended - began;
    // The platform rounds the duration of each operation.
    if (wall < floor - started.size) {
      throw new RangeError(`the creation of the ${noun} took ${wall} ms, less than its operations with ${floor} ms`);
    }
    return { noun, wall, operations: floor, requests: own.length };
  });
}

/** The step that sent a request: the last one that had begun. Times of requests have whole milliseconds, in which a step can end and the next one begin. */
export function stepAt(time: string, steps: readonly Step[]): Step | undefined {
  const at = Date.parse(time);
  const step = steps.findLast(({ began }) => Math.floor(began) <= at);
  return step !== undefined && at <= step.ended ? step : undefined;
}

/** Gives work a provider process that is started as a user's engine does. `folder` is where the package is installed. */
export async function withProvider<Result>(
  { apiUrl, apiKey }: Pick<TestPlatform, "apiUrl" | "apiKey">,
  work: (server: ProviderServer, began: number) => Promise<Result>,
  where: { readonly door?: Door; readonly folder?: string } = {},
): Promise<Result> {
  const engine = await EngineLog.start();
  const config = { "neon:apiUrl": apiUrl, "neon:apiKey": apiKey };
  const began = performance.now();
  const server = await ProviderServer.start({ config, engine, isProcess: true, ...where });
  try {
    return await work(server, began);
  } finally {
    await server.stop();
    engine.stop();
  }
}

/** Creates a resource as the engine does. */
export async function createResource(
  server: ProviderServer,
  kind: KindName,
  args: Values,
): Promise<{ readonly id: string; readonly inputs: Values; readonly outputs: Values }> {
  const { inputs, failures } = await server.check(kind, {}, args, { urn: urnOf(kind, randomUUID()) });
  if (failures.length > 0) throw new Error(`check ${kind}: ${JSON.stringify(failures)}`);
  return { inputs, ...(await server.create(kind, inputs)) };
}

/**
 * This package: Pulumi's dynamic-provider process, called as the engine calls it.
 *
 * @param rounds how often it creates everything; only the last round counts, the others are what the process has seen
 */
export function thisPackage(rounds = 1): Creator {
  return (platform) =>
    withProvider(platform, async (server) => {
      // Without inputs, the check fails before it sends anything: now the process has loaded the package.
      await server.check("Branch", {}, {});
      for (let round = 1; ; round += 1) {
        const steps: Step[] = [];
        const name = `home-${round}`;
        const { projectId } = (await timed(steps, "project", () => createResource(server, "Project", { name })))
          .outputs;
        const branch = { projectId, name: "pr", compute: {} };
        const { branchId } = (await timed(steps, "branch", () => createResource(server, "Branch", branch))).outputs;
        const at = { projectId, branchId, name: "app" };
        await timed(steps, "role", () => createResource(server, "Role", at));
        const database = { ...at, ownerName: "app" };
        await timed(steps, "database", () => createResource(server, "Database", database));
        if (round === rounds) return steps;
      }
    });
}
