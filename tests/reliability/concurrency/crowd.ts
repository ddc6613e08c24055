import { PlatformClient } from "../../../api/client";
import { projects as projectRequests } from "../../../api/schemas/project";
import { isNotFound, messageOf } from "../../../api/errors";
import { DynamicServer } from "../../support/dynamic-server";
import { startTestPlatform } from "../../support/platform";
import { EngineStack, type Outcome } from "./engine-stack";
import { auditorKey, disagreements, inventoryOf, inventoryOfState } from "./inventory";
import { madeTwice } from "./neighbours";
import { randomProgram } from "./program";
import type { Result } from "./result";
import { trafficOf } from "./traffic";

/** Who shares the rate limit of one account. */
export interface Crowd {
  /** Provider processes, each with a stack of its own. */
  readonly processes: number;
  /** How many resources each stack has, and how many of them are projects. */
  readonly resources: number;
  readonly projects: number;
  /** How many programs read data sources all the time, each with a share of its own. */
  readonly readers: number;
  readonly operationTime: string;
  readonly draw: () => number;
}

/** Many resources at the same time under the platform's real rate limit: made, changed in part, removed. */
export async function crowd(options: Crowd): Promise<Result> {
  const { draw, operationTime } = options;
  const platform = await startTestPlatform({ operationTime, seed: String(draw()), rateLimit: true });
  const auditor = await auditorKey(platform);
  const config = {
    "neon:apiUrl": platform.apiUrl,
    "neon:apiKey": platform.apiKey,
    "neon:orgId": await platform.firstOrganization(),
  };
  const servers = await Promise.all(Array.from({ length: options.processes }, () => DynamicServer.start({ config })));
  const failures: string[] = [];
  const over = new AbortController();
  const began = performance.now();
  try {
    const stacks = servers.map(
      (server, number) => new EngineStack(server, randomProgram({ ...options, prefix: `s${number}`, homes: [] })),
    );
    const reads = Promise.all(
      Array.from({ length: options.readers }, () => readAllTheTime(platform, config["neon:orgId"], over.signal)),
    );
    void reads.catch((error: unknown) => failures.push(`reading: ${messageOf(error)}`));
    const together = async (phase: string, act: (stack: EngineStack) => Promise<Outcome>): Promise<void> => {
      for (const { name, reason } of (await Promise.all(stacks.map(act))).flatMap((outcome) => outcome.failures)) {
        failures.push(`${phase} of ${name}: ${reason}`);
      }
      const there = await inventoryOf(platform, auditor);
      for (const one of disagreements(there, stacks.map(inventoryOfState))) failures.push(`${phase}: ${one}`);
    };
    await together("create", (stack) => stack.up());
    failures.push(
      ...madeTwice(
        stacks.map(({ program }) => program),
        (await trafficOf(platform)).made,
      ),
    );
    const later = new Set(stacks.flatMap(({ program }) => program.flatMap(({ name }) => (draw() < 0.2 ? name : []))));
    await together("update", (stack) => stack.up(later));
    await together("delete", (stack) => stack.destroy());
    const seconds = (performance.now() - began) / 1_000;
    over.abort();
    await reads.catch(() => undefined);
    const { requests, limited, busy } = await trafficOf(platform);
    if (servers.length + options.readers === 1 && limited > 0) failures.push(`${limited} requests met a 429`);
    if (busy > 0) failures.push(`${busy} requests met a 423`);
    return {
      counts: {
        resources: options.processes * options.resources,
        requests,
        "429 answers": limited,
        "423 answers": busy,
        seconds,
      },
      failures,
    };
  } finally {
    over.abort();
    await Promise.all(servers.map((server) => server.stop()));
    await platform.close();
  }
}

/** What a program with data sources does, as if it never ended. */
async function readAllTheTime(
  platform: { readonly apiUrl: string; readonly apiKey: string },
  orgId: string,
  signal: AbortSignal,
): Promise<void> {
  const client = new PlatformClient(platform);
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      for await (const { id } of client.list(projectRequests.list({ orgId }), { signal })) {
        await client.send(projectRequests.get(id), { signal });
      }
    } catch (error) {
      // What was listed can be deleted before it is read.
      if (!isOver() && !isNotFound(error)) throw error;
    }
  }
}
