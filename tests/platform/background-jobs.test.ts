import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { type ProjectFixture, suiteProjects } from "./support/project";
import { assertError, assertMembers } from "./support/responses";
import { withPlatform } from "./support/running";
import { day, hour, second } from "./support/time";

/** The actions of the operations of a project, oldest first. */
const actions = async ({ call }: ProjectFixture) =>
  (await call("GET", "/operations")).body.operations.map(({ action }) => action).reverse();
const state = async ({ getEndpoint }: ProjectFixture) => (await getEndpoint()).current_state;
const suspendAfter = (seconds: number) => ({ default_endpoint_settings: { suspend_timeout_seconds: seconds } });

describe("local platform: background jobs with --background", () => {
  const { clock, project } = suiteProjects({ background: true });
  const born = ["create_timeline", "start_compute"];
  /** The time since the operations of a new project have finished. */
  const settled = 8 * second;

  it("suspends a compute that is inactive for its timeout, by default 5 minutes [1.1.4; 1.5 suspend compute]", async () => {
    const standard = await project();
    clock.advance(299 * second - settled);
    assert.equal(await state(standard), "active");
    clock.advance(second);
    assert.deepEqual(await actions(standard), [...born, "suspend_compute"]);
    assert.equal((await standard.call("POST", "/branches", {})).status, 423);
    clock.advance(second);
    assert.equal(await state(standard), "idle");
    const own = await project(suspendAfter(60));
    clock.advance(61 * second - settled);
    assert.equal(await state(own), "idle");
    const never = await project(suspendAfter(-1));
    clock.advance(hour / 2);
    assert.equal(await state(never), "active");
  });

  it("checks the availability of branches with a compute every hour [1.5 check availability; 1.5 action values]", async () => {
    const created = await project(suspendAfter(-1));
    await created.call("POST", "/branches", {});
    clock.advance(hour - 1.5 * second - settled);
    assert.deepEqual((await actions(created)).slice(4), ["check_availability"]);
    assert.equal((await created.call("POST", "/branches", {})).status, 423);
    clock.advance(hour);
    assert.equal((await actions(created)).length, 6);
  });

  it("waits for operations in progress", async () => {
    const created = await project(suspendAfter(60));
    clock.advance(59.5 * second - settled);
    assert.equal((await created.call("POST", "/branches", {})).status, 201);
    clock.advance(0.7 * second);
    assert.equal((await actions(created)).length, 4);
    clock.advance(60 * second);
    assert.equal(await state(created), "idle");
  });
});

describe("local platform: background jobs without --background", () => {
  const { clock, project } = suiteProjects();

  it("does not suspend inactive computes", async () => {
    const created = await project();
    clock.advance(3 * day);
    assert.equal(await state(created), "active");
    assert.equal((await actions(created)).length, 2);
  });

  it("counts the usage of computes and suspends them when a quota is used up", async () => {
    const created = await project({
      default_endpoint_settings: { autoscaling_limit_min_cu: 0.5 },
      settings: { quota: { active_time_seconds: 3600 } },
    });
    const { call, endpointId } = created;
    const act = (action: string) => call("POST", `/endpoints/${endpointId}/${action}`);
    clock.advance(992 * second);
    await act("suspend");
    clock.advance(second);
    assertMembers((await call("GET")).body.project, { active_time_seconds: 1001, compute_time_seconds: 500 });
    await act("start");
    clock.advance(2600 * second);
    assert.equal(await state(created), "active");
    clock.advance(2 * second);
    assert.equal(await state(created), "idle");
    assertError(await act("start"), 422, /./, "COMPUTE_TIME_EXCEEDED");
    await call("PATCH", "", { project: { settings: { quota: { active_time_seconds: 0 } } } });
    assert.equal((await act("start")).status, 200);
  });

  it("sets no timer when no job is due", async () => {
    const quiet = new ManualPlatformClock();
    await withPlatform({ clock: quiet, operationTime: "1s" }, async (running) => {
      assert.equal(quiet.waiting, 0);
      await running.call("POST", "/projects", { project: {} });
      assert.equal(quiet.waiting, 1);
      quiet.advance(10 * second);
      assert.equal(quiet.waiting, 0);
    });
  });
});
