import assert from "node:assert/strict";

import { type Answer, type AnswerBody, suitePlatform, type TestPlatform } from "../../../tests/support/platform";
import { ManualPlatformClock } from "../../../tests/support/platform-clock";
import type { PlatformOptions } from "../../index";
import { second } from "./time";

/** A project whose operations have finished. */
export interface ProjectFixture {
  readonly id: string;
  /** The response to the creation. */
  readonly created: AnswerBody;
  /** The default branch. */
  readonly main: AnswerBody["branch"];
  /** The compute of the default branch. */
  readonly endpointId: string;
  /** Sends a request below `/projects/{id}`. */
  readonly call: (method: string, path?: string, body?: unknown) => Promise<Answer>;
  /** Sends a request and lets the operations finish. */
  readonly send: (method: string, path?: string, body?: unknown) => Promise<Answer>;
  /** Sends a request that must succeed, lets the operations finish, and returns the body. */
  readonly done: (method: string, path?: string, body?: unknown) => Promise<AnswerBody>;
  /** Creates a branch. */
  readonly branch: (body?: object) => Promise<AnswerBody>;
  readonly getBranch: (branchId: string) => Promise<AnswerBody["branch"]>;
  readonly getEndpoint: (endpointId?: string) => Promise<AnswerBody["endpoint"]>;
}

/** A platform with a manual clock, on which operations take one second. */
export interface ProjectSuite {
  readonly clock: ManualPlatformClock;
  readonly platform: () => TestPlatform;
  /** Lets the operations in progress finish. */
  readonly finish: () => void;
  readonly project: (input?: object) => Promise<ProjectFixture>;
  /** A time, in milliseconds from now, as the platform writes it. */
  readonly time: (milliseconds?: number) => string;
}

/** For a suite: a platform and its projects. */
export function suiteProjects(options: PlatformOptions = {}): ProjectSuite {
  const clock = new ManualPlatformClock();
  const platform = suitePlatform({ clock, operationTime: "1s", ...options });
  const finish = (): void => {
    clock.advance(10 * second);
  };
  const project = async (input: object = {}): Promise<ProjectFixture> => {
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
      created,
      main: created.branch,
      endpointId,
      call,
      send,
      done,
      branch: (body = {}) => done("POST", "/branches", body),
      getBranch: async (branchId) => (await call("GET", `/branches/${branchId}`)).body.branch,
      getEndpoint: async (one = endpointId) => (await call("GET", `/endpoints/${one}`)).body.endpoint,
    };
  };
  const time = (milliseconds = 0): string => `${new Date(clock.now() + milliseconds).toISOString().slice(0, 19)}Z`;
  return { clock, platform, finish, project, time };
}
