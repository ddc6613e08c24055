import assert from "node:assert/strict";

import { afterEach, beforeEach } from "mocha";

import { Gate } from "./gate";
import { accountOf, changesBetween, objectsOf } from "./account";
import { Folders, type Place } from "./place";
import type { ProviderServer } from "./provider-server";
import { EngineLog } from "./engine-log";
import { EngineResource } from "./engine";
import type { Stage } from "./stage";

/**
 * Runs of several stacks, machines and people on one stage. Each run has provider processes of its own, which end as the
 * engine ends them.
 */
export class StackRuns {
  readonly folders = Folders.linked();
  /** The base URL in the configuration of the stacks. Default: the platform's own. */
  apiUrl: string | undefined;
  readonly #stage: Stage;
  readonly #servers = new Set<ProviderServer>();
  readonly #gates: Gate[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The first place with some differences. */
  place(other: Partial<Place> = {}): Place {
    return { ...this.folders.place(this.#stage.platform.apiKey), ...other };
  }

  /** Starts a proxy between the platform and the provider processes that start from now on. */
  async gate(): Promise<Gate> {
    const gate = await Gate.before(this.#stage.platform.apiUrl);
    this.#gates.push(gate);
    this.apiUrl = gate.apiUrl;
    return gate;
  }

  /** Starts a provider process. Those of one run have the same engine. */
  async start(place: Place = this.place(), engine?: EngineLog): Promise<ProviderServer> {
    const { home, backend, folder, apiKey } = place;
    const environment = { PULUMI_BACKEND_URL: backend };
    const config = { apiKey, ...(this.apiUrl === undefined ? {} : { apiUrl: this.apiUrl }) };
    const server = await this.#stage.anotherServer({ config, home, folder, environment, engine });
    this.#servers.add(server);
    return server;
  }

  /** Runs a function with resources in one provider process, and ends the run normally. */
  async run<Result>(
    resources: readonly EngineResource[],
    work: () => Promise<Result>,
    place = this.place(),
  ): Promise<Result> {
    return await this.#run([resources], work, place);
  }

  /** Runs a function with resources that have a provider process each, and ends the run normally. */
  async runApart<Result>(resources: readonly EngineResource[], work: () => Promise<Result>): Promise<Result> {
    return await this.#run(
      resources.map((resource) => [resource]),
      work,
      this.place(),
    );
  }

  async #run<Result>(
    groups: readonly (readonly EngineResource[])[],
    work: () => Promise<Result>,
    place: Place,
  ): Promise<Result> {
    const engine = new EngineLog();
    try {
      const servers = await Promise.all(groups.map(() => this.start(place, engine)));
      for (const [index, server] of servers.entries()) {
        for (const resource of groups[index] ?? []) resource.server = server;
      }
      const result = await work();
      for (const server of servers) await this.end(server);
      return result;
    } finally {
      engine.stop();
    }
  }

  /** Ends a process: by default as the engine does at the end of a run. */
  async end(server: ProviderServer, signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    this.#servers.delete(server);
    await server.stop(signal);
  }

  /**
   * The changes of a function in the whole account, and in those of others: one line for each object or its changed members,
   * without the parts of objects that were added or removed as a whole.
   */
  async changesBy(work: () => Promise<unknown>, others: readonly string[] = []): Promise<readonly string[]> {
    const { platform } = this.#stage;
    const keys = [platform.apiKey, ...others];
    const accounts = await Promise.all(keys.map((key) => accountOf(platform, key)));
    const before = await objectsOf(platform, accounts);
    await work();
    const changes = changesBetween(before, await objectsOf(platform, accounts));
    return changes
      .filter(({ path }) => !changes.some((other) => path.startsWith(`${other.path}/`)))
      .map(({ path, is, members }) => [is, path, ...members].join(" "))
      .sort();
  }

  /** The changes of a run, in the form of {@link changesBy}. */
  changesByRun(
    resources: readonly EngineResource[],
    work: () => Promise<unknown>,
    place?: Place,
  ): Promise<readonly string[]> {
    return this.changesBy(() => this.run(resources, work, place));
  }

  /** Ends all processes and proxies. */
  async stop(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.stop()));
    await Promise.all(this.#gates.map((gate) => gate.close()));
    this.folders.remove();
  }

  /** Ends the runs and deletes the projects: the next test compares the whole account. */
  async close(): Promise<void> {
    await this.stop();
    const { platform } = this.#stage;
    await platform.clearFaults();
    const { body } = await platform.call("GET", "/projects?limit=400");
    await Promise.all(body.projects.map(({ id }) => platform.call("DELETE", `/projects/${id}`)));
  }
}

/** Runs for each test of the calling suite. */
export function suiteRuns(stage: () => Stage): () => StackRuns {
  let runs: StackRuns | undefined;
  beforeEach(() => {
    runs = new StackRuns(stage());
  });
  afterEach(() => runs?.close());
  return () => {
    assert.ok(runs, "no test has begun yet");
    return runs;
  };
}

/** A resource with its state under another logical name, as after a rename with an alias. */
export function renamed(resource: EngineResource, name: string): EngineResource {
  const result = new EngineResource(resource.server, resource.kind, name);
  result.state = resource.state;
  return result;
}
