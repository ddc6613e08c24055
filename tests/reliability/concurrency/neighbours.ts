import { DynamicServer } from "../../support/dynamic-server";
import { startTestPlatform } from "../../support/platform";
import { Colleague } from "./colleague";
import { EngineStack, type Outcome } from "./engine-stack";
import { auditorKey, disagreements, inventoryOf, inventoryOfColleague, inventoryOfState } from "./inventory";
import { randomProgram, type Program } from "./program";
import type { Result } from "./result";
import { trafficOf } from "./traffic";

/** Who works on one project at the same time. */
export interface Neighbours {
  /** Stacks, each with a provider process of its own. */
  readonly stacks: number;
  /** How many resources each of them has. */
  readonly resources: number;
  /** People who send plain requests. */
  readonly colleagues: number;
  readonly operationTime: string;
  readonly draw: () => number;
}

/** Several stacks and several people change one project at the same time: made, changed, removed in part. */
export async function neighbours(options: Neighbours): Promise<Result> {
  const { draw, operationTime } = options;
  const platform = await startTestPlatform({ operationTime, seed: String(draw()) });
  const { project } = await platform.project({ name: "home", org_id: await platform.firstOrganization() });
  const auditor = await auditorKey(platform);
  const colleagues = Array.from(
    { length: options.colleagues },
    (_, number) => new Colleague(platform, platform.apiKey, project.id, `colleague-${number}`, draw),
  );
  const config = { "neon:apiUrl": platform.apiUrl, "neon:apiKey": platform.apiKey };
  const servers = await Promise.all(Array.from({ length: options.stacks }, () => DynamicServer.start({ config })));
  const failures: string[] = [];
  const began = performance.now();
  try {
    await platform.clearRequests();
    const stacks = servers.map((server, number) => {
      const mix = { prefix: `s${number}`, homes: [project.id], projects: 0, resources: options.resources, draw };
      return new EngineStack(server, randomProgram(mix));
    });
    const together = async (phase: string, act: (stack: EngineStack) => Promise<Outcome>): Promise<void> => {
      const stop = new AbortController();
      const others = Promise.all(colleagues.map((colleague) => colleague.work(stop.signal)));
      const outcomes = await Promise.all(stacks.map(act));
      stop.abort();
      await others;
      for (const { name, reason } of outcomes.flatMap((outcome) => outcome.failures)) {
        failures.push(`${phase} of ${name}: ${reason}`);
      }
      const owners = [
        new Set([`project ${project.id}`]),
        ...stacks.map(inventoryOfState),
        ...colleagues.map(inventoryOfColleague),
      ];
      for (const one of disagreements(await inventoryOf(platform, auditor), owners)) failures.push(`${phase}: ${one}`);
    };
    await together("create", (stack) => stack.up());
    failures.push(
      ...madeTwice(
        stacks.map(({ program }) => program),
        (await trafficOf(platform)).made,
      ),
    );
    const later = new Set(stacks.flatMap(({ program }) => program.flatMap(({ name }) => (draw() < 0.5 ? name : []))));
    await together("update", (stack) => stack.up(later));
    await together("delete", (stack) => stack.destroy());
    const { requests, limited, busy } = await trafficOf(platform);
    const seconds = (performance.now() - began) / 1_000;
    return {
      counts: {
        resources: options.stacks * options.resources,
        "changes by hand": colleagues.reduce((sum, { counts }) => sum + counts.changes, 0),
        requests,
        "429 answers": limited,
        "423 answers": busy,
        seconds,
      },
      failures,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await platform.close();
  }
}

/** The kinds by what the path ends in that makes one. */
const nouns = { Project: "projects", Branch: "branches", Endpoint: "endpoints", Role: "roles", Database: "databases" };

/** Objects that were made more or less often than there are resources. */
export function madeTwice(programs: readonly Program[], made: Readonly<Record<string, number>>): string[] {
  return Object.entries(nouns).flatMap(([kind, noun]) => {
    const wanted = programs.flat().filter((declared) => declared.kind === kind).length;
    const count = made[noun] ?? 0;
    return count === wanted ? [] : [`${count} ${noun} were made for ${wanted} resources`];
  });
}
