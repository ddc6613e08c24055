import assert from "node:assert/strict";

import { before, beforeEach } from "mocha";

import { type Answer, type AnswerBody, suitePlatform } from "../../support/platform";
import { ManualPlatformClock } from "../../support/platform-clock";
import type { PlatformOptions } from "../../../platform/index";
import { second } from "./time";

/** A project whose operations have finished. */
export type ProjectFixture = Awaited<ReturnType<ReturnType<typeof suiteProjects>["project"]>>;

/** For a suite: a platform with a manual clock, on which operations take one second, and its projects. */
export function suiteProjects(options: PlatformOptions = {}) {
  const clock = new ManualPlatformClock();
  const platform = suitePlatform({ clock, operationTime: "1s", ...options });
  const finish = (): void => {
    clock.advance(10 * second);
  };
  const project = async (input: object = {}) => {
    const { status, body: created } = await platform().call("POST", "/projects", { project: input });
    assert.equal(status, 201, created.message);
    finish();
    const { id } = created.project;
    const endpointId = created.endpoints[0]?.id ?? "";
    const call = (method: string, path = "", body?: unknown): Promise<Answer> =>
      platform().call(method, `/projects/${id}${path}`, body);
    const send = async (method: string, path?: string, body?: unknown): Promise<Answer> => {
      const response = await call(method, path, body);
      finish();
      return response;
    };
    const done = async (method: string, path?: string, body?: unknown): Promise<AnswerBody> => {
      const response = await send(method, path, body);
      assert.ok(response.status < 300, `${method} ${path ?? ""}: ${JSON.stringify(response.body)}`);
      return response.body;
    };
    return {
      id,
      /** The response to the creation. */
      created,
      /** The default branch. */
      main: created.branch,
      /** The compute of the default branch. */
      endpointId,
      /** Sends a request below `/projects/{id}`. */
      call,
      /** Sends a request and lets the operations finish. */
      send,
      /** Sends a request that must succeed, lets the operations finish, and returns the body. */
      done,
      /** Creates a branch. */
      branch: (body: object = {}) => done("POST", "/branches", body),
      getBranch: async (branchId: string) => (await call("GET", `/branches/${branchId}`)).body.branch,
      getEndpoint: async (one = endpointId) => (await call("GET", `/endpoints/${one}`)).body.endpoint,
    };
  };
  return {
    clock,
    platform,
    /** Lets the operations in progress finish. */
    finish,
    project,
    /** Keeps operations of an action from ending while a function runs, and then lets them finish. */
    whileStuck: async (action: string, work: () => Promise<void>) => {
      await platform().fault({ action, end: "stuck" });
      await work();
      await platform().clearFaults();
      finish();
    },
    /** A time, in milliseconds from now, as the platform writes it. */
    time: (milliseconds = 0) => `${new Date(clock.now() + milliseconds).toISOString().slice(0, 19)}Z`,
  };
}

/** For a suite: one project, and a branch with an active compute for each test. */
export function suiteComputes() {
  const suite = suiteProjects();
  const own = {} as { fixture: ProjectFixture; branchId: string; endpointId: string };
  before(async () => {
    own.fixture = await suite.project();
  });
  beforeEach(async () => {
    const { branch, endpoints } = await own.fixture.branch({ endpoints: [{ type: "read_write" }] });
    own.branchId = branch.id;
    own.endpointId = endpoints[0]?.id ?? "";
  });
  return { ...suite, own };
}
