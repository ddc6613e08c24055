import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { naturalKeyOf } from "../../provider/kind/natural-key";
import { create } from "../../provider/lifecycle/create";
import { scriptedClient } from "../api/scripted-client";
import { failsWith } from "../support/expected-errors";
import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { branchWithFunctions, deployAt } from "../support/samples/function";
import { branchPath } from "../support/samples/object";
import { callFor, servicesWith } from "../support/services";
import { suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

const schedule = { cron: "0 3 1 1 *" };
const upload = { bucketName: "uploads", prefix: "in/" };

describe("Trigger", () => {
  const stage = suiteStage();
  const anotherRun = suiteServer(stage);

  /** A branch with functions, and a trigger on it that is not created yet. */
  async function fixture() {
    const base = await branchWithFunctions(stage());
    const resource = stage().resource("Trigger");
    return { base, resource, args: { ...base, functionSlug: "api", schedule } };
  }

  /** What is sent to change something, without the path of the branch. */
  const sentBy = async (base: Values, step: () => Promise<unknown>) =>
    (await stage().sentBy(String(base["branchId"]), step)).map(({ method, path, body }) => ({
      method,
      path: path.replace(branchPath(base), "").replace(/trigger-[\w-]+/, "ID"),
      ...(body !== undefined && { body }),
    }));

  const listed = async (base: Values): Promise<readonly Values[]> =>
    ((await stage().platform.call("GET", `${branchPath(base)}/triggers`)).body as unknown as { triggers: Values[] })
      .triggers;

  async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
    assert.equal(await resource.refresh(), "same");
    await stage().platform.clearRequests();
    assert.equal(await resource.up(args), "same");
    assert.deepEqual(await stage().requests(), []);
  }

  it("has no version and no next run in its state, because both change by themselves", async () => {
    const { base, resource, args } = await fixture();
    await resource.up(args);
    const { triggerId, ...others } = resource.ownOutputs;
    assert.match(String(triggerId), /^trigger-/);
    assert.deepEqual(others, {
      ...base,
      name: resource.name,
      functionSlug: "api",
      functionPath: "/",
      schedule,
      enabled: true,
      type: "schedule",
      inherited: false,
    });
  });

  it("is replaced when its type changes, and the old one is deleted first, because it has the name", async () => {
    const { base, resource, args } = await fixture();
    await resource.up(args);
    const { triggerId } = resource.outputs;
    const { schedule: _, ...others } = args;
    const other = { ...others, storageObjectCreated: upload };
    const plan = await resource.preview(other);
    assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["storageObjectCreated"], true]);
    const sent = await sentBy(base, async () => assert.equal(await resource.up(other), "replace"));
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path}`),
      ["DELETE /triggers/ID", "POST /triggers"],
    );
    assert.notEqual(resource.outputs["triggerId"], triggerId);
    assert.equal(resource.outputs["type"], "storage_object_created");
    await assertSettled(resource, other);
  });

  it("stays disabled when it is adopted from the parent of its branch, until the program enables it", async () => {
    const { base, resource: parent, args } = await fixture();
    await parent.up(args);
    const { id: branchId } = await stage().branch(base.projectId);
    const child = { ...base, branchId };
    const declared = { ...args, branchId, name: parent.name };
    const resource = stage().resource("Trigger");
    await assert.rejects(
      resource.up(declared),
      failsWith(
        "already exists",
        "inherited by this branch from its parent",
        "declare `adopt: true`",
        "`enabled: true`",
      ),
    );
    const adopting = { ...declared, adopt: true };
    assert.deepEqual(await sentBy(child, () => resource.up(adopting)), []);
    assert.equal(resource.outputs["triggerId"], parent.outputs["triggerId"]);
    assert.deepEqual([resource.outputs["enabled"], resource.outputs["inherited"]], [false, true]);
    await assertSettled(resource, adopting);
    const sent = await sentBy(child, () => resource.up({ ...adopting, enabled: true }));
    assert.deepEqual(sent, [{ method: "PATCH", path: "/triggers/ID", body: { type: "schedule", enabled: true } }]);
    assert.deepEqual([resource.outputs["enabled"], resource.outputs["inherited"]], [true, false]);
    await assertSettled(resource, { ...adopting, enabled: true });
    await stage().nextRun(resource);
    await resource.destroy();
    assert.deepEqual(await listed(child), []);
    assert.equal((await listed(base)).length, 1);
  });

  it("is not adopted if it has another type", async () => {
    const { resource, args } = await fixture();
    await resource.up(args);
    const { schedule: _, ...others } = args;
    const adopting = stage().resourceOf(anotherRun(), "Trigger");
    const declared = { ...others, name: resource.name, storageObjectCreated: upload, adopt: true };
    await assert.rejects(
      adopting.up(declared),
      /cannot be adopted: .*`storageObjectCreated.bucketName`, which cannot be changed in place/,
    );
    assert.equal(await resource.refresh(), "same");
  });

  it("keeps a prefix that the program has never declared, and clears one that it no longer declares", async () => {
    const { base, args: declared } = await fixture();
    const { schedule: _, ...args } = declared;
    const resource = stage().resource("Trigger");
    const body = {
      type: "storage_object_created",
      name: resource.name,
      function_slug: "api",
      storage_object_created: { bucket_name: "uploads", prefix: "in/" },
    };
    assert.equal((await stage().platform.call("POST", `${branchPath(base)}/triggers`, body)).status, 201);
    const renamed = { ...args, adopt: true, storageObjectCreated: { bucketName: "avatars" } };
    await resource.up(renamed);
    assert.deepEqual(resource.outputs["storageObjectCreated"], { bucketName: "avatars", prefix: "in/" });
    await assertSettled(resource, renamed);
    const prefixed = { ...renamed, storageObjectCreated: { bucketName: "avatars", prefix: "out/" } };
    await resource.up(prefixed);
    // A lost answer, too: that the prefix is gone shows that the change is done.
    await stage().platform.fault({ method: "PATCH", path: "/triggers/", reset: "after" });
    const sent = await sentBy(base, () => resource.up(renamed));
    assert.equal(sent.length, 1);
    assert.deepEqual(resource.outputs["storageObjectCreated"], { bucketName: "avatars" });
    await assertSettled(resource, renamed);
    const empty = { ...renamed, storageObjectCreated: { bucketName: "avatars", prefix: "" } };
    assert.deepEqual(await sentBy(base, () => resource.up(empty)), []);
    await assertSettled(resource, empty);
  });

  it("waits for a function that this run still creates", async () => {
    const { id: projectId, branchId } = await stage().project();
    const base = { projectId, branchId };
    const resource = stage().resource("Trigger");
    const created = resource.up({ ...base, functionSlug: "api", schedule });
    await until(async () =>
      (await stage().requests(branchId)).some(({ path, status }) => path.endsWith("/functions/api") && status === 404),
    );
    await deployAt(stage(), base, "api");
    await created;
    assert.ok(resource.said("progress").includes(`waiting for a function api of branch ${branchId}`));
  });
});

describe("a trigger of a function that does not exist yet", () => {
  const urn = "urn:pulumi:dev::shop::neon:index:Trigger::hourly";
  const inputs = { projectId: "late-frost-302709", branchId: "br-1", name: "hourly", functionSlug: "api", schedule };

  it("is waited for as long as the run deploys that function", async () => {
    let isDeployed = false;
    const at = "2026-01-01T00:00:00Z";
    const deployed = { id: "function-1", slug: "api", name: "api", invocation_url: "", created_at: at };
    const created = { trigger_id: "trigger-1", type: "schedule", function_path: "/", enabled: true, version: 1 };
    const { client, clock } = scriptedClient(({ method, path }) => {
      if (path.endsWith("/functions/api") && isDeployed) return { body: { function: deployed } };
      if (path.endsWith("/triggers") && method === "GET") return { body: { triggers: [] } };
      if (!isDeployed) return { status: 404, body: { message: "target function not visible on branch" } };
      const trigger = { ...created, name: "hourly", function_slug: "api", schedule, inherited: false };
      return { status: method === "POST" ? 201 : 200, body: { trigger } };
    });
    const services = servicesWith({ client });
    services.registry.declare(urn);
    const { projectId, branchId } = inputs;
    const lock = naturalKeyOf(kinds.Function, { projectId, branchId, slug: "api" });
    const release = await services.locks.acquire(lock, "create function", () => undefined);
    const deploy = async (): Promise<void> => {
      await clock.sleep(60_000);
      isDeployed = true;
      release();
    };
    await clock.run(Promise.all([create({ kind: kinds.Trigger, services }, callFor(urn), inputs), deploy()]));
    assert.ok(clock.now() >= 60_000);
  });
});
