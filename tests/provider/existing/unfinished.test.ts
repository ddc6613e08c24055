import assert from "node:assert/strict";

import { describe } from "mocha";

import type { KindName } from "../../../provider/frozen-entry";
import type { EngineResource } from "../../support/engine";
import { failsWith } from "../../support/expected-errors";
import type { Values } from "../../support/provider-server";
import { onStages, type Stage } from "../../support/stage";
import { until } from "../../support/until";
import { assertUpToDate } from "../../support/up-to-date";

/** What a run that was killed on another machine has created, and what the next run declares to adopt it. */
type Left = (stage: Stage, fault?: OperationFault) => Promise<Values>;

/** What becomes of an operation of the creation. */
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
      const args = await left[kind](stage, { action, end: "stuck" });
      const resource = stage.resource(kind);
      assert.equal(await onceWaiting(stage, resource, action, resource.up(args)), "create");
      assert.deepEqual(await unsuccessful(stage, resource.outputs), []);
      await assertUpToDate(stage, resource, args);
    });
  }

  test("refuses an object that never becomes usable, with the way on, and does not change it", async (stage) => {
    const args = await left.Branch(stage, { action: "create_branch", end: "error" });
    const resource = stage.resource("Branch");
    const sent = await stage.sentBy("", () =>
      assert.rejects(
        resource.up(args),
        failsWith(
          /^The branch \S+ cannot be adopted: its creation failed, and it never becomes usable\./,
          "Delete it, then run the same command again.",
        ),
      ),
    );
    assert.deepEqual(sent, []);
    assert.equal(resource.state, undefined);
  });

  for (const kind of ["Branch", "Endpoint"] as const) {
    for (const isOver of [false, true]) {
      test(`starts the compute whose first start ${isOver ? "has failed" : "fails"} (${kind})`, async (stage) => {
        const args = await left[kind](stage, { action: "start_compute", end: "error" });
        if (isOver) await stage.settled(args.projectId);
        const resource = stage.resource(kind);
        const sent = await stage.sentBy("", async () => assert.equal(await resource.up(args), "create"));
        assert.equal(sent.length, 1);
        assert.match(sent[0]?.path ?? "", /endpoints\/\S+\/start$/);
        await assertUpToDate(stage, resource, args);
      });
    }
  }

  test("fails with the operation of its branch that fails meanwhile, and is then adopted as it is", async (stage) => {
    const args = await left.Role(stage, { action: "apply_config", end: "stuck-then-error" });
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
    const project = await stage.project();
    const { id: projectId } = project;
    const branchId = (await stage.branch(projectId)).id;
    await stage.settled(projectId);
    await stage.platform.fault({ action: "start_compute", end: "stuck" });
    await made(stage, `/projects/${projectId}/endpoints`, { endpoint: { branch_id: branchId, type: "read_write" } });
    const resource = stage.resource("Project");
    assert.equal(await resource.up({ adopt: projectId }, { timeouts: { create: "3s" } }), "create");
    const timeouts = { update: "3s" };
    assert.equal(await resource.up({ adopt: projectId, name: stage.name("renamed") }, { timeouts }), "update");
    await stage.platform.clearFaults();
  });
});

describe("a change that a run has sent that was killed", () => {
  const test = onStages(2, { operationTime: "400ms" });

  for (const fails of [false, true]) {
    test(`is waited for by the next one, ${fails ? "which fails with it" : "and is then in effect"}`, async (stage) => {
      const { adopt: _, ...args } = await left.Endpoint(stage);
      const { projectId } = args;
      const resource = stage.resource("Endpoint");
      await resource.up({ ...args, adopt: true });
      const path = `/projects/${projectId}/endpoints/${String(resource.outputs["endpointId"])}`;
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

const left = {
  Project: async (stage, fault?) => {
    const name = stage.name("left");
    await made(stage, "/projects", { project: { name } }, fault);
    return { name, adopt: true };
  },
  Branch: async (stage, fault?) => {
    const { id: projectId } = await stage.project();
    const name = stage.name("left");
    const body = { branch: { name }, endpoints: [{ type: "read_write" }] };
    await made(stage, `/projects/${projectId}/branches`, body, fault);
    return { projectId, name, adopt: true };
  },
  Endpoint: async (stage, fault?) => {
    const { id: projectId } = await stage.project();
    const { id: branchId } = await stage.branch(projectId);
    const endpoint = { branch_id: branchId, type: "read_write" };
    await made(stage, `/projects/${projectId}/endpoints`, { endpoint }, fault);
    return { projectId, branchId, type: "read_write", adopt: true };
  },
  Role: async (stage, fault?) => {
    const { id: projectId, branchId } = await stage.project();
    const name = stage.name("left");
    await made(stage, `/projects/${projectId}/branches/${branchId}/roles`, { role: { name } }, fault);
    return { projectId, branchId, name, adopt: true };
  },
  Snapshot: async (stage, fault?) => {
    const { id: projectId, branchId } = await stage.project();
    const name = stage.name("left");
    await made(stage, `/projects/${projectId}/branches/${branchId}/snapshot?name=${name}`, undefined, fault);
    const { body } = await stage.platform.call("GET", `/projects/${projectId}/snapshots`);
    const [snapshot] = (body as unknown as { snapshots: readonly { id: string }[] }).snapshots;
    return { projectId, branchId, name, adopt: snapshot?.id };
  },
} satisfies Partial<Record<KindName, Left>>;

/** Sends a creation, and does not wait for what it starts. */
async function made(stage: Stage, path: string, body?: object, fault?: OperationFault): Promise<void> {
  if (fault !== undefined) await stage.platform.fault({ ...fault });
  const { status } = await stage.platform.call("POST", path, body);
  assert.ok(status < 300, `POST ${path}: ${status}`);
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
