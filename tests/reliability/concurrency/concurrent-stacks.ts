import { NeonClient } from "../../../api/client";
import { isNotFound, messageOf } from "../../../api/core/errors";
import { projects as projectRequests } from "../../../api/schemas/project";
import { startTestPlatform } from "../../support/platform";
import { ProviderServer } from "../../support/provider-server";
import type { Judged } from "../campaign";
import { createdObjectsByAuditor, disagreementTexts } from "../created-objects";
import { Colleague } from "./colleague";
import { EngineStack, type Outcome } from "./engine-stack";
import { type Program, randomProgram } from "./program";
import { trafficOf } from "./traffic";

export interface Result extends Judged {
  readonly counts: Readonly<Record<string, number>>;
}

/** Stacks that work at the same time. */
export interface ConcurrentStacks {
  /** How many stacks there are, each with its own provider process. */
  readonly stacks: number;
  /** How many resources each stack has. */
  readonly resources: number;
  /**
   * How many of them are projects. 0: all stacks share one project, without a rate limit. Otherwise, they share the
   * platform's real rate limit of one account.
   */
  readonly projects: number;
  /** How many people send plain requests to the shared project. Default: 0. */
  readonly colleagues?: number;
  /** How many programs read data sources all the time, each with its own share of the rate limit. Default: 0. */
  readonly readers?: number;
  readonly operationTime: string;
  readonly draw: () => number;
}

/** Creates the resources of several stacks at the same time, updates some of them, and deletes all. */
export async function concurrentStacks(options: ConcurrentStacks): Promise<Result> {
  const { draw, operationTime, resources, projects, readers = 0 } = options;
  const isOneProject = projects === 0;
  const platform = await startTestPlatform({ operationTime, seed: String(draw()), rateLimit: !isOneProject });
  const orgId = await platform.firstOrganization();
  const homes = isOneProject ? [(await platform.project({ name: "home", org_id: orgId })).project.id] : [];
  const colleagues = homes.flatMap((home) =>
    Array.from(
      { length: options.colleagues ?? 0 },
      (_, number) => new Colleague(platform, home, `colleague-${number}`, draw),
    ),
  );
  const config = { "neon:apiUrl": platform.apiUrl, "neon:apiKey": platform.apiKey, "neon:orgId": orgId };
  const servers = await Promise.all(Array.from({ length: options.stacks }, () => ProviderServer.start({ config })));
  const failures: string[] = [];
  const over = new AbortController();
  const began = performance.now();
  try {
    const before = await createdObjectsByAuditor(platform);
    await platform.clearRequests();
    const stacks = servers.map(
      (server, number) =>
        new EngineStack(server, randomProgram({ prefix: `s${number}`, homes, projects, resources, draw })),
    );
    const reads = Promise.all(
      Array.from({ length: readers }, () => readAllTheTime(new NeonClient(platform), orgId, over.signal)),
    );
    void reads.catch((error: unknown) => failures.push(`reading: ${messageOf(error)}`));
    const together = async (phase: string, act: (stack: EngineStack) => Promise<Outcome>): Promise<void> => {
      const stop = new AbortController();
      const others = Promise.all(colleagues.map((colleague) => colleague.work(stop.signal)));
      const outcomes = await Promise.all(stacks.map(act));
      stop.abort();
      await others;
      for (const { name, reason } of outcomes.flatMap((outcome) => outcome.failures)) {
        failures.push(`${phase} of ${name}: ${reason}`);
      }
      const owners = [before, ...stacks.map(({ objects }) => objects), ...colleagues.map(({ has }) => has)];
      for (const one of disagreementTexts(await createdObjectsByAuditor(platform), owners))
        failures.push(`${phase}: ${one}`);
    };
    await together("create", (stack) => stack.up());
    const programs = stacks.map(({ program }) => program);
    failures.push(...madeTwice(programs, (await trafficOf(platform)).made));
    const updated = isOneProject ? 0.5 : 0.2;
    const later = new Set(programs.flat().flatMap(({ name }) => (draw() < updated ? name : [])));
    await together("update", (stack) => stack.up(later));
    await together("delete", (stack) => stack.destroy());
    const seconds = (performance.now() - began) / 1_000;
    over.abort();
    await reads.catch(() => undefined);
    const { requests, limited, busy } = await trafficOf(platform);
    if (servers.length + readers === 1 && limited > 0) failures.push(`${limited} requests met a 429`);
    if (!isOneProject && busy > 0) failures.push(`${busy} requests met a 423`);
    return {
      counts: {
        resources: options.stacks * resources,
        "changes by hand": colleagues.reduce((sum, { changes }) => sum + changes, 0),
        requests,
        "429 answers": limited,
        "423 answers": busy,
        seconds,
      },
      problems: failures,
    };
  } finally {
    over.abort();
    await Promise.all(servers.map((server) => server.stop()));
    await platform.close();
  }
}

/** Reads as a program with data sources does that never ends. */
async function readAllTheTime(client: NeonClient, orgId: string, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      for await (const { id } of client.list(projectRequests.list({ orgId }), { signal })) {
        await client.send(projectRequests.get(id), { signal });
      }
    } catch (error) {
      // A project can be deleted after it was listed and before it is read.
      if (!isOver() && !isNotFound(error)) throw error;
    }
  }
}

/** The kinds by the end of the path that creates them. */
const nouns = { Project: "projects", Branch: "branches", Endpoint: "endpoints", Role: "roles", Database: "databases" };

/** Objects that were created more or less often than there are resources. */
export function madeTwice(programs: readonly Program[], made: Readonly<Record<string, number>>): string[] {
  return Object.entries(nouns).flatMap(([kind, noun]) => {
    const wanted = programs.flat().filter((declared) => declared.kind === kind).length;
    const count = made[noun] ?? 0;
    return count === wanted ? [] : [`${count} ${noun} were made for ${wanted} resources`];
  });
}
