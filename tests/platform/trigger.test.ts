import type { Trigger } from "@neon/sdk";
import { describe, it } from "mocha";
import assert from "node:assert/strict";

import type { Answer } from "../support/platform";
import { answering, deployed } from "./support/function";
import { suiteProjects } from "./support/project";
import { assertError, assertMembers, valuesOf } from "./support/responses";

describe("local platform: triggers", () => {
  const { platform, project: newProject, finish, clock, time } = suiteProjects();

  /** A project with a function. */
  const project = async () => {
    const fixture = await newProject();
    const deploy = async (slug: string) => {
      await deployed(platform(), `/projects/${fixture.id}/branches/${fixture.main.id}/functions/${slug}`, {
        files: answering(slug),
      });
      finish();
    };
    await deploy("api");
    const path = (branchId = fixture.main.id, id = "") => `/branches/${branchId}/triggers${id && `/${id}`}`;
    const triggerOf = ({ body }: Answer) => body.trigger;
    const create = async (body: object): Promise<Trigger> => {
      const answer = await fixture.call("POST", path(), { function_slug: "api", ...body });
      assert.equal(answer.status, 201, answer.body.message);
      return triggerOf(answer);
    };
    const hourly = (name = "hourly", cron = "0 * * * *") => create({ type: "schedule", name, schedule: { cron } });
    const list = async (branchId?: string) => (await fixture.call("GET", path(branchId))).body.triggers;
    return { ...fixture, deploy, path, triggerOf, create, hourly, list };
  };
  const uploads = { type: "storage_object_created", name: "uploads", storage_object_created: { bucket_name: "b" } };

  it("a schedule is enabled, leads to the root, and is due at the next time that it names", async () => {
    const { call, path, hourly, triggerOf, list } = await project();
    const made = await hourly();
    assert.match(made.trigger_id, /^trigger-[0-9a-f-]{36}$/);
    const { trigger_id: id, version, ...rest } = made;
    const next = `${new Date(Math.floor(clock.now() / 3_600_000 + 1) * 3_600_000).toISOString().slice(0, 19)}Z`;
    assert.deepEqual(rest, {
      type: "schedule",
      function_slug: "api",
      name: "hourly",
      function_path: "/",
      schedule: { cron: "0 * * * *" },
      enabled: true,
      inherited: false,
      next_run_at: next,
    });
    assert.deepEqual(triggerOf(await call("GET", path(undefined, id))), made);
    assert.deepEqual(await list(), [made]);
    const off = triggerOf(await call("PATCH", path(undefined, id), { type: "schedule", enabled: false }));
    assert.ok(off.version > version);
    assert.deepEqual([off.enabled, off.type === "schedule" && off.next_run_at], [false, null]);
    assert.equal((await call("DELETE", path(undefined, id))).status, 204);
    assertError(await call("GET", path(undefined, id)), 404, /function trigger not visible on branch/);
    assertError(await call("DELETE", path(undefined, id)), 404, /function trigger not visible on branch/);
  });

  it("a trigger of uploads has no next run, and no prefix if all keys match", async () => {
    const { call, create, path, triggerOf } = await project();
    const made = await create({ ...uploads, storage_object_created: { bucket_name: "b", prefix: "" } });
    assert.deepEqual(made.type === "storage_object_created" && made.storage_object_created, { bucket_name: "b" });
    assert.ok(!("next_run_at" in made));
    const changes = { type: made.type, storage_object_created: { bucket_name: "c", prefix: "in/" } };
    const changed = triggerOf(await call("PATCH", path(undefined, made.trigger_id), changes));
    assert.deepEqual({ ...changed, version: 0 }, { ...made, ...changes, version: 0 });
  });

  it("refuses schedules that are not five numeric fields within their bounds", async () => {
    const { call, path, hourly } = await project();
    const refused = async (cron: string, message: RegExp) => {
      const body = { type: "schedule", function_slug: "api", name: "bad", schedule: { cron } };
      assertError(await call("POST", path(), body), 400, message);
    };
    for (const cron of [
      "60 * * * *",
      "*/0 * * * *",
      "* 24 * * *",
      "* * 0 * *",
      "* * * 13 *",
      "* * * * 7",
      "9-3 * * * *",
      "*/99 * * * *",
      "0 */25 * * *",
      "0 0 */32 * *",
      "0 0 1 */13 *",
      "0 0 * * */8",
      "5/99 * * * *",
      "0-30/61 * * * *",
      "0 0 * * 1,*/99",
      `*/${"9".repeat(400)} * * * *`,
    ]) {
      await refused(cron, /cron: cron value is outside field bounds/);
    }
    const existing = await hourly();
    const change = { type: "schedule", schedule: { cron: "*/99 * * * *" } };
    assertError(await call("PATCH", path(undefined, existing.trigger_id), change), 400, /outside field bounds/);
    for (const cron of ["@daily", "* * * *", "0 * * * * *", ""]) await refused(cron, /^.*cron: .*five fields$/);
    for (const cron of ["* * * JAN *", "* * * * MON", "? * * * *", "* * L * *"]) await refused(cron, /cron: .*numeric/);
    for (const [index, cron] of ["*/15 0-6,22 1,15 */2 1-5", "5/10 * * * *", "0 0 30 2 *"].entries()) {
      const made = await hourly(`good ${index}`, cron);
      assert.equal(made.type === "schedule" && made.next_run_at === null, cron === "0 0 30 2 *");
    }
  });

  it("create and update reject invalid triggers", async () => {
    const { call, path, hourly } = await project();
    const { trigger_id: id } = await hourly();
    const schedule = { type: "schedule", function_slug: "api", name: "new", schedule: { cron: "* * * * *" } };
    const refused = async (body: object, message: RegExp, status = 400) => {
      assertError(await call("POST", path(), body), status, message);
    };
    await refused({ ...schedule, type: undefined }, /unable to detect sum type variant/);
    await refused({ ...schedule, type: "webhook" }, /type/);
    await refused({ ...schedule, timezone: "UTC" }, /unexpected field "timezone"/);
    await refused({ ...schedule, function_id: "fn-1" }, /unexpected field "function_id"/);
    await refused(
      { ...schedule, storage_object_created: { bucket_name: "b" } },
      /unexpected field "storage_object_created"/,
    );
    await refused({ ...schedule, schedule: undefined }, /schedule \(field required\)/);
    await refused({ ...schedule, name: "" }, /name/);
    await refused({ ...uploads, function_slug: "api", storage_object_created: {} }, /bucket_name \(field required\)/);
    const prefixed = { bucket_name: "b", prefix: "ü".repeat(513) };
    await refused({ ...uploads, function_slug: "api", storage_object_created: prefixed }, /1024 bytes/);
    for (const function_path of ["run", "/run?now=1", "/a b"]) {
      await refused({ ...schedule, function_path }, /invalid function trigger path/);
    }
    await refused({ ...schedule, function_slug: "none" }, /target function not visible on branch/, 404);
    await refused({ ...schedule, name: "hourly" }, /function trigger name already exists on branch/, 409);
    const change = async (body: object, message: RegExp, status = 400) => {
      assertError(await call("PATCH", path(undefined, id), body), status, message);
    };
    await change({ type: "schedule" }, /at least one field/);
    await change({ type: "storage_object_created", enabled: false }, /the type of the trigger is "schedule"/);
    await change({ type: "schedule", function_slug: "none" }, /target function not visible on branch/, 404);
    assert.equal((await call("PATCH", path(undefined, id), { type: "schedule", name: "hourly" })).status, 200);
  });

  it("a child has the triggers of its parent disabled, and a change makes one its own", async () => {
    const { call, done, path, hourly, triggerOf, list } = await project();
    const hour = await hourly();
    const other = await hourly("other");
    const { branch: child } = await done("POST", "/branches", { branch: { name: "child" } });
    const inherited = { inherited: true, enabled: false, next_run_at: null };
    const byId = (one: Trigger, two: Trigger) => (one.trigger_id < two.trigger_id ? -1 : 1);
    assert.deepEqual(await list(child.id), [hour, other].map((one) => ({ ...one, ...inherited })).sort(byId));
    const change = async (body: object) =>
      triggerOf(await call("PATCH", path(child.id, hour.trigger_id), { type: "schedule", ...body }));
    const own = await change({ name: "mine" });
    assertMembers(own, { inherited: false, enabled: false, name: "mine" });
    assert.equal((await change({ enabled: true })).enabled, true);
    assert.equal((await call("DELETE", path(child.id, other.trigger_id))).status, 204);
    assert.deepEqual(valuesOf(await list(child.id), "name"), ["mine"]);
    assert.deepEqual(await list(), [hour, other].sort(byId));
    const name = { type: "schedule", function_slug: "api", name: "mine", schedule: { cron: "* * * * *" } };
    assertError(await call("POST", path(child.id), name), 409, /already exists/);
  });

  it("a child of an earlier moment has the triggers of that moment", async () => {
    const { done, hourly, list } = await project();
    await hourly("early");
    const moment = time();
    finish();
    await hourly("late");
    const { branch } = await done("POST", "/branches", { branch: { parent_timestamp: moment } });
    assert.deepEqual(valuesOf(await list(branch.id), "name"), ["early"]);
  });
});
