import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type AnswerBody, startTestPlatform, type TestPlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { day, hour, second } from "./support/time";

/** For a suite: a platform with a manual clock. */
function suiteWithClock(background: boolean) {
  const suite = {
    clock: new ManualPlatformClock(),
    platform: undefined as unknown as TestPlatform,
    call: (method: string, path: string, body?: unknown) => suite.platform.call(method, path, body),
    /** Creates a project and waits until it is ready. */
    project: async (input: object = {}): Promise<AnswerBody> => {
      const { body } = await suite.call("POST", "/projects", { project: input });
      suite.clock.advance(2 * second);
      return body;
    },
    actions: async ({ project }: AnswerBody) => {
      const { body } = await suite.call("GET", `/projects/${project.id}/operations`);
      return body.operations.map(({ action }) => action).reverse();
    },
    state: async ({ project, endpoints }: AnswerBody) => {
      const { body } = await suite.call("GET", `/projects/${project.id}/endpoints/${endpoints[0]?.id ?? ""}`);
      return body.endpoint.current_state;
    },
  };
  before(async () => {
    suite.platform = await startTestPlatform({ clock: suite.clock, operationTime: "1s", background });
  });
  after(async () => {
    await suite.platform.close();
  });
  return suite;
}

describe("local platform: background jobs with --background", () => {
  const { clock, call, project, actions, state } = suiteWithClock(true);
  const born = ["create_timeline", "start_compute"];

  it("suspends a compute that is inactive for its timeout, by default 5 minutes", async () => {
    const standard = await project();
    clock.advance(299 * second);
    assert.equal(await state(standard), "active");
    clock.advance(second);
    assert.deepEqual(await actions(standard), [...born, "suspend_compute"]);
    assert.equal((await call("POST", `/projects/${standard.project.id}/branches`, {})).status, 423);
    clock.advance(second);
    assert.equal(await state(standard), "idle");
    const own = await project({ default_endpoint_settings: { suspend_timeout_seconds: 60 } });
    clock.advance(61 * second);
    assert.equal(await state(own), "idle");
    const never = await project({ default_endpoint_settings: { suspend_timeout_seconds: -1 } });
    clock.advance(hour / 2);
    assert.equal(await state(never), "active");
  });

  it("checks the availability of branches with a compute every hour", async () => {
    const created = await project({ default_endpoint_settings: { suspend_timeout_seconds: -1 } });
    await call("POST", `/projects/${created.project.id}/branches`, {});
    clock.advance(hour - 1.5 * second);
    assert.deepEqual((await actions(created)).slice(3), ["check_availability"]);
    assert.equal((await call("POST", `/projects/${created.project.id}/branches`, {})).status, 423);
    clock.advance(hour);
    assert.equal((await actions(created)).length, 5);
  });

  it("waits for operations in progress", async () => {
    const created = await project({ default_endpoint_settings: { suspend_timeout_seconds: 60 } });
    const { platform } = { platform: await call("POST", `/projects/${created.project.id}/branches`, {}) };
    assert.equal(platform.status, 201);
    clock.advance(2 * second);
    assert.equal(await state(created), "active");
    clock.advance(60 * second);
    assert.equal(await state(created), "idle");
  });
});

describe("local platform: background jobs without --background", () => {
  const suite = suiteWithClock(false);
  const { clock, call, project, actions, state } = suite;

  it("does not suspend inactive computes", async () => {
    const created = await project();
    clock.advance(3 * day);
    assert.equal(await state(created), "active");
    assert.equal((await actions(created)).length, 2);
  });

  it("deletes expired branches with their computes", async () => {
    const { project: created } = await project();
    const path = `/projects/${created.id}/branches`;
    const expires_at = new Date(clock.now() + hour).toISOString();
    const { body } = await call("POST", path, { branch: { expires_at }, endpoints: [{ type: "read_write" }] });
    clock.advance(hour - 1);
    assert.equal((await call("GET", `${path}/${body.branch.id}`)).status, 200);
    clock.advance(second);
    assert.equal((await call("GET", `${path}/${body.branch.id}`)).status, 404);
    clock.advance(5 * second);
    const { body: kept } = await call("GET", `${path}?include_deleted=true`);
    assert.equal(kept.branches.find(({ id }) => id === body.branch.id)?.recovery?.deletion_method, "ttl");
  });

  it("deletes an expired branch only after the operations in progress", async () => {
    const { project: created } = await project();
    const path = `/projects/${created.id}/branches`;
    const expires_at = new Date(clock.now() + hour).toISOString();
    const { body } = await call("POST", path, { branch: { expires_at } });
    clock.advance(hour - second);
    await suite.platform.fault({ action: "create_branch", end: "stuck" });
    await call("POST", path, {});
    clock.advance(hour);
    assert.equal((await call("GET", `${path}/${body.branch.id}`)).status, 200);
    await suite.platform.clearFaults();
    clock.advance(second);
    assert.equal((await call("GET", `${path}/${body.branch.id}`)).status, 404);
  });

  it("removes deleted branches and projects after 7 days", async () => {
    const { project: created } = await project();
    const path = `/projects/${created.id}/branches`;
    const { body } = await call("POST", path, {});
    clock.advance(2 * second);
    await call("DELETE", `${path}/${body.branch.id}`);
    clock.advance(7 * day - second);
    const deleted = async () => (await call("GET", `${path}?include_deleted=true`)).body.branches.length;
    assert.equal(await deleted(), 2);
    clock.advance(second);
    assert.equal(await deleted(), 1);
    await call("DELETE", `/projects/${created.id}`);
    clock.advance(7 * day - second);
    const recoverable = async () =>
      (await call("GET", `/projects?recoverable=true&search=${created.id}`)).body.projects;
    assert.equal((await recoverable()).length, 1);
    clock.advance(second);
    assert.equal((await recoverable()).length, 0);
    assert.equal((await call("POST", `/projects/${created.id}/recover`)).status, 404);
  });

  it("counts the usage of computes and suspends them when a quota is used up", async () => {
    const created = await project({
      default_endpoint_settings: { autoscaling_limit_min_cu: 0.5 },
      settings: { quota: { active_time_seconds: 3600 } },
    });
    const path = `/projects/${created.project.id}`;
    const endpoint = `${path}/endpoints/${created.endpoints[0]?.id ?? ""}`;
    clock.advance(1000 * second);
    await call("POST", `${endpoint}/suspend`);
    clock.advance(second);
    const { body: used } = await call("GET", path);
    assert.equal(used.project.active_time_seconds, 1001);
    assert.equal(used.project.compute_time_seconds, 500);
    await call("POST", `${endpoint}/start`);
    clock.advance(2600 * second);
    assert.equal(await state(created), "active");
    clock.advance(2 * second);
    assert.equal(await state(created), "idle");
    const rejected = await call("POST", `${endpoint}/start`);
    assert.equal(rejected.status, 422);
    assert.equal(rejected.body.code, "COMPUTE_TIME_EXCEEDED");
    await call("PATCH", path, { project: { settings: { quota: { active_time_seconds: 0 } } } });
    assert.equal((await call("POST", `${endpoint}/start`)).status, 200);
  });

  it("sets no timer when no job is due", async () => {
    const quiet = new ManualPlatformClock();
    const platform = await startTestPlatform({ clock: quiet, operationTime: "1s" });
    try {
      assert.equal(quiet.waiting, 0);
      await platform.call("POST", "/projects", { project: {} });
      assert.equal(quiet.waiting, 1);
      quiet.advance(10 * second);
      assert.equal(quiet.waiting, 0);
    } finally {
      await platform.close();
    }
  });
});
