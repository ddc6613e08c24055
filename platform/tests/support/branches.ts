import assert from "node:assert/strict";

import { type Answer, type AnswerBody, suitePlatform, type TestPlatform } from "../../../tests/support/platform";
import { ManualPlatformClock } from "../../../tests/support/platform-clock";
import { second } from "./time";

/** The branches of a project that is ready. */
export interface BranchesFixture {
  readonly id: string;
  readonly main: AnswerBody["branch"];
  /** Sends a request below `/projects/{id}/branches`. */
  readonly call: (method: string, path?: string, body?: unknown) => Promise<Answer>;
  /** Creates a branch and waits until it is ready. */
  readonly branch: (body?: object) => Promise<AnswerBody>;
  readonly get: (branchId: string) => Promise<AnswerBody["branch"]>;
  readonly named: (name: string) => Promise<AnswerBody["branch"] | undefined>;
  /** The actions of the operations in a response, each with the id of its branch. */
  readonly actions: (response: Answer) => string[];
}

/** For a suite: a platform with a manual clock, on which operations take one second. */
export function suiteBranches(): {
  readonly clock: ManualPlatformClock;
  readonly platform: () => TestPlatform;
  readonly project: (input?: object) => Promise<BranchesFixture>;
  readonly now: () => string;
} {
  const clock = new ManualPlatformClock();
  const platform = suitePlatform({ clock, operationTime: "1s" });
  const project = async (input: object = {}): Promise<BranchesFixture> => {
    const { body: created } = await platform().call("POST", "/projects", { project: input });
    clock.advance(10 * second);
    const { id } = created.project;
    const call = (method: string, path = "", body?: unknown): Promise<Answer> =>
      platform().call(method, `/projects/${id}/branches${path}`, body);
    return {
      id,
      main: created.branch,
      call,
      branch: async (body = {}) => {
        const response = await call("POST", "", body);
        assert.equal(response.status, 201, response.body.message);
        clock.advance(10 * second);
        return response.body;
      },
      get: async (branchId) => (await call("GET", `/${branchId}`)).body.branch,
      named: async (name) => (await call("GET", `?search=${name}`)).body.branches.find((one) => one.name === name),
      actions: ({ body }) => body.operations.map(({ action, branch_id }) => `${action} ${branch_id ?? ""}`),
    };
  };
  return { clock, platform, project, now: () => new Date(clock.now()).toISOString() };
}
