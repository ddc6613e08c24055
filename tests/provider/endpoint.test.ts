import assert from "node:assert/strict";

import type { Endpoint } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { failsWith, refusesAdoption } from "../support/expected-errors";
import { assertOutputs } from "../support/outputs";
import { concurrently, onStages, type SentBy, type Stage, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const patched = (body: Values): SentBy[] => [{ method: "PATCH", path: "/endpoints/:id", body: { endpoint: body } }];
const done = (...actions: readonly string[]): SentBy[] =>
  actions.map((action) => ({ method: "POST", path: `/endpoints/:id/${action}` }));

describe("Endpoint", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  test("create › waits until the compute is active, and outputs its host and not its state", async () => {
    const { projectId, base, compute } = await setting(stage());
    await compute.up(base);
    const made = await computeOf(stage(), compute);
    assert.equal(made.current_state, "active");
    assert.equal(compute.id, `${projectId}/${made.id}`);
    assertOutputs(compute.outputs, {
      endpointId: made.id,
      host: made.host,
      poolerHost: made.host.replace(made.id, `${made.id}-pooler`),
      createdAt: made.created_at,
      // Its name is the logical one unless declared.
      name: compute.name,
    });
    for (const moving of ["currentState", "pendingState", "updatedAt", "lastActive"]) {
      assert.ok(!(moving in compute.outputs));
    }
  });

  test("create › creates a disabled compute without starting it", async () => {
    const { base, compute, sentFor } = await setting(stage(), "read_only");
    const args = { disabled: true, state: "idle" };
    assert.equal((await sentFor(args)).length, 1);
    assert.equal((await computeOf(stage(), compute)).started_at, undefined);
    await assertUpToDate(stage(), compute, { ...base, ...args });
  });

  test("update › starts and suspends the compute when the program changes, and only then", async () => {
    const { base, compute, sentFor } = await setting(stage());
    const [idle, active] = [{ state: "idle" }, { state: "active" }];
    const [creation, ...others] = await sentFor(idle);
    assert.equal(creation?.path, "/endpoints");
    assert.deepEqual(others, done("suspend"));
    await assertIs(stage(), compute, "idle", { ...base, ...idle });

    // A connection starts the compute, and inactivity suspends it: neither is drift.
    await callFor(stage(), compute, "POST", "/start");
    await assertUpToDate(stage(), compute, { ...base, ...idle });
    assert.deepEqual(await sentFor(active), [], "the compute is active already");
    await callFor(stage(), compute, "POST", "/suspend");
    await assertUpToDate(stage(), compute, { ...base, ...active });
    assert.deepEqual(await sentFor({ ...active, name: "awake" }), patched({ name: "awake" }));
    assert.equal((await computeOf(stage(), compute)).current_state, "idle");

    // Declaring an omitted input again is a change.
    assert.deepEqual(await sentFor({ name: "awake" }), []);
    assert.deepEqual(await sentFor({ ...active, name: "awake" }), done("start"));
    await assertIs(stage(), compute, "active", { ...base, ...active, name: "awake" });
  });

  test("update › changes, restarts and suspends in this order, without needless requests", async () => {
    const { compute, sentFor } = await setting(stage());
    await sentFor({});
    const grown = { autoscalingLimitMaxCu: 1 };
    const started = { ...grown, restartTrigger: "1", state: "active" };
    assert.deepEqual(await sentFor(started), [...patched({ autoscaling_limit_max_cu: 1 }), ...done("restart")]);
    assert.deepEqual(await sentFor({ ...grown, restartTrigger: "2", state: "idle" }), done("suspend"));
    assert.deepEqual(await sentFor({ ...grown, restartTrigger: "3", state: "idle" }), [], "it is idle already");
    await callFor(stage(), compute, "POST", "/start");
    assert.deepEqual(await sentFor({ ...grown, restartTrigger: "4", state: "idle" }), done("restart"));
    assert.deepEqual(await sentFor({ ...grown, restartTrigger: "5", state: "active" }), done("restart"));
    assert.equal((await computeOf(stage(), compute)).current_state, "active");
  });

  test("update › suspends a disabled compute, and starts it only when it is enabled again", async () => {
    const { base, compute, sentFor } = await setting(stage());
    await sentFor({ state: "active" });
    const off = { disabled: true, state: "idle", restartTrigger: "1" };
    assert.deepEqual(await sentFor(off), patched({ disabled: true }), "the platform suspends it");
    await assertIs(stage(), compute, "idle", { ...base, ...off });
    // An omitted input is ignored: the compute is still disabled.
    const active = { ...base, state: "active", restartTrigger: "1" };
    await assert.rejects(
      compute.up(active),
      failsWith(/was not started: it is disabled \(POST .*\)\. Declare `disabled: false`/),
    );
    const on = { ...active, disabled: false };
    assert.deepEqual(await sentFor(on), [...patched({ disabled: false }), ...done("start")]);
    await assertUpToDate(stage(), compute, on);
  });

  test("replace › deletes a read replica after its replacement: a branch can have several", async () => {
    const { base, compute } = await setting(stage(), "read_only");
    await compute.up({ ...base, regionId: "aws-us-east-2" });
    for (const change of [{ regionId: "aws-eu-central-1" }, { type: "read_write" }]) {
      const plan = await compute.preview({ ...base, regionId: "aws-us-east-2", ...change });
      assert.deepEqual([plan.replaces, plan.deleteBeforeReplace], [Object.keys(change), false]);
    }
    assert.match(compute.warning, /^Changing `regionId` replaces this compute\. .* another host\.$/);
  });

  test("adopt › manages a read replica by its id, and suspends it as declared", async () => {
    const { base, compute: theirs, projectId } = await setting(stage(), "read_only");
    await theirs.up({ ...base, state: "active" });
    const compute = stage().resourceOf(later(), "Endpoint");
    const adopt = theirs.outputs["endpointId"];
    const args = { ...base, name: "reader", state: "idle", restartTrigger: "1", adopt };
    const sent = await sentBy(stage(), projectId, () => compute.up(args));
    assert.deepEqual(sent, [...patched({ name: "reader" }), ...done("suspend")], "and not restarted");
    assert.equal(compute.id, theirs.id);
    await assertUpToDate(stage(), compute, args);
  });

  /** A branch that a program manages, and a read-write compute for it. */
  async function managed(args: Values = {}) {
    const { id: projectId } = await stage().project();
    const [branch, compute] = [stage().resource("Branch"), stage().resource("Endpoint")];
    await branch.up({ projectId, ...args });
    const branchId = String(branch.outputs["branchId"]);
    return { projectId, branchId, branch, compute, base: { projectId, branchId, type: "read_write" } };
  }

  test("the compute of a branch can be neither created nor adopted", async () => {
    const { projectId, branchId, branch, compute, base } = await managed({ compute: {} });
    const endpointId = String(branch.outputs["endpointId"]);
    const refusal = `${endpointId} is declared as a part of Branch "${branch.name}". Change it there`;
    await assert.rejects(compute.up({ ...base, adopt: false }), failsWith(refusal));
    for (const adopt of [true, endpointId]) {
      await assert.rejects(compute.up({ ...base, adopt }), refusesAdoption(refusal));
    }
    assert.equal(compute.state, undefined);
    // A read replica is not a part of the branch.
    await compute.up({ ...base, type: "read_only" });
    assert.equal((await stage().computes(projectId, branchId)).length, 2);
  });

  test("the compute of a branch cannot be declared by the branch while an Endpoint manages it", async () => {
    const { projectId, branch, compute, base } = await managed();
    await compute.up(base);
    await branch.refresh();
    await assert.rejects(
      branch.up({ projectId, compute: { autoscalingLimitMaxCu: 4 } }),
      failsWith(/^This branch declares a part that Endpoint "[\w-]+" already manages/),
    );
    assert.equal(await compute.refresh(), "same");
  });

  test("refused requests › repeats a start or restart that was refused after a change was accepted", async () => {
    const { projectId, base, compute, sentFor } = await setting(stage());
    await compute.up({ ...base, restartTrigger: "1", state: "active" });
    await callFor(stage(), compute, "POST", "/suspend");
    for (const [action, args] of [
      ["restart", { ...base, name: "one", restartTrigger: "2", state: "active" }],
      ["suspend", { ...base, name: "two", restartTrigger: "2", state: "idle" }],
      ["restart", { ...base, name: "two", restartTrigger: "3", state: "active" }],
    ] as const) {
      await refuse(stage(), projectId, action);
      await assert.rejects(compute.up(args), failsWith(/no/));
      assert.deepEqual(await sentFor(args), done(action));
      await assertUpToDate(stage(), compute, args);
    }
  });

  test("refused requests › suspends a created compute in the next up if that was refused", async () => {
    const { projectId, branchId, base, compute, sentFor } = await setting(stage());
    const args = { ...base, state: "idle" };
    await refuse(stage(), projectId, "suspend");
    await assert.rejects(compute.up(args), failsWith(/no/));
    assert.deepEqual(await sentFor(args), done("suspend"));
    assert.equal((await stage().computes(projectId, branchId)).length, 1);
    await assertUpToDate(stage(), compute, args);
  });

  /** A compute that belongs to another branch now, as after a finalized restore of a snapshot. */
  async function moved(type: string, args: Values = {}) {
    const all = await setting(stage(), type);
    await all.compute.up({ ...all.base, ...args });
    const { id: movedTo } = await stage().branch(all.projectId);
    await callFor(stage(), all.compute, "PATCH", "", { endpoint: { branch_id: movedTo } });
    const endpointId = String(all.compute.outputs["endpointId"]);
    const said = new RegExp(
      `^The compute ${endpointId} of branch ${all.branchId} was not (deleted|changed): it belongs to branch ${movedTo} now\\.`,
    );
    return { ...all, movedTo, endpointId, said };
  }

  for (const type of ["read_write", "read_only"]) {
    test(`a compute that was moved to another branch is not deleted, and a warning says so: ${type}`, async () => {
      const { projectId, movedTo, compute, said } = await moved(type);
      assert.deepEqual(await sentBy(stage(), projectId, () => compute.destroy()), []);
      assert.match(compute.warning, said);
      assert.equal((await stage().computes(projectId, movedTo)).length, 1);
    });

    test(`a compute that was moved to another branch is neither resized, restarted, started nor suspended: ${type}`, async () => {
      const { base, movedTo, endpointId, compute, sentFor, said } = await moved(type, { restartTrigger: "1" });
      for (const args of [
        { restartTrigger: "1", autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 4 },
        { restartTrigger: "2" },
        { restartTrigger: "1", state: "idle" },
      ]) {
        const refused = failsWith(
          said,
          `Remove the resource with \`pulumi state delete\`. To manage this compute then, declare \`branchId: "${movedTo}"\` and \`adopt: "${endpointId}"\`.`,
        );
        assert.deepEqual(await sentFor({ restartTrigger: "1" }), []);
        const sent = await sentBy(stage(), base.projectId, () =>
          assert.rejects(compute.up({ ...base, ...args }), refused),
        );
        assert.deepEqual(sent, []);
      }
    });
  }

  test("a refresh of several computes, which reads a list, warns of the one that was moved to another branch", async () => {
    const { base, movedTo, compute } = await moved("read_only");
    const others = [stage().resource("Endpoint"), stage().resource("Endpoint")];
    for (const other of others) await other.up(base);
    const server = await stage().anotherServer();
    for (const one of [...others, compute]) {
      one.server = server;
      await one.refresh();
    }
    await server.stop();
    assert.ok(compute.said("warning").some((text) => text.includes(`belongs to branch ${movedTo} now. It is neither`)));
  });

  test("a compute that was moved to another branch is not replaced where it is now, but adopted there with consent", async () => {
    const { projectId, base, movedTo, endpointId, compute } = await moved("read_write");
    const there = { ...base, branchId: movedTo };
    const sent = await sentBy(stage(), projectId, async () => {
      await assert.rejects(
        compute.up({ ...there, adopt: endpointId }),
        failsWith("remove the resource with `pulumi state delete`"),
      );
      await assert.rejects(
        compute.up(there),
        failsWith(`already exists: ${projectId}/${endpointId}`, "`NEON_ADOPT=true pulumi up`"),
      );
      assert.equal(await compute.up({ ...there, adopt: true }), "replace");
    });
    assert.deepEqual(sent, []);
    await assertUpToDate(stage(), compute, there);
  });

  test("delete › deletes a later compute of the first branch, and a read replica there", async () => {
    const { id: projectId, branchId } = await stage().project();
    const [replica, compute] = [stage().resource("Endpoint"), stage().resource("Endpoint")];
    const path = `/projects/${projectId}/endpoints`;
    const endpoint = { branch_id: branchId, type: "read_only" };
    const { body } = await stage().platform.call("POST", path, { endpoint });
    await stage().settled(projectId);
    await replica.up({ projectId, branchId, type: "read_only", adopt: body.endpoint.id });
    replica.server = later();
    await replica.destroy();
    const [original, ...others] = await stage().computes(projectId, branchId);
    assert.deepEqual(others, []);

    await stage().platform.call("DELETE", `${path}/${original?.id ?? ""}`);
    await stage().settled(projectId);
    // A resource deletes what it has created.
    await compute.up({ projectId, branchId, type: "read_write" });
    await compute.destroy();
    assert.deepEqual(await stage().computes(projectId, branchId), []);
  });

  test("delete › fails on a protected branch, and names what to change", async () => {
    const { projectId, branchId, base, compute } = await setting(stage(), "read_only");
    await compute.up(base);
    const path = `/projects/${projectId}/branches/${branchId}`;
    await stage().platform.call("PATCH", path, { branch: { protected: true } });
    await assert.rejects(
      compute.destroy(),
      failsWith(
        new RegExp(
          `was not deleted: its branch \\S+ \\(${branchId}\\) is protected \\(DELETE .*\\)\\. Set \`protected: false\` on the branch`,
        ),
      ),
    );
    await stage().platform.call("PATCH", path, { branch: { protected: false } });
    await compute.destroy();
  });
});

describe("Endpoint", () => {
  const test = onStages(2);
  const going: readonly {
    readonly title: string;
    readonly from: Values;
    readonly to: Values;
    readonly action: string;
    readonly sent: string;
    readonly refreshes?: true;
  }[] = [
    { title: "start", from: { state: "idle" }, to: { state: "active" }, action: "start_compute", sent: "start" },
    { title: "suspend", from: {}, to: { state: "idle" }, action: "suspend_compute", sent: "suspend", refreshes: true },
    {
      title: "restart, at its first step",
      from: { restartTrigger: "1" },
      to: { restartTrigger: "2" },
      action: "suspend_compute",
      sent: "restart",
    },
    {
      title: "restart, at its second step",
      from: { restartTrigger: "1" },
      to: { restartTrigger: "2" },
      action: "start_compute",
      sent: "restart",
      refreshes: true,
    },
    {
      title: "restart before a change of state",
      from: { restartTrigger: "1", state: "idle" },
      to: { restartTrigger: "2", state: "active" },
      action: "start_compute",
      sent: "restart",
    },
  ];

  for (const status of [409, 422, 400]) {
    test(`create › names the compute that somebody else has created in between if it is refused with HTTP ${status}`, async (stage) => {
      const { projectId, branchId, base, compute } = await setting(stage);
      await compute.preview(base);
      const endpoint = { branch_id: branchId, type: "read_write" };
      const { body: made } = await stage.platform.call("POST", `/projects/${projectId}/endpoints`, { endpoint });
      await stage.settled(projectId);
      const body = { code: "ENDPOINTS_LIMIT_EXCEEDED", message: "read_write endpoint already exists" };
      await stage.platform.fault({ method: "POST", path: "/endpoints$", status, body });
      await assert.rejects(compute.up(base), failsWith(made.endpoint.id, "already exists", "NEON_ADOPT=true"));
    });
  }

  for (const end of ["error", "cancelled"]) {
    test(`create › starts the compute in the next up if its first start ends as ${end}`, async (stage) => {
      const { base, compute, sentFor } = await setting(stage);
      await stage.platform.fault({ action: "start_compute", end });
      const reason = /start_compute.*The next `pulumi up` resumes from here/;
      await assert.rejects(compute.up(base), failsWith(reason));
      assert.equal((await computeOf(stage, compute)).current_state, "init");
      assert.deepEqual(await sentFor({}), done("start"));
      await assertIs(stage, compute, "active", base);
    });
  }

  for (const { title, from, to, action, sent, refreshes = false } of going) {
    test(`update › repeats a failed ${title} in the next up${refreshes ? ", also after a refresh" : ""}`, async (stage) => {
      const { base, compute, sentFor } = await setting(stage);
      await compute.up({ ...base, ...from });
      await stage.platform.fault({ action, end: "error" });
      const args = { ...base, ...to };
      await assert.rejects(compute.up(args), failsWith(action));
      assert.ok(pendingOf(compute));
      if (refreshes) await compute.refresh();
      assert.deepEqual(await sentFor(to), done(sent));
      await assertIs(stage, compute, to["state"] ?? "active", args);
    });
  }

  test("update › suspends a disabled compute in the next up if that failed", async (stage) => {
    const { base, compute } = await setting(stage);
    await compute.up(base);
    await stage.platform.fault({ action: "suspend_compute", end: "error" });
    const args = { ...base, disabled: true };
    await assert.rejects(compute.up(args), failsWith("suspend_compute"));
    assert.equal((await computeOf(stage, compute)).current_state, "active");
    await compute.up(args);
    await assertIs(stage, compute, "idle", args);
  });
});

/** The mutations of a project that a step sends, with short paths. */
async function sentBy(stage: Stage, projectId: string, step: () => Promise<unknown>): Promise<SentBy[]> {
  return (await stage.sentBy(projectId, step)).map((sent) => ({
    ...sent,
    path: sent.path.replace(/^\/projects\/[^/]+/, "").replace(/ep-[a-z0-9-]+/, ":id"),
  }));
}

/** The compute of a resource, as the platform reports it. */
async function computeOf(stage: Stage, { id }: EngineResource): Promise<Endpoint> {
  const [projectId = "", endpointId = ""] = id.split("/");
  return (await stage.platform.call("GET", `/projects/${projectId}/endpoints/${endpointId}`)).body.endpoint;
}

/** Asserts that a compute is in this state, that nothing is left to do for it, and that it is as declared. */
async function assertIs(stage: Stage, compute: EngineResource, state: unknown, args: Values): Promise<void> {
  assert.equal((await computeOf(stage, compute)).current_state, state);
  assert.equal(pendingOf(compute), undefined);
  await assertUpToDate(stage, compute, args);
}

function pendingOf({ outputs }: EngineResource): unknown {
  return (outputs["__neon"] as Values)["pending"];
}

/** Sends a request for the compute without the provider. */
async function callFor(stage: Stage, { id }: EngineResource, method: string, below = "", body?: Values): Promise<void> {
  const [projectId = "", endpointId = ""] = id.split("/");
  await stage.platform.call(method, `/projects/${projectId}/endpoints/${endpointId}${below}`, body);
  await stage.settled(projectId);
}

/** A branch without a compute in a project of its own, and a compute for it that is not created yet. */
async function setting(stage: Stage, type = "read_write") {
  const { id: projectId } = await stage.project();
  const { id: branchId } = await stage.branch(projectId);
  const compute = stage.resource("Endpoint");
  const at = { projectId, branchId };
  const base = { ...at, type };
  /** What an `up` with these arguments sends, in addition to what every program declares. */
  const sentFor = (args: Values): Promise<SentBy[]> => sentBy(stage, projectId, () => compute.up({ ...base, ...args }));
  return { ...at, base, compute, sentFor };
}

/** Refuses the next request for such an action in a project. */
async function refuse(stage: Stage, projectId: string, action: string): Promise<void> {
  const path = `^/projects/${projectId}/.*/${action}$`;
  await stage.platform.fault({ method: "POST", path, status: 422, body: { message: "no" } });
}
