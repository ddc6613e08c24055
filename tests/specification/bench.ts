import assert from "node:assert/strict";
import {
  type Attempt,
  type Branch,
  branches,
  type Endpoint,
  endpoints,
  type Operation,
  PlatformClient,
  type Project,
  projects,
} from "../../api/index";
import { isEnded } from "../../api/operations/status";
import type { PlatformOptions } from "../../platform/index";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { ManualPlatformClock } from "../support/platform-clock";
import { endless, LeapingClock } from "./leaping-clock";

/** What a project is born with. */
export interface NewProject {
  readonly project: Project;
  readonly branch: Branch;
  readonly endpoint: Endpoint;
  readonly operations: readonly Operation[];
}

/** A local platform and the client that talks to it over a real socket, in one time that passes at no cost. */
export class Bench {
  readonly platform: TestPlatform;
  readonly time: ManualPlatformClock;
  /** The clock of {@link client}. */
  readonly clock: LeapingClock;
  readonly client: PlatformClient;
  /** Every attempt of {@link client}. */
  readonly attempts: Attempt[] = [];

  constructor(platform: TestPlatform, time: ManualPlatformClock) {
    this.platform = platform;
    this.time = time;
    this.clock = new LeapingClock(time);
    this.client = new PlatformClient({
      apiKey: platform.apiKey,
      apiUrl: platform.apiUrl,
      clock: this.clock,
      attemptTimeout: endless,
      onAttempt: (attempt) => this.attempts.push(attempt),
    });
  }

  /** Another client of the same platform. */
  clientWith(apiKey: string, apiUrl = this.platform.apiUrl): PlatformClient {
    return new PlatformClient({ apiKey, apiUrl, clock: new LeapingClock(this.time), attemptTimeout: endless });
  }

  /** Lets the operations of a request come to their end, where a test is not about waiting. */
  settle(): void {
    this.time.advance(10_000);
  }

  /** A project whose operations have just begun. */
  async bornProject(): Promise<NewProject> {
    const { project, branch, endpoints: computes, operations } = await this.client.send(projects.create({}));
    const [endpoint] = computes;
    assert.ok(endpoint);
    return { project, branch, endpoint, operations };
  }

  /** A project that is ready. */
  async readyProject(): Promise<NewProject> {
    const born = await this.bornProject();
    this.settle();
    return born;
  }

  /** Begins a branch with a compute, or without one; of the default branch. */
  async bornBranch({ id }: Project, type?: "read_write"): Promise<{ branch: Branch; operations: Operation[] }> {
    return await this.client.send(branches.create(id, type === undefined ? {} : { endpoints: [{ type }] }));
  }

  /** A branch without a compute that is ready. */
  async readyBranch(project: Project): Promise<Branch> {
    const { branch } = await this.bornBranch(project);
    this.settle();
    return branch;
  }

  /** Starts, suspends or restarts a compute; answers the operations begun. */
  async act(project: Project, endpoint: Endpoint, action: "start" | "suspend" | "restart"): Promise<Operation[]> {
    return (await this.client.send(endpoints.act(project.id, endpoint.id, action))).operations;
  }

  /** Sends something as it is, without a client. */
  async raw(path: string, headers: Readonly<Record<string, string>>, method = "GET"): Promise<Response> {
    return await fetch(this.platform.apiUrl + path, { method, headers });
  }

  /** An answer as it comes over the wire, as JSON. */
  async wire<Shape>(path: string): Promise<Shape> {
    const response = await this.raw(path, { authorization: `Bearer ${this.platform.apiKey}` });
    assert.equal(response.status, 200);
    return (await response.json()) as Shape;
  }

  /** The operations of a project, newest first. */
  async operations({ id }: Project): Promise<Operation[]> {
    return (await this.wire<{ operations: Operation[] }>(`/projects/${id}/operations?limit=1000`)).operations;
  }

  /** An operation's status over time, without repetitions, from now until it has ended. */
  async statuses({ project_id, id }: Operation): Promise<string[]> {
    const seen: string[] = [];
    for (;;) {
      const { operation } = await this.wire<{ operation: Operation }>(`/projects/${project_id}/operations/${id}`);
      if (seen.at(-1) !== operation.status) seen.push(operation.status);
      if (isEnded(operation.status)) return seen;
      this.time.advance(200);
    }
  }

  /** What arrived while something was done, as `GET /path?query`. */
  async arrivalsDuring(work: () => Promise<unknown>): Promise<string[]> {
    await this.platform.clearRequests();
    await work();
    return (await this.platform.requests()).map(({ method, path }) => `${method} ${path.replace("/api/v2", "")}`);
  }
}

/** A bench for the suite that asks for it; operations take a second each unless the options say otherwise. */
export function suiteBench(options: PlatformOptions = {}): () => Bench {
  const time = new ManualPlatformClock();
  const platform = suitePlatform({ operationTime: "1s", ...options, clock: time });
  let bench: Bench | undefined;
  return () => (bench ??= new Bench(platform(), time));
}
