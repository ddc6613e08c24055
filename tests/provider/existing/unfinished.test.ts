import assert from "node:assert/strict";

import { describe } from "mocha";

import type { EngineResource } from "../../support/engine";
import { failsWith } from "../../support/expected-errors";
import type { Values } from "../../support/provider-server";
import { onStages, type Stage } from "../../support/stage";
import { until } from "../../support/until";
import { assertUpToDate } from "../../support/up-to-date";

/** The end of an operation of the creation. */
interface OperationFault {
  readonly action: string;
  readonly end: string;
}

describe("existing › unfinished", () => {
  const test = onStages(2, { operationTime: "400ms" });

  for (const [kind, action] of [
    ["Project", "start_compute"],
    ["Branch", "start_compute"],
    ["Role", "apply_config"],
    ["Snapshot", "create_branch"],
  ] as const) {
    test(`waits for the operations of a ${kind} that is adopted`, async (stage) => {
      const args = await left(stage, kind, { action, end: "stuck" });
      const resource = stage.resource(kind);
      assert.equal(await onceWaiting(stage, resource, action, resource.up(args)), "create");
      assert.deepEqual(await unsuccessful(stage, resource.outputs), []);
      await assertUpToDate(stage, resource, args);
    });
  }

  test("refuses an object that never becomes usable, with the way on, and does not change it", async (stage) => {
    const args = await left(stage, "Branch", { action: "create_branch", end: "error" });
    const resource = stage.resource("Branch");
    const reason = /^The branch \S+ cannot be adopted: its creation failed, and it never becomes usable\./;
    const refused = failsWith(reason, "Delete it, then run the same command again.");
    assert.deepEqual(await stage.sentBy("", () => assert.rejects(resource.up(args), refused)), []);
    assert.equal(resource.state, undefined);
  });

  for (const kind of ["Branch", "Endpoint"] as const) {
    for (const isOver of [false, true]) {
      test(`starts the compute whose first start ${isOver ? "has failed" : "fails"} (${kind})`, async (stage) => {
        const args = await left(stage, kind, { action: "start_compute", end: "error" });
        if (isOver) await stage.settled(String(args["projectId"]));
        const resource = stage.resource(kind);
        const sent = await stage.sentBy("", async () => assert.equal(await resource.up(args), "create"));
        assert.deepEqual(
          sent.map(({ path }) => /endpoints\/\S+\/start$/.test(path)),
          [true],
        );
        await assertUpToDate(stage, resource, args);
      });
    }
  }

  test("fails with the operation of its branch that fails meanwhile, and then adopts it as it is", async (stage) => {
    const args = await left(stage, "Role", { action: "apply_config", end: "stuck-then-error" });
    const resource = stage.resource("Role");
    const sent = await stage.sentBy("", async () => {
      const run = onceWaiting(stage, resource, "apply_config", resource.up(args));
      await assert.rejects(run, failsWith("(apply_config) ended with status error"));
      assert.equal(resource.state, undefined);
      assert.equal(await resource.up(args), "create");
    });
    assert.deepEqual(sent, []);
  });

  test("does not wait for other branches, and neither does a change of the project's name", async (stage) => {
    const { projectId } = await left(stage, "Endpoint", { action: "start_compute", end: "stuck" });
    const resource = stage.resource("Project");
    assert.equal(await resource.up({ adopt: projectId }, { timeouts: { create: "3s" } }), "create");
    const timeouts = { update: "3s" };
    assert.equal(await resource.up({ adopt: projectId, name: stage.name("renamed") }, { timeouts }), "update");
    await stage.platform.clearFaults();
  });

  for (const fails of [false, true]) {
    test(`waits for a change of a killed run, ${fails ? "and fails with it" : "which is then in effect"}`, async (stage) => {
      const args = await left(stage, "Endpoint");
      const resource = stage.resource("Endpoint");
      await resource.up(args);
      const path = `/projects/${String(args["projectId"])}/endpoints/${String(resource.outputs["endpointId"])}`;
      await stage.platform.fault({ action: "apply_config", end: fails ? "stuck-then-error" : "stuck" });
      await stage.platform.call("PATCH", path, { endpoint: { autoscaling_limit_max_cu: 1 } });
      const declared = { ...args, autoscalingLimitMaxCu: 1 };
      const run = onceWaiting(stage, resource, "apply_config", resource.up(declared));
      if (fails) await assert.rejects(run, failsWith("(apply_config) ended with status error"));
      else assert.equal(await run, "update");
      assert.deepEqual(await unsuccessful(stage, args), fails ? ["apply_config error"] : []);
      assert.equal(await resource.up(declared), fails ? "update" : "same");
    });
  }
});

/** Sends the creation of a run that is killed then, and answers what the next run declares to adopt the object. */
async function left(
  stage: Stage,
  kind: "Project" | "Branch" | "Endpoint" | "Role" | "Snapshot",
  fault?: OperationFault,
): Promise<Values> {
  const name = stage.name("left");
  const { id: projectId, branchId: mainId } = kind === "Project" ? { id: "", branchId: "" } : await stage.project();
  const branchId = kind === "Endpoint" ? (await stage.branch(projectId)).id : mainId;
  const project = `/projects/${projectId}`;
  const endpoint = { branch_id: branchId, type: "read_write" };
  const [path, body, declared] = {
    Project: ["/projects", { project: { name } }, { name }],
    Branch: [`${project}/branches`, { branch: { name }, endpoints: [{ type: "read_write" }] }, { projectId, name }],
    Endpoint: [`${project}/endpoints`, { endpoint }, { projectId, branchId, type: "read_write" }],
    Role: [`${project}/branches/${branchId}/roles`, { role: { name } }, { projectId, branchId, name }],
    Snapshot: [`${project}/branches/${branchId}/snapshot?name=${name}`, undefined, { projectId, branchId, name }],
  }[kind] as [string, object | undefined, Values];
  if (fault !== undefined) await stage.platform.fault({ ...fault });
  const { status } = await stage.platform.call("POST", path, body);
  assert.ok(status < 300, `POST ${path}: ${status}`);
  return { ...declared, adopt: true };
}

/** The outcome of a run, whose row shows that it waits for an operation before that operation is released. */
async function onceWaiting<Result>(
  stage: Stage,
  resource: EngineResource,
  action: string,
  run: Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  run.then(end, end);
  await until(() => isOver || resource.said("progress").some((text) => text.startsWith(action)));
  assert.ok(!isOver, "it does not wait");
  await stage.platform.clearFaults();
  return run;
}

/** The operations of an object's project that have not succeeded. */
async function unsuccessful(stage: Stage, { projectId }: Values): Promise<readonly string[]> {
  const { operations } = (await stage.platform.call("GET", `/projects/${String(projectId)}/operations`)).body;
  return operations.map(({ action, status }) => `${action} ${status}`).filter((text) => !text.endsWith(" finished"));
}
