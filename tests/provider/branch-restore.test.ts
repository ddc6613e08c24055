import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { CallError, type DynamicServer, type Values } from "../support/dynamic-server";
import { CheckError, type EngineResource, type ResourceOptions } from "../support/engine";
import { entriesIn, journalIn, type WrittenEntry } from "../support/journal";
import { concurrently, onStages, Stage, suiteStage } from "../support/stage";
import { until } from "../support/until";

/** Gives up as soon as it may. */
const impatient: ResourceOptions = { timeouts: { update: "400ms" } };

function branchId({ outputs }: EngineResource): string {
  return String(outputs["branchId"]);
}

async function branchOf(stage: Stage, resource: EngineResource) {
  const found = (await stage.branches(String(resource.outputs["projectId"]))).find(
    ({ id }) => id === branchId(resource),
  );
  assert.ok(found);
  return found;
}

/** The bodies of the restores that were sent for a branch. */
async function restoresOf(stage: Stage, resource: EngineResource): Promise<unknown[]> {
  const path = `/projects/${String(resource.outputs["projectId"])}/branches/${branchId(resource)}/restore`;
  return (await stage.sent("/restore")).filter((sent) => sent.path === path).map(({ body }) => body);
}

/** Neither an unchanged program nor a refresh finds anything to do. */
async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
  assert.equal(await resource.up(args), "same");
  const { inputs, outputs } = resource.present;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.inputs, inputs);
  assert.deepEqual(resource.present.outputs, outputs);
  assert.equal(await resource.up(args), "same");
}

/** A branch of its own project, with the arguments that made it. */
async function made(stage: Stage, args: Values = {}) {
  const project = await stage.project();
  const branch = stage.resource("Branch");
  const base = { projectId: project.id, ...args };
  await branch.up(base);
  return { project, branch, base };
}

describe("overwriting a branch", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("is done", () => {
    test("each time the trigger changes, and when it is declared for a branch that is there", async () => {
      const { project, branch, base } = await made(stage(), { compute: {} });
      const { endpointId, host } = branch.outputs;
      const body = { source_branch_id: project.branchId };
      assert.equal(await branch.up({ ...base, restore: { trigger: "1" } }), "update");
      assert.deepEqual(await restoresOf(stage(), branch), [body]);
      assert.ok((await branchOf(stage(), branch)).last_reset_at);
      await assertSettled(branch, { ...base, restore: { trigger: "1" } });
      assert.equal(await branch.up({ ...base, restore: { trigger: "2" } }), "update");
      assert.deepEqual(await restoresOf(stage(), branch), [body, body]);
      await assertSettled(branch, { ...base, restore: { trigger: "2" } });
      assert.deepEqual([branch.outputs["endpointId"], branch.outputs["host"]], [endpointId, host]);
    });

    test("never when the branch is made, nor when it is taken over", async () => {
      const declared = { restore: { trigger: "1" }, resetTrigger: "1" };
      const { project, branch, base } = await made(stage(), declared);
      assert.deepEqual(branch.outputs["restore"], { trigger: "1" });
      await assertSettled(branch, base);
      const { id, name } = await stage().branch(project.id);
      const adopted = stage().resource("Branch");
      await adopted.up({ projectId: project.id, name, adopt: id, ...declared });
      assert.deepEqual(await restoresOf(stage(), branch), []);
      assert.deepEqual(await restoresOf(stage(), adopted), []);
    });

    test("not for a change of anything but the trigger, nor for its removal; declared again it is done again", async () => {
      const { project, branch, base } = await made(stage(), { restore: { trigger: "1" } });
      const sourceTimestamp = new Date().toISOString();
      const other = { ...base, restore: { trigger: "1", sourceBranchId: project.branchId, sourceTimestamp } };
      assert.equal(await branch.up(other), "update");
      await assertSettled(branch, other);
      assert.equal(await branch.up({ projectId: project.id }), "update");
      await assertSettled(branch, { projectId: project.id });
      assert.deepEqual(await restoresOf(stage(), branch), []);
      assert.equal(await branch.up(base), "update");
      assert.deepEqual(await restoresOf(stage(), branch), [{ source_branch_id: project.branchId }]);
    });

    test("by `resetTrigger` from the parent", async () => {
      const { project, branch, base } = await made(stage());
      for (const resetTrigger of ["1", "2"]) {
        assert.equal(await branch.up({ ...base, resetTrigger }), "update");
        await assertSettled(branch, { ...base, resetTrigger });
      }
      const body = { source_branch_id: project.branchId };
      assert.deepEqual(await restoresOf(stage(), branch), [body, body]);
      assert.equal(await branch.up(base), "update");
      assert.deepEqual(await restoresOf(stage(), branch), [body, body]);
    });

    test("with what is declared: another source, a point of it, and the name that keeps what there was", async () => {
      const { project, branch, base } = await made(stage());
      const source = await stage().branch(project.id);
      const child = await stage().branch(project.id, { branch: { parent_id: branchId(branch) } });
      const restore = {
        trigger: "1",
        sourceBranchId: source.id,
        sourceTimestamp: new Date().toISOString(),
        preserveUnderName: "before",
      };
      await branch.up({ ...base, restore });
      assert.deepEqual(await restoresOf(stage(), branch), [
        {
          source_branch_id: source.id,
          source_timestamp: restore.sourceTimestamp,
          preserve_under_name: "before",
        },
      ]);
      assert.equal((await branchOf(stage(), branch)).parent_id, source.id);
      const all = await stage().branches(project.id);
      const kept = all.find(({ name }) => name === "before");
      assert.equal(all.find(({ id }) => id === child.id)?.parent_id, kept?.id);
      await assertSettled(branch, { ...base, restore });

      const [sourceLsn] = [(await branchOf(stage(), branch)).parent_lsn];
      await branch.up({ ...base, restore: { trigger: "2", sourceBranchId: source.id, sourceLsn } });
      assert.deepEqual((await restoresOf(stage(), branch))[1], { source_branch_id: source.id, source_lsn: sourceLsn });
      assert.equal((await branchOf(stage(), branch)).parent_lsn, sourceLsn);
    });

    test("with a parent that is declared, which is no difference when the restore moves it", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const base = { projectId: project.id, parentId: project.branchId };
      await branch.up(base);
      const sourceTimestamp = new Date().toISOString();
      const own = { trigger: "1", sourceBranchId: branchId(branch), sourceTimestamp, preserveUnderName: "before" };
      await branch.up({ ...base, restore: own });
      const kept = (await stage().branches(project.id)).find(({ name }) => name === "before");
      assert.equal((await branchOf(stage(), branch)).parent_id, kept?.id);
      await assertSettled(branch, { ...base, restore: own });
      // Which of the two is meant now is not guessed.
      const reason = new RegExp(
        `the parent of the branch \\S+ \\(\\S+\\) is ${kept?.id ?? ""}, and not ${project.branchId}`,
      );
      await assert.rejects(branch.up({ ...base, restore: own, resetTrigger: "1" }), reason);
      await branch.up({ ...base, restore: { trigger: "2", sourceBranchId: project.branchId } });
      assert.equal((await branchOf(stage(), branch)).parent_id, project.branchId);
      await branch.up({ ...base, restore: { trigger: "2", sourceBranchId: project.branchId }, resetTrigger: "1" });
      assert.equal((await restoresOf(stage(), branch)).length, 3);
    });

    test("and how to connect is asked for anew, because the roles have the source's passwords", async () => {
      const { project, branch, base } = await made(stage(), { compute: {} });
      const roles = `/projects/${project.id}/branches/${project.branchId}/roles/neondb_owner`;
      const { body, status } = await stage().platform.call("POST", `${roles}/reset_password`);
      assert.equal(status, 200, body.message);
      await stage().settled(project.id);
      const old = String(branch.outputs["connectionUri"]);
      await branch.up({ ...base, resetTrigger: "1" });
      const uri = String(branch.outputs["connectionUri"]);
      assert.notEqual(uri, old);
      assert.ok(uri.includes(body.role.password ?? "none"));
      await assertSettled(branch, { ...base, resetTrigger: "1" });
    });

    test("§6.7 and the connection stays known where no passwords are stored", async () => {
      const project = await stage().project({ store_passwords: false });
      const branch = stage().resource("Branch");
      const base = { projectId: project.id, compute: {} };
      await branch.up(base);
      const { connectionUri } = branch.outputs;
      await branch.up({ ...base, resetTrigger: "1" });
      assert.equal(branch.outputs["connectionUri"], connectionUri);
      await assertSettled(branch, { ...base, resetTrigger: "1" });
    });

    test("between what has to come before it and what has to come after", async () => {
      const { branch, base } = await made(stage(), { protected: true });
      const renamed = `${branch.name}-renamed`;
      const methods = async () => (await stage().sent(branchId(branch))).map(({ body }) => body);
      await branch.up({ ...base, name: renamed, protected: false, resetTrigger: "1" });
      assert.deepEqual((await methods())[0], { branch: { name: renamed, protected: false } });
      assert.equal((await restoresOf(stage(), branch)).length, 1);
      await branch.up({ ...base, name: branch.name, protected: true, resetTrigger: "2" });
      assert.deepEqual((await methods()).slice(2), [
        { branch: { name: branch.name } },
        { source_branch_id: branch.outputs["parentId"] },
        { branch: { protected: true } },
      ]);
      await assertSettled(branch, { ...base, name: branch.name, protected: true, resetTrigger: "2" });
    });

    test("and a declared expiry stays as declared, although the platform begins it anew", async () => {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
      const { branch, base } = await made(stage(), { expiresAt });
      // Set to a moment that is two days ahead, and so begun anew with two days.
      const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
      const path = `/projects/${branch.id.replace("/", "/branches/")}`;
      await stage().platform.call("PATCH", path, { branch: { expires_at: later } });
      await branch.up({ ...base, resetTrigger: "1" });
      assert.equal((await branchOf(stage(), branch)).expires_at, expiresAt);
      await assertSettled(branch, { ...base, resetTrigger: "1" });
    });
  });

  describe("is refused", () => {
    test("with a time and a log sequence number at once, in the preview", async () => {
      const { project, branch, base } = await made(stage());
      const restore = { trigger: "1", sourceLsn: "0/1DE2850", sourceTimestamp: new Date().toISOString() };
      await assert.rejects(branch.preview({ ...base, restore }), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, [
          { property: "restore", reason: "sourceLsn and sourceTimestamp exclude each other: declare one of them" },
        ]);
        return true;
      });
      await assert.rejects(
        branch.preview({ ...base, restore: { trigger: "1", sourceLsn: "7" } }),
        /restore\.sourceLsn/,
      );
      await assert.rejects(
        branch.preview({ ...base, restore: { sourceBranchId: project.branchId } }),
        /restore\.trigger/,
      );
      await assert.rejects(branch.preview({ ...base, restore: { triger: "1" } }), /did you mean trigger\?/);
    });

    test("from its own history without a point or a name, before anything else of the update is sent", async () => {
      const { project, branch, base } = await made(stage());
      const own = { trigger: "1", sourceBranchId: branchId(branch) };
      const before = (await stage().sent(project.id)).length;
      for (const more of [{}, { preserveUnderName: "before" }, { sourceTimestamp: new Date().toISOString() }]) {
        await assert.rejects(
          branch.up({ ...base, name: "renamed", restore: { ...own, ...more } }),
          /restored from its own history: declare `restore\.sourceTimestamp` or `restore\.sourceLsn`, and `restore\.preserveUnderName`/,
        );
      }
      await assert.rejects(
        branch.up({ ...base, restore: { trigger: "1" }, resetTrigger: "1" }),
        /`restore\.trigger` and `resetTrigger` changed at once/,
      );
      assert.equal((await stage().sent(project.id)).length, before);
    });

    test("for a root branch without a source, which has no parent", async () => {
      const { branch, base } = await made(stage(), { initSource: "schema-only" });
      const reason =
        /is a root branch: it has no parent that it could be reset from\. Declare `restore\.sourceBranchId`/;
      await assert.rejects(branch.up({ ...base, resetTrigger: "1" }), reason);
      await assert.rejects(branch.up({ ...base, restore: { trigger: "1" } }), reason);
      assert.deepEqual(await restoresOf(stage(), branch), []);
    });

    test("for a protected branch, with children but no name, and under a name that is taken, with what to do", async () => {
      const { project, branch, base } = await made(stage());
      const child = await stage().branch(project.id, { branch: { name: "leaf", parent_id: branchId(branch) } });
      await assert.rejects(
        branch.up({ ...base, resetTrigger: "1" }),
        new RegExp(
          `has children and was not restored: leaf \\(${child.id}\\)\\. Declare \`restore\\.preserveUnderName\``,
        ),
      );
      const restore = { trigger: "1", preserveUnderName: "leaf" };
      await assert.rejects(branch.up({ ...base, restore }), /there is a branch named "leaf" already: declare another/);
      await assert.rejects(
        branch.up({ ...base, protected: true, restore: { trigger: "1", sourceBranchId: "br-no-such-1" } }),
        /was not restored, because its project has no branch br-no-such-1 to restore it from: declare another `restore\.sourceBranchId`\./,
      );
      await branch.up({ ...base, protected: true });
      await assert.rejects(
        branch.up({ ...base, protected: true, resetTrigger: "1" }),
        /is protected and was not restored\. Set `protected: false`/,
      );
      await assertSettled(branch, { ...base, protected: true });
    });

    test("after a rename that was done, and is done by the next up", async () => {
      const { project, branch, base } = await made(stage());
      const renamed = `${branch.name}-renamed`;
      const args = { ...base, name: renamed, restore: { trigger: "1", sourceBranchId: project.branchId } };
      const path = `^/projects/${project.id}/branches/[^/]+/restore$`;
      await stage().platform.fault({ method: "POST", path, status: 422, body: { code: "", message: "not now" } });
      await assert.rejects(branch.up(args), (error) => {
        assert.ok(error instanceof CallError && error.partial);
        assert.match(error.message, /not now/);
        return true;
      });
      assert.equal((await branchOf(stage(), branch)).name, renamed);
      assert.equal(await branch.up(args), "update");
      assert.equal((await restoresOf(stage(), branch)).length, 2);
      assert.ok((await branchOf(stage(), branch)).last_reset_at);
      await assertSettled(branch, args);
    });
  });

  describe("whose answer was lost", () => {
    test("is not done a second time if it was done", async () => {
      const { project, branch, base } = await made(stage(), { compute: {} });
      const path = `^/projects/${project.id}/branches/[^/]+/restore$`;
      for (const [resetTrigger, fault] of [
        ["1", { reset: "after" }],
        ["2", { truncate: true }],
      ] as const) {
        await stage().platform.fault({ method: "POST", path, ...fault });
        await branch.up({ ...base, resetTrigger });
        assert.equal((await branchOf(stage(), branch)).current_state, "ready");
        assert.equal((await restoresOf(stage(), branch)).length, Number(resetTrigger));
        await assertSettled(branch, { ...base, resetTrigger });
      }
    });

    test("fails, rather than hangs, if how to connect cannot be asked for afterwards", async () => {
      const { project, branch, base } = await made(stage(), { compute: {} });
      const path = `^/projects/${project.id}/connection_uri$`;
      await stage().platform.fault({ method: "GET", path, status: 401 });
      const args = { ...base, resetTrigger: "1" };
      await assert.rejects(
        branch.up(args),
        /connection_uri failed with HTTP 401.* The next `pulumi up` resumes from here\./,
      );
      await branch.up(args);
      assert.equal((await restoresOf(stage(), branch)).length, 1);
      assert.ok(branch.outputs["connectionUri"]);
      await assertSettled(branch, args);
    });

    test("is sent again if it never arrived, once that is certain", async () => {
      const { project, branch, base } = await made(stage());
      const path = `^/projects/${project.id}/branches/[^/]+/restore$`;
      await stage().platform.fault({ method: "POST", path, reset: "before" });
      await branch.up({ ...base, resetTrigger: "1" });
      assert.equal((await restoresOf(stage(), branch)).length, 2);
      assert.ok((await branchOf(stage(), branch)).last_reset_at);
      await assertSettled(branch, { ...base, resetTrigger: "1" });
    });
  });
});

describe("overwriting a branch when its operation does not end well", () => {
  const test = onStages(2);

  /** A restore whose operation ends in this way. */
  async function failed(stage: Stage, end: string, restore: Values) {
    const { project, branch, base } = await made(stage, { compute: {} });
    await stage.platform.fault({ action: "create_branch", end });
    const args = { ...base, restore };
    await assert.rejects(branch.up(args, end === "stuck" ? impatient : {}), (error) => {
      assert.ok(error instanceof CallError && error.partial);
      assert.match(error.message, /\(create_branch\).* The next `pulumi up` resumes from here\.$/);
      return true;
    });
    await stage.platform.clearFaults();
    return { project, branch, base, args };
  }

  for (const { end, refreshed } of [
    { end: "error", refreshed: false },
    { end: "cancelled", refreshed: true },
  ]) {
    test(`it ends ${end}: done again by the next up${refreshed ? " after a refresh" : ""}`, async (stage) => {
      const { branch, args } = await failed(stage, end, { trigger: "1" });
      assert.equal((await branchOf(stage, branch)).current_state, "resetting");
      if (refreshed) await branch.refresh();
      assert.equal(await branch.up(args), "update");
      assert.equal((await restoresOf(stage, branch)).length, 2);
      assert.equal((await branchOf(stage, branch)).current_state, "ready");
      await assertSettled(branch, args);
    });
  }

  test("it is stuck: waited for by the next up, and not done again", async (stage) => {
    const { branch, args } = await failed(stage, "stuck", { trigger: "1" });
    await branch.up(args);
    assert.equal((await restoresOf(stage, branch)).length, 1);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    await assertSettled(branch, args);
  });

  test("a name that keeps what there was is not used twice", async (stage) => {
    const { project, branch, args } = await failed(stage, "error", { trigger: "1", preserveUnderName: "before" });
    await branch.up(args);
    assert.deepEqual(await restoresOf(stage, branch), [
      { source_branch_id: project.branchId, preserve_under_name: "before" },
      { source_branch_id: project.branchId },
    ]);
    assert.equal((await stage.branches(project.id)).filter(({ name }) => name === "before").length, 1);
    await assertSettled(branch, args);
  });

  test("from its own history: says where that is now", async (stage) => {
    const { project, branch, base } = await made(stage);
    const restore = {
      trigger: "1",
      sourceBranchId: branchId(branch),
      sourceTimestamp: new Date().toISOString(),
      preserveUnderName: "before",
    };
    await stage.platform.fault({ action: "create_branch", end: "error" });
    await assert.rejects(branch.up({ ...base, restore }), /ended with status error/);
    const kept = (await stage.branches(project.id)).find(({ name }) => name === "before");
    await assert.rejects(
      branch.up({ ...base, restore }),
      new RegExp(
        `declare \`restore\\.sourceBranchId: "${kept?.id ?? ""}"\` and leave out \`restore\\.preserveUnderName\``,
      ),
    );
    const { trigger, sourceTimestamp } = restore;
    const other = { ...base, restore: { trigger, sourceTimestamp, sourceBranchId: kept?.id } };
    await branch.up(other);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    assert.equal((await branchOf(stage, branch)).parent_id, kept?.id);
    await assertSettled(branch, other);
  });

  test("a program that does not want it any more says that the branch cannot be used", async (stage) => {
    const { branch, base, args } = await failed(stage, "error", { trigger: "1" });
    const reason = /is still resetting: a restore of it ended badly, and the program does not declare it any more/;
    await assert.rejects(branch.up(base), reason);
    await assert.rejects(branch.up(base), reason);
    await branch.up(args);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    await assertSettled(branch, args);
  });

  test("nor does what another change half did away with come back as one when the program goes back", async (stage) => {
    const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
    const { project, branch, base } = await made(stage, { restore: { trigger: "1" }, compute });
    await stage.platform.fault({ action: "apply_config", end: "error" });
    const bigger = { projectId: project.id, compute: { ...compute, autoscalingLimitMaxCu: 2 } };
    await assert.rejects(branch.up(bigger), /ended with status error/);
    await branch.up(base);
    assert.deepEqual(await restoresOf(stage, branch), []);
    await assertSettled(branch, base);
  });

  test("the branch can be destroyed", async (stage) => {
    const { project, branch } = await failed(stage, "error", { trigger: "1" });
    await branch.destroy();
    assert.equal((await stage.branches(project.id)).length, 1);
  });

  test("an answer that was lost, too: done again at once", async (stage) => {
    const { branch, base } = await made(stage);
    await stage.platform.fault({ action: "create_branch", end: "error" });
    await stage.platform.fault({ method: "POST", path: "/restore$", reset: "after" });
    await branch.up({ ...base, resetTrigger: "1" }).catch(() => branch.up({ ...base, resetTrigger: "1" }));
    assert.equal((await restoresOf(stage, branch)).length, 2);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    await assertSettled(branch, { ...base, resetTrigger: "1" });
  });
});

describe("overwriting a branch by a process that is killed", () => {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  const changesOf = (id: string): readonly WrittenEntry[] =>
    entriesIn(journalIn(home)).filter(({ content }) => content["is"] === "change" && content["objectId"] === id);
  let stage: Stage;
  /** The next run on the same machine. */
  let later: DynamicServer;
  const killed = new Map<string, { readonly branch: EngineResource; readonly base: { readonly projectId: string } }>();

  /** Has a reset sent whose process does not live to record it. */
  async function interrupt(title: string, fault: Values, arrived: number | null = 200): Promise<void> {
    const { branch, base } = await made(stage, { compute: {} });
    await branch.up(base);
    const { state } = branch;
    await stage.platform.fault(fault);
    branch.up({ ...base, resetTrigger: "1" }).catch(() => undefined);
    await until(async () => {
      const [sent] = await stage.requests(`${branchId(branch)}/restore`);
      return sent?.status === arrived;
    });
    if (fault["end"] === "error") await stage.settled(base.projectId);
    const left = stage.resource("Branch", branch.name);
    left.state = state;
    killed.set(title, { branch: left, base });
  }

  /** Brings the branch of that title to a trigger by the next run. */
  async function upLater(title: string, resetTrigger = "1"): Promise<EngineResource> {
    const { branch, base } = killed.get(title) ?? assert.fail(title);
    branch.server = later;
    assert.equal(await branch.up({ ...base, resetTrigger }), "update");
    return branch;
  }

  /** There were so many restores in the end, the branch is as declared, and nobody looks for any of them any more. */
  async function assertDone(title: string, restores: number, resetTrigger = "1"): Promise<void> {
    const { branch, base } = killed.get(title) ?? assert.fail(title);
    assert.equal((await restoresOf(stage, branch)).length, restores);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    await assertSettled(branch, { ...base, resetTrigger });
    assert.deepEqual(changesOf(branch.id), []);
  }

  before(async () => {
    stage = await Stage.set({ home });
    for (const title of ["under way", "done", "wished otherwise", "deleted"]) {
      await interrupt(title, { action: "create_branch", end: "stuck" });
    }
    await interrupt("ended badly", { action: "create_branch", end: "error" });
    await interrupt("not started", { action: "start_compute", end: "error" });
    // Its answer would come long after everything here is over.
    await interrupt("not arrived", { method: "POST", path: "/restore$", status: 500, delayMs: 3_600_000 }, null);
    await stage.server.stop("SIGKILL");
    await stage.platform.clearFaults();
    await stage.settled(killed.get("done")?.base.projectId ?? "");
    later = await stage.anotherServer({ home });
    for (const { branch } of killed.values()) assert.equal(changesOf(branch.id).length, 1);
  });
  after(async () => {
    await later.stop();
    await stage.strike();
    rmSync(home, { recursive: true, force: true });
  });

  for (const { title, when } of [
    { title: "under way", when: "while it is under way" },
    { title: "done", when: "before it could record that it was done" },
  ]) {
    it(`${when} is not done again`, async () => {
      const branch = await upLater(title);
      assert.match(
        await branch.warning(),
        /^An interrupted run has already done this: restore branch \S+\. It is not repeated\.$/,
      );
      await assertDone(title, 1);
    });
  }

  it("before it arrived is done by the next up", async () => {
    const branch = await upLater("not arrived");
    assert.deepEqual(branch.said("warning"), []);
    await assertDone("not arrived", 2);
  });

  it("and ended badly after that is done by the next up", async () => {
    await upLater("ended badly");
    await assertDone("ended badly", 2);
  });

  it("and whose compute did not start after that is not done again", async () => {
    await assert.rejects(upLater("not started"), /\(start_compute\) ended with status error/);
    await upLater("not started");
    await assertDone("not started", 1);
  });

  it("is done again by another trigger", async () => {
    await upLater("wished otherwise", "2");
    await assertDone("wished otherwise", 2, "2");
  });

  it("leaves no entry in the journal when the branch is deleted", async () => {
    const { branch } = killed.get("deleted") ?? assert.fail();
    const { id } = branch;
    branch.server = later;
    await branch.destroy();
    assert.deepEqual(changesOf(id), []);
  });
});
