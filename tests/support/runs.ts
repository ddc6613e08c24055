import { Ground } from "../reliability/refactoring/place";
import { accountOf, changesBetween, objectsOf, type Account, type Change } from "../reliability/refactoring/account";
import { DynamicServer } from "./dynamic-server";
import type { EngineLog } from "./engine-log";
import { EngineResource } from "./engine";
import type { Stage } from "./stage";

/** Where a run takes place, and with whose key. */
export interface RunPlace {
  /** Pulumi's home folder. */
  readonly home: string;
  /** The URL of the backend. */
  readonly backend: string;
  /** The program's folder. */
  readonly folder: string;
  readonly apiKey: string;
}

/**
 * Runs of several stacks, machines and people on one stage. Each run has provider processes of its own, which end as the
 * engine ends them.
 */
export class Runs {
  readonly ground = Ground.linked();
  readonly #stage: Stage;
  readonly #servers = new Set<DynamicServer>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The first place, with what is different in another one. */
  place(other: Partial<RunPlace> = {}): RunPlace {
    const { ground } = this;
    return {
      home: ground.folder("home"),
      backend: ground.backend("first"),
      folder: ground.folder("program"),
      apiKey: this.#stage.platform.apiKey,
      ...other,
    };
  }

  /** Another person's machine. */
  elsewhere(): RunPlace {
    const { ground } = this;
    return this.place({
      home: ground.folder("second-home"),
      backend: ground.backend("second"),
      folder: ground.folder("second-program"),
    });
  }

  /** Starts a provider process. Those of one run have the same engine. */
  async start({ home, backend, folder, apiKey }: RunPlace, engine?: EngineLog): Promise<DynamicServer> {
    const server = await DynamicServer.start({
      config: { "neon:apiKey": apiKey, "neon:apiUrl": this.#stage.platform.apiUrl },
      home,
      folder,
      environment: {
        PULUMI_BACKEND_URL: backend,
        NODE_OPTIONS: `--require=${require.resolve("../reliability/refactoring/unneeded")}`,
      },
      ...(engine === undefined ? {} : { engine }),
    });
    this.#servers.add(server);
    return server;
  }

  /** Has a run of one provider process do this with resources, and ends it normally. */
  async run<Result>(
    place: RunPlace,
    resources: readonly EngineResource[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const server = await this.start(place);
    for (const resource of resources) resource.server = server;
    const result = await work();
    await this.end(server);
    return result;
  }

  /** Ends a process: as the engine does when a run is over, unless it is killed. */
  async end(server: DynamicServer, signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    this.#servers.delete(server);
    await server.stop(signal);
  }

  /** What has changed in the whole account by this, and in those of others. */
  async changesBy(work: () => Promise<unknown>, others: readonly string[] = []): Promise<readonly Change[]> {
    const { platform } = this.#stage;
    const keys = [platform.apiKey, ...others];
    const accounts: readonly Account[] = await Promise.all(keys.map((key) => accountOf(platform, key)));
    const before = await objectsOf(platform, accounts);
    await work();
    return changesBetween(before, await objectsOf(platform, accounts));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.stop()));
    this.ground.remove();
  }
}

/** A resource with its state under another logical name: what an alias makes of it. */
export function renamed(resource: EngineResource, name: string): EngineResource {
  const result = new EngineResource(resource.server, resource.kind, name);
  result.state = resource.state;
  return result;
}
