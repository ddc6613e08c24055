import assert from "node:assert/strict";

import type { Branch, Endpoint, Project } from "@neondatabase/api-client";
import { after, before, it } from "mocha";

import { type Clock, systemClock } from "../../platform/clock";
import type { LoggedRequest } from "../../platform/http/request-log";
import type { KindName } from "../../provider/frozen-entry";
import { ProviderServer, type ProviderServerOptions, type Values } from "./provider-server";
import { type Door } from "./door";
import { EngineResource } from "./engine";
import { HurriedClock } from "./hurried-clock";
import { startTestPlatform, type TestPlatform } from "./platform";
import { suite } from "./suite";

/** Options of a stage. */
export interface StageOptions {
  /** The door of the provider. Default: that of the suite. */
  readonly door?: Door | undefined;
  /** Whether a provider process is started with the platform. Default: true. */
  readonly isServed?: boolean;
  readonly operationTime?: string;
  /** The platform's clock. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** The data folder of the platform. Default: in memory. */
  readonly data?: string;
  /** Settings of the provider, without their namespace. The stage adds the account. */
  readonly config?: Readonly<Record<string, string>>;
  /** Pulumi's home, which contains the claims of a run. Default: a new one for each server. */
  readonly home?: string;
  /** More of the environment of the provider. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A mutation, with the status of its response. */
export interface Sent {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number | null;
}

/** A mutation without its status. A request without a body has no `body`. */
export type SentBy = Omit<Sent, "status" | "body"> & Partial<Pick<Sent, "body">>;

let names = 0;

/** A local platform and a provider that uses it. */
export class Stage {
  readonly platform: TestPlatform;
  readonly #server: ProviderServer | undefined;
  readonly #runs: ProviderServer[] = [];

  readonly #clock: HurriedClock | undefined;

  private constructor(platform: TestPlatform, server: ProviderServer | undefined, clock: HurriedClock | undefined) {
    this.platform = platform;
    this.#server = server;
    this.#clock = clock;
  }

  static async start(options: StageOptions = {}): Promise<Stage> {
    const { isServed = true, clock, ...others } = options;
    const usual = others.data === undefined ? new HurriedClock() : undefined;
    const hurried = clock instanceof HurriedClock ? clock : clock === undefined ? usual : undefined;
    const platform = await startPlatform({ ...others, clock: clock ?? hurried });
    return new Stage(
      platform,
      isServed ? await startServer(platform, { ...others, clock: hurried }) : undefined,
      hurried,
    );
  }

  /** The time of the platform and of the providers in this process, in milliseconds since 1970. */
  now(): number {
    return (this.#clock ?? systemClock).now();
  }

  get server(): ProviderServer {
    assert.ok(this.#server, "this stage has no provider process");
    return this.#server;
  }

  /** Starts another provider process for the same account. */
  async anotherServer(options: ServerOptions = {}): Promise<ProviderServer> {
    return startServer(this.platform, { door: this.#server?.door, clock: this.#clock, ...options });
  }

  /** Continues a resource in another run, with a new provider process. */
  async nextRun(resource: EngineResource, options: ServerOptions = {}): Promise<EngineResource> {
    resource.server = await this.anotherServer(options);
    this.#runs.push(resource.server);
    return resource;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#runs.map((server) => server.stop()));
    await this.#server?.stop();
    await this.platform.close();
  }

  /** A name that is unique on this stage. */
  name(prefix: string): string {
    names += 1;
    return `${prefix}-${String(names).padStart(4, "0")}`;
  }

  /** A resource of this stage's provider that is not in the state yet. */
  resource(kind: KindName, name: string = this.name(kind.toLowerCase())): EngineResource {
    return this.resourceOf(this.server, kind, name);
  }

  /** A resource of another provider process that is not in the state yet. */
  resourceOf(server: ProviderServer, kind: KindName, name: string = this.name(kind.toLowerCase())): EngineResource {
    return new EngineResource(server, kind, name);
  }

  /** Creates a project outside of any state, and waits until it is ready. */
  async project(body: Values = {}): Promise<{ readonly id: string; readonly branchId: string; readonly name: string }> {
    const { project, branch } = await this.platform.project({ name: this.name("shop"), ...body });
    return { id: project.id, branchId: branch.id, name: project.name };
  }

  /** Creates a branch outside of any state, and waits until it is ready. */
  async branch(projectId: string, body: Values = {}): Promise<Branch> {
    // A change can end before its operations do: enabling Realtime suspends the computes of the project.
    await this.settled(projectId);
    const { body: made, status } = await this.platform.call("POST", `/projects/${projectId}/branches`, body);
    assert.equal(status, 201, made.message);
    await this.settled(projectId);
    return made.branch;
  }

  /** Creates a snapshot of a branch outside of any state, and returns its id. */
  async snapshot(projectId: string, branchId: string): Promise<string> {
    const path = `/projects/${projectId}/branches/${branchId}/snapshot`;
    const { body, status } = await this.platform.call("POST", path);
    assert.equal(status, 200, body.message);
    await this.settled(projectId);
    return body.snapshot.id;
  }

  /** Waits until no operation of a project is in progress. */
  async settled(projectId: string): Promise<void> {
    await this.platform.settled(projectId);
  }

  async projects(name: string): Promise<{ readonly id: string; readonly name: string }[]> {
    const { body } = await this.platform.call("GET", `/projects?limit=400&search=${encodeURIComponent(name)}`);
    return body.projects.filter((project) => project.name === name);
  }

  /** The ids of all projects with a resource's name, or of all branches in its project except the default one, as in a state. */
  async objects(resource: EngineResource, args: Values): Promise<string[]> {
    const { projectId, name = resource.name } = args as { readonly projectId?: string; readonly name?: string };
    if (projectId === undefined) return (await this.projects(name)).map(({ id }) => id);
    return (await this.branches(projectId)).filter((branch) => !branch.default).map(({ id }) => `${projectId}/${id}`);
  }

  async projectOf(projectId: string): Promise<Project> {
    return (await this.platform.call("GET", `/projects/${projectId}`)).body.project;
  }

  async branches(projectId: string): Promise<Branch[]> {
    return (await this.platform.call("GET", `/projects/${projectId}/branches?limit=1000`)).body.branches;
  }

  async computes(projectId: string, branchId: string): Promise<Endpoint[]> {
    return (await this.platform.call("GET", `/projects/${projectId}/branches/${branchId}/endpoints`)).body.endpoints;
  }

  /** The requests after the one with this number, whose path or body contains a text. */
  async requests(text = "", after = 0): Promise<LoggedRequest[]> {
    const stands = ({ path, body }: LoggedRequest): boolean =>
      path.includes(text) || (body !== undefined && JSON.stringify(body).includes(text));
    return (await this.platform.requests(after)).filter(stands);
  }

  /** The mutations among these requests. */
  async sent(text = "", after = 0): Promise<Sent[]> {
    return (await this.requests(text, after))
      .filter(({ method, path }) => method !== "GET" && method !== "HEAD" && !path.endsWith("/reveal"))
      .map(({ method, path, body, status }) => ({ method, path: path.replace("/api/v2", ""), body, status }));
  }

  /** The mutations of a step whose path or body contains a text. */
  async sentBy(text: string, step: () => Promise<unknown>): Promise<SentBy[]> {
    const before = await this.platform.latestRequest();
    await step();
    const sent = await this.sent(text, before);
    return sent.map(({ method, path, body }) => ({ method, path, ...(body === undefined ? {} : { body }) }));
  }
}

/** A stage for the calling suite: started before its tests, stopped after them. */
export function suiteStage(options: StageOptions = {}): () => Stage {
  return suite(
    () => Stage.start(options),
    (stage) => stage.stop(),
  );
}

/** Another provider process for the calling suite, such as that of a later run. */
export function suiteServer(stage: () => Stage, options: Omit<StageOptions, "clock"> = {}): () => ProviderServer {
  return suite(
    () => stage().anotherServer(options),
    (server) => server.stop(),
  );
}

/** Declares a test. */
export type Declare = (title: string, test: () => Promise<void>) => void;

/**
 * How many tests run at the same time. With more, the requests of one can wait for those of all others until its client gives up,
 * depending on the machine.
 */
const lanes = 10;

/**
 * An `it` for tests that mostly wait. Tests of the same one run at the same time, and each passes or fails on
 * its own. No test may touch the objects of another one.
 */
export function concurrently(): Declare {
  const tests: (() => Promise<void>)[] = [];
  const runs: Promise<void>[] = [];
  before(() => {
    for (const test of tests) {
      // The test that awaits a run reports its failure.
      const free = runs.at(-lanes)?.catch(() => undefined);
      runs.push(free === undefined ? test() : free.then(test));
      runs.at(-1)?.catch(() => undefined);
    }
  });
  return (title, test) => {
    const index = tests.push(test) - 1;
    it(title, () => runs[index]);
  };
}

/**
 * An `it` for tests with faults, which hit the next request on their platform. The tests run on some stages at the
 * same time, and on each stage one after the other.
 */
export function onStages(
  count: number,
  options: StageOptions = {},
): (title: string, test: (stage: Stage) => Promise<void>) => void {
  /** The stages, each as a promise that resolves when the stage is free. */
  let stages: Promise<Stage>[] = [];
  before(() => {
    stages = Array.from({ length: count }, () => Stage.start(options));
  });
  const declare = concurrently();
  after(async () => {
    const started = await Promise.allSettled(stages);
    await Promise.all(started.map(async (stage) => "value" in stage && (await stage.value.stop())));
  });
  let declared = 0;
  return (title, test) => {
    const lane = declared % count;
    declared += 1;
    declare(title, async () => {
      const stage = stages[lane];
      assert.ok(stage);
      const run = stage.then(test);
      stages[lane] = run
        .catch(() => undefined)
        .then(async () => {
          const { platform } = await stage;
          await platform.clearFaults();
          await platform.clearRequests();
          return stage;
        });
      // If a stage cannot be started, all tests of its lane report that.
      stages[lane].catch(() => undefined);
      await run;
    });
  };
}

function startPlatform({ operationTime = "5ms-20ms", data, clock }: StageOptions): Promise<TestPlatform> {
  return startTestPlatform({
    operationTime,
    ...(data === undefined ? {} : { data }),
    ...(clock === undefined ? {} : { clock }),
  });
}

/** Options of another provider process of a stage. */
type ServerOptions = Pick<StageOptions, "door" | "config" | "home" | "environment"> &
  Omit<ProviderServerOptions, "config">;

function startServer(platform: TestPlatform, { config, ...options }: ServerOptions): Promise<ProviderServer> {
  const { apiKey, apiUrl } = platform;
  return ProviderServer.start({ ...options, config: { apiKey, apiUrl, ...config } });
}
