import assert from "node:assert/strict";

import { describe } from "mocha";

import { unknownText, type Values } from "../support/provider-server";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { assertSays, failsWith, refusesInputs } from "../support/expected-errors";
import { branchIdOf, branchOf, createdBranch, undeclaredBranch } from "../support/created-branch";
import { inDays } from "../support/in-days";
import { assertOutputs } from "../support/outputs";
import { concurrently, onStages, type Stage, suiteStage } from "../support/stage";
import { until } from "../support/until";
import { assertUpToDate } from "../support/up-to-date";

/** Options with a short timeout. */
const impatient: ResourceOptions = { timeouts: { update: "400ms" } };

/** The bodies of the restores that were sent for a branch. */
async function restoresOf(stage: Stage, resource: EngineResource): Promise<unknown[]> {
  const path = `/projects/${String(resource.outputs["projectId"])}/branches/${branchIdOf(resource)}/restore`;
  return (await stage.sent("/restore")).filter((sent) => sent.path === path).map(({ body }) => body);
}

/** Asserts that so many restores were sent for a branch, that it can be used, and that it is as declared. */
async function assertRestored(stage: Stage, branch: EngineResource, args: Values, restores: number): Promise<void> {
  assert.equal((await restoresOf(stage, branch)).length, restores);
  const { current_state, last_reset_at } = await branchOf(stage, branch);
  assert.equal(current_state, "ready");
  assert.ok(last_reset_at);
  await assertUpToDate(stage, branch, args);
}

describe("Branch restore", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("create › does not restore a branch that it creates or adopts", async () => {
    const declared = { restore: { trigger: "1" }, resetTrigger: "1" };
    const { project, branch, program } = await createdBranch(stage(), declared);
    assert.deepEqual(branch.outputs["restore"], { trigger: "1" });
    await assertUpToDate(stage(), branch, program);
    const { id, name } = await stage().branch(project.id);
    const adopted = stage().resource("Branch");
    await adopted.up({ projectId: project.id, name, adopt: id, ...declared });
    assert.deepEqual(await restoresOf(stage(), branch), []);
    assert.deepEqual(await restoresOf(stage(), adopted), []);
  });

  test("update › sends the declared source, point in time and name", async () => {
    const { project, branch, program } = await createdBranch(stage());
    const source = await stage().branch(project.id);
    const child = await stage().branch(project.id, { branch: { parent_id: branchIdOf(branch) } });
    const restore = {
      trigger: "1",
      sourceBranchId: source.id,
      sourceTimestamp: new Date(stage().now()).toISOString(),
      preserveUnderName: "before",
    };
    await branch.up({ ...program, restore });
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
    await assertUpToDate(stage(), branch, { ...program, restore });

    const [sourceLsn] = [(await branchOf(stage(), branch)).parent_lsn];
    await branch.up({ ...program, restore: { trigger: "2", sourceBranchId: source.id, sourceLsn } });
    assert.deepEqual((await restoresOf(stage(), branch))[1], { source_branch_id: source.id, source_lsn: sourceLsn });
    assert.equal((await branchOf(stage(), branch)).parent_lsn, sourceLsn);
  });

  test("update › restores from the own history (`self`), finds no drift in a declared parent, and does not choose between two", async () => {
    const { project, base, branch } = await undeclaredBranch(stage());
    const program = { ...base, parentId: project.branchId };
    await branch.up(program);
    const sourceTimestamp = new Date(stage().now()).toISOString();
    const own = { trigger: "1", sourceBranchId: "self", sourceTimestamp, preserveUnderName: "before" };
    await branch.up({ ...program, restore: own });
    assert.deepEqual(await restoresOf(stage(), branch), [
      { source_branch_id: branchIdOf(branch), source_timestamp: sourceTimestamp, preserve_under_name: "before" },
    ]);
    const kept = (await stage().branches(project.id)).find(({ name }) => name === "before");
    assert.equal((await branchOf(stage(), branch)).parent_id, kept?.id);
    await assertUpToDate(stage(), branch, { ...program, restore: own });
    // A reset does not choose between the two parents.
    const reason = `an earlier restore changed its parent to ${kept?.id ?? ""}, but the program declares \`parentId: "${project.branchId}"\`. Declare the one to restore from as \`restore.sourceBranchId\`.`;
    const reset = { ...program, restore: own, resetTrigger: "1" };
    await assert.rejects(branch.preview(reset), refusesInputs({ resetTrigger: reason }));
    await branch.up({ ...program, restore: { trigger: "2", sourceBranchId: project.branchId } });
    assert.equal((await branchOf(stage(), branch)).parent_id, project.branchId);
    await branch.up({ ...program, restore: { trigger: "2", sourceBranchId: project.branchId }, resetTrigger: "1" });
    assert.equal((await restoresOf(stage(), branch)).length, 3);
  });

  test("update › resets from the parent that the preview names, which a restore elsewhere has given the branch", async () => {
    const { project, branch, program } = await createdBranch(stage());
    const source = await stage().branch(project.id);
    const path = `/projects/${project.id}/branches/${branchIdOf(branch)}/restore`;
    // In the console.
    await stage().platform.call("POST", path, { source_branch_id: source.id });
    await stage().settled(project.id);
    // The first change counts as made: the branch has been restored since this stack last changed it.
    await branch.up({ ...program, resetTrigger: "0" });
    const reset = { ...program, resetTrigger: "1" };
    await branch.preview(reset);
    assertSays(branch.said("warning").at(-1) ?? "", `with that of its parent ${source.id}.`);
    await branch.up(reset);
    await branch.up({ ...reset, restore: { trigger: "1" } });
    const own = { source_branch_id: source.id };
    assert.deepEqual((await restoresOf(stage(), branch)).slice(1), [own, own]);
  });

  const time = "2025-01-31T12:00:00Z";
  for (const { title, change, warning } of [
    {
      title: "a reset",
      change: { resetTrigger: "1" },
      warning:
        /^Changing `resetTrigger` overwrites the data of this branch with that of its parent br-\S+\. The current data is lost\.$/,
    },
    {
      title: "a restore from another branch",
      change: { restore: { trigger: unknownText, sourceBranchId: "br-other-1", sourceTimestamp: time } },
      warning: `Changing \`restore.trigger\` overwrites the data of this branch with that of branch br-other-1 at ${time}. The current data is lost.`,
    },
    {
      title: "a restore from a branch that is not created yet",
      change: { restore: { trigger: "1", sourceBranchId: unknownText } },
      warning: "with that of branch (not known yet). The current data is lost.",
    },
    {
      title: "a restore from the own history",
      change: {
        restore: { trigger: "1", sourceBranchId: "self", sourceLsn: "0/1DE2850", preserveUnderName: "before" },
      },
      warning: "with that of its own history at 0/1DE2850. A new branch named before keeps the current data.",
    },
  ] as const) {
    test(`preview › warns of ${title}, which overwrites the data`, async () => {
      const { branch, program } = await createdBranch(stage());
      await branch.preview(program);
      assert.deepEqual(branch.said("warning"), []);
      await branch.preview({ ...program, ...change });
      assertSays(branch.warning, warning);
    });
  }

  test("update › reads the connection again, which has the passwords of the source", async () => {
    const { project, branch, program } = await createdBranch(stage(), { compute: {} });
    const roles = `/projects/${project.id}/branches/${project.branchId}/roles/neondb_owner`;
    const { body } = await stage().platform.call("POST", `${roles}/reset_password`);
    await stage().settled(project.id);
    const { connectionUri: old, endpointId, host } = branch.outputs;
    await branch.up({ ...program, resetTrigger: "1" });
    assert.ok((await branchOf(stage(), branch)).last_reset_at);
    const uri = String(branch.outputs["connectionUri"]);
    assert.notEqual(uri, old);
    assertOutputs(branch.outputs, { endpointId, host });
    assert.ok(uri.includes(body.role.password ?? "none"));
    await assertUpToDate(stage(), branch, { ...program, resetTrigger: "1" });
  });

  test("update › §6.7 keeps the connection in a project that stores no passwords", async () => {
    const { base, branch } = await undeclaredBranch(stage(), { store_passwords: false });
    const program = { ...base, compute: {} };
    await branch.up(program);
    const { connectionUri } = branch.outputs;
    await branch.up({ ...program, resetTrigger: "1" });
    assert.equal(branch.outputs["connectionUri"], connectionUri);
    await assertUpToDate(stage(), branch, { ...program, resetTrigger: "1" });
  });

  test("update › removes a protection before the restore, and adds one after it", async () => {
    const { branch, program } = await createdBranch(stage(), { protected: true });
    const renamed = `${branch.name}-renamed`;
    const methods = async () => (await stage().sent(branchIdOf(branch))).map(({ body }) => body);
    await branch.up({ ...program, name: renamed, protected: false, resetTrigger: "1" });
    assert.deepEqual((await methods())[0], { branch: { name: renamed, protected: false } });
    assert.equal((await restoresOf(stage(), branch)).length, 1);
    await branch.up({ ...program, name: branch.name, protected: true, resetTrigger: "2" });
    assert.deepEqual((await methods()).slice(2), [
      { branch: { name: branch.name } },
      { source_branch_id: branch.outputs["parentId"] },
      { branch: { protected: true } },
    ]);
    await assertUpToDate(stage(), branch, { ...program, name: branch.name, protected: true, resetTrigger: "2" });
  });

  test("update › keeps the declared expiry, which the platform extends", async () => {
    const expiresAt = inDays(1);
    const { branch, program, path } = await createdBranch(stage(), { expiresAt });
    // The platform extends the life of a branch that is reset: here, by two days.
    await stage().platform.call("PATCH", path, { branch: { expires_at: inDays(2) } });
    await branch.up({ ...program, resetTrigger: "1" });
    assert.equal((await branchOf(stage(), branch)).expires_at, expiresAt);
    await assertUpToDate(stage(), branch, { ...program, resetTrigger: "1" });
  });

  test("update › fails before it sends anything for a restore that cannot succeed", async () => {
    const { project, branch, program } = await createdBranch(stage());
    const own = { trigger: "1", sourceBranchId: branchIdOf(branch) };
    const before = (await stage().sent(project.id)).length;
    for (const more of [
      {},
      { preserveUnderName: "before" },
      { sourceTimestamp: new Date(stage().now()).toISOString() },
    ]) {
      await assert.rejects(
        branch.up({ ...program, name: "renamed", restore: { ...own, ...more } }),
        /was not restored: a restore from the branch's own history needs a point in time \(sourceTimestamp or sourceLsn\), and preserveUnderName for a branch that keeps the current data\. Declare both\./,
      );
    }
    assert.equal((await stage().sent(project.id)).length, before);
  });

  const noParent =
    "it is a root branch, which has no parent. Declare `restore.sourceBranchId`, the branch to restore from.";
  for (const parent of ["without a parent", "with the parent that has its schema"] as const) {
    test(`preview › fails for a root branch without a source: one that is declared ${parent}`, async () => {
      const { project, base, branch } = await undeclaredBranch(stage());
      const declaredParent = parent === "without a parent" ? {} : { parentId: project.branchId };
      const program = { ...base, ...declaredParent, initSource: "schema-only" };
      await branch.up(program);
      const restore = { trigger: "1", preserveUnderName: "before" };
      await assert.rejects(
        branch.preview({ ...program, resetTrigger: "1" }),
        refusesInputs({ resetTrigger: noParent }),
      );
      await assert.rejects(branch.preview({ ...program, restore }), refusesInputs({ "restore.trigger": noParent }));
      await branch.preview({ ...program, initSource: "parent-data", resetTrigger: "1" });
      assertSays(branch.said("warning").join("\n"), /replaces this branch/, { without: /overwrites/ });

      await branch.up({ ...program, restore: { ...restore, sourceBranchId: project.branchId } });
      // From now on, it has a parent.
      const reset = { ...program, restore, resetTrigger: "1" };
      await branch.up(reset);
      assert.equal((await restoresOf(stage(), branch)).length, 2);
      await assertUpToDate(stage(), branch, reset);
    });
  }

  test("update › fails for a root branch without a source that the preview has not found by its name", async () => {
    const { branch, program, path } = await createdBranch(stage(), { initSource: "schema-only" });
    await stage().platform.call("PATCH", path, { branch: { name: `${branch.name}-renamed` } });
    const reason = failsWith(`(${branchIdOf(branch)}) was not restored: ${noParent}`);
    await assert.rejects(branch.up({ ...program, resetTrigger: "1" }), reason);
    await assert.rejects(branch.up({ ...program, restore: { trigger: "1" } }), reason);
    assert.deepEqual(await restoresOf(stage(), branch), []);
  });

  test("update › explains the failure for a protected branch, a parent, an existing name and an unknown source", async () => {
    const { project, branch, program, path } = await createdBranch(stage());
    const child = await stage().branch(project.id, { branch: { name: "leaf", parent_id: branchIdOf(branch) } });
    await assert.rejects(
      branch.up({ ...program, resetTrigger: "1" }),
      new RegExp(
        `was not restored: it is the parent of leaf \\(${child.id}\\) \\(POST .*\\)\\. Declare \`restore\\.preserveUnderName\``,
      ),
    );
    const restore = { trigger: "1", preserveUnderName: "leaf" };
    await assert.rejects(
      branch.up({ ...program, restore }),
      /was not restored: a branch named "leaf" already exists \(POST .*\)\. Declare another/,
    );
    await assert.rejects(
      branch.up({ ...program, protected: true, restore: { trigger: "1", sourceBranchId: "br-no-such-1" } }),
      /was not restored: the project has no branch br-no-such-1 to restore from \(POST .*\)\. Declare another `restore\.sourceBranchId`\./,
    );
    // By somebody else: a declared protection is refused in the preview.
    await stage().platform.call("PATCH", path, { branch: { protected: true } });
    await assert.rejects(
      branch.up({ ...program, resetTrigger: "1" }),
      /was not restored: it is protected \(POST .*\)\. Set `protected: false`/,
    );
    await stage().platform.call("PATCH", path, { branch: { protected: false } });
    await assertUpToDate(stage(), branch, program);
  });

  test("update › keeps a rename that preceded a failed restore, and the next up restores", async () => {
    const { project, branch, program } = await createdBranch(stage());
    const renamed = `${branch.name}-renamed`;
    const args = { ...program, name: renamed, restore: { trigger: "1", sourceBranchId: project.branchId } };
    const path = `^/projects/${project.id}/branches/[^/]+/restore$`;
    await stage().platform.fault({ method: "POST", path, status: 422, body: { code: "", message: "not now" } });
    await assert.rejects(branch.up(args), failsWith("not now"));
    assert.equal(branch.present.failed.length, 1);
    assert.equal((await branchOf(stage(), branch)).name, renamed);
    assert.equal(await branch.up(args), "update");
    await assertRestored(stage(), branch, args, 2);
  });

  test("update › fails if the connection cannot be read afterwards, and the next up continues", async () => {
    const { project, branch, program } = await createdBranch(stage(), { compute: {} });
    const path = `^/projects/${project.id}/connection_uri$`;
    await stage().platform.fault({ method: "GET", path, status: 401 });
    const args = { ...program, resetTrigger: "1" };
    await assert.rejects(
      branch.up(args),
      /connection_uri failed with HTTP 401.* The next `pulumi up` resumes from here\./,
    );
    await branch.up(args);
    assert.equal((await restoresOf(stage(), branch)).length, 1);
    assert.ok(branch.outputs["connectionUri"]);
    await assertUpToDate(stage(), branch, args);
  });
});

describe("Branch restore", () => {
  const test = onStages(2);

  /** A restore whose operation ends in this way. */
  async function failRestore(stage: Stage, end: string, restore: Values) {
    const { project, branch, program } = await createdBranch(stage, { compute: {} });
    await stage.platform.fault({ action: "create_branch", end });
    const args = { ...program, restore };
    const reason = /\(create_branch\).* The next `pulumi up` resumes from here\.$/;
    await assert.rejects(branch.up(args, end === "stuck" ? impatient : {}), failsWith(reason));
    assert.equal(branch.present.failed.length, 1);
    await stage.platform.clearFaults();
    return { project, branch, program, args };
  }

  for (const { end, refreshed } of [
    { end: "error", refreshed: false },
    { end: "cancelled", refreshed: true },
  ]) {
    test(`update after a failed restore › sends the restore again if its operation ends as ${end}${refreshed ? ", also after a refresh" : ""}`, async (stage) => {
      const { branch, args } = await failRestore(stage, end, { trigger: "1" });
      assert.equal((await branchOf(stage, branch)).current_state, "resetting");
      if (refreshed) await branch.refresh();
      assert.equal(await branch.up(args), "update");
      await assertRestored(stage, branch, args, 2);
    });
  }

  test("update after a failed restore › continues to wait for a restore that timed out, without sending it again", async (stage) => {
    const { branch, args } = await failRestore(stage, "stuck", { trigger: "1" });
    await branch.up(args);
    await assertRestored(stage, branch, args, 1);
  });

  for (const isRefreshed of [false, true]) {
    test(`update after a failed restore › does not restore again if only the deletion of the old data has failed, and keeps what was created since${isRefreshed ? ", also after a refresh" : ""}`, async (stage) => {
      const { project, branch, program } = await createdBranch(stage, { compute: {} });
      const args = { ...program, restore: { trigger: "1" } };
      await stage.platform.fault({ action: "delete_timeline", end: "error" });
      await assert.rejects(branch.up(args), /\(delete_timeline\) ended with status error/);
      await stage.platform.clearFaults();
      const path = `/projects/${project.id}/branches/${branchIdOf(branch)}/roles`;
      await stage.platform.call("POST", path, { role: { name: "by_hand" } });
      await stage.settled(project.id);
      if (isRefreshed) await branch.refresh();
      // On another machine: nothing but the state knows of the restore.
      // Another change comes before the restore would.
      const renamed = { ...args, name: stage.name("renamed") };
      await (await stage.nextRun(branch)).up(renamed);
      assert.equal((await restoresOf(stage, branch)).length, 1);
      const { roles } = (await stage.platform.call("GET", path)).body;
      assert.ok(roles.some(({ name }: { readonly name: string }) => name === "by_hand"));
      assert.ok(
        branch.said("warning").some((text) => / counts as made: an interrupted run may have made it/.test(text)),
      );
      await assertUpToDate(stage, branch, renamed);
    });
  }

  test("update › restores once if the answer is lost and an operation of another branch fails", async (stage) => {
    const { project, branch, program } = await createdBranch(stage);
    const other = await stage.branch(project.id);
    const added = await stage.platform.call("POST", `/projects/${project.id}/endpoints`, {
      endpoint: { branch_id: other.id, type: "read_write" },
    });
    await stage.settled(project.id);
    await stage.platform.fault({ action: "suspend_compute", end: "error" });
    await stage.platform.call("POST", `/projects/${project.id}/endpoints/${added.body.endpoint.id}/suspend`);
    await stage.settled(project.id);
    await stage.platform.fault({ method: "POST", path: "/restore$", reset: "after" });
    const args = { ...program, resetTrigger: "1" };
    assert.equal(await branch.up(args), "update");
    await assertRestored(stage, branch, args, 1);
  });

  test("update after a failed restore › does not preserve the state under the same name twice", async (stage) => {
    const { project, branch, args } = await failRestore(stage, "error", {
      trigger: "1",
      preserveUnderName: "before",
    });
    await branch.up(args);
    assert.deepEqual(await restoresOf(stage, branch), [
      { source_branch_id: project.branchId, preserve_under_name: "before" },
      { source_branch_id: project.branchId },
    ]);
    assert.equal((await stage.branches(project.id)).filter(({ name }) => name === "before").length, 1);
    await assertUpToDate(stage, branch, args);
  });

  test("update after a failed restore › names the branch that has the history after a failed restore from the own history", async (stage) => {
    const { project, branch, program } = await createdBranch(stage);
    const restore = {
      trigger: "1",
      sourceBranchId: branchIdOf(branch),
      sourceTimestamp: new Date(stage.now()).toISOString(),
      preserveUnderName: "before",
    };
    await stage.platform.fault({ action: "create_branch", end: "error" });
    await assert.rejects(branch.up({ ...program, restore }), /ended with status error/);
    const kept = (await stage.branches(project.id)).find(({ name }) => name === "before");
    await assert.rejects(
      branch.up({ ...program, restore }),
      new RegExp(
        `was not restored: an earlier restore failed, .* declare \`restore\\.sourceBranchId: "${kept?.id ?? ""}"\` and remove \`restore\\.preserveUnderName\``,
      ),
    );
    const { trigger, sourceTimestamp } = restore;
    const other = { ...program, restore: { trigger, sourceTimestamp, sourceBranchId: kept?.id } };
    await branch.up(other);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    assert.equal((await branchOf(stage, branch)).parent_id, kept?.id);
    await assertUpToDate(stage, branch, other);
  });

  test("update after a failed restore › fails if the program no longer declares the restore", async (stage) => {
    const { branch, program, args } = await failRestore(stage, "error", { trigger: "1" });
    const reason = /cannot be used: a restore of it failed, and the program no longer declares that restore\. Declare/;
    await assert.rejects(branch.up(program), reason);
    await assert.rejects(branch.up(program), reason);
    await branch.up(args);
    assert.equal((await branchOf(stage, branch)).current_state, "ready");
    await assertUpToDate(stage, branch, args);
  });

  test("update after a failed restore › does not restore when the program reverts another failed change", async (stage) => {
    const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
    const { project, branch, program } = await createdBranch(stage, { restore: { trigger: "1" }, compute });
    await stage.platform.fault({ action: "apply_config", end: "error" });
    const bigger = { projectId: project.id, compute: { ...compute, autoscalingLimitMaxCu: 2 } };
    await assert.rejects(branch.up(bigger), /ended with status error/);
    await branch.up(program);
    assert.deepEqual(await restoresOf(stage, branch), []);
    await assertUpToDate(stage, branch, program);
  });

  test("update after a failed restore › sends the restore again if the answer was lost as well", async (stage) => {
    const { branch, program } = await createdBranch(stage);
    await stage.platform.fault({ action: "create_branch", end: "error" });
    await stage.platform.fault({ method: "POST", path: "/restore$", reset: "after" });
    await branch.up({ ...program, resetTrigger: "1" }).catch(() => branch.up({ ...program, resetTrigger: "1" }));
    await assertRestored(stage, branch, { ...program, resetTrigger: "1" }, 2);
  });
});

describe("Branch restore", () => {
  const test = onStages(2);

  for (const [when, fault, restores, isCounted] of [
    [
      "does not send the restore again if the run was killed while it was running",
      { action: "create_branch", end: "stuck" },
      1,
      true,
    ],
    ["sends the restore again if it has failed", { action: "create_branch", end: "error" }, 2, false],
    [
      "does not send the restore again if only the start of the compute has failed",
      { action: "start_compute", end: "error" },
      1,
      true,
    ],
    // The answer would arrive long after the end of this suite.
    [
      "sends the restore if it had not arrived",
      { method: "POST", path: "/restore$", status: 500, delayMs: 3_600_000 },
      2,
      false,
    ],
  ] as const) {
    test(`update after a killed run › ${when}`, async (stage) => {
      const { branch, program } = await killedRestore(stage, fault);
      assert.equal(await branch.up({ ...program, resetTrigger: "1" }), "update");
      const counts =
        /^The branch \S+ .*was restored or reset after this stack last changed it \(last reset at \S+\)\. The change of `resetTrigger` counts as made: /;
      assert.equal(
        branch.said("warning").some((text) => counts.test(text)),
        isCounted,
      );
      await assertRestored(stage, branch, { ...program, resetTrigger: "1" }, restores);
    });
  }

  test("update after a killed run › counts a change to another trigger as made, too, and sends a restore for the one after it", async (stage) => {
    const { branch, program } = await killedRestore(stage, { action: "create_branch", end: "stuck" });
    for (const [resetTrigger, restores] of [
      ["2", 1],
      ["3", 2],
    ] as const) {
      assert.equal(await branch.up({ ...program, resetTrigger }), "update");
      await assertRestored(stage, branch, { ...program, resetTrigger }, restores);
    }
  });
});

/** Sends a reset from a process that is killed before it records the result. Returns the branch in the next run. */
async function killedRestore(stage: Stage, fault: Values) {
  const { branch, program } = await createdBranch(stage, { compute: {} });
  const { state } = branch;
  await stage.nextRun(branch);
  await stage.platform.fault(fault);
  branch.up({ ...program, resetTrigger: "1" }).catch(() => undefined);
  const arrived = "delayMs" in fault ? null : 200;
  await until(async () =>
    (await stage.requests(`${branchIdOf(branch)}/restore`)).some(({ status }) => status === arrived),
  );
  if (fault["end"] === "error") await stage.settled(program.projectId);
  await branch.server.stop("SIGKILL");
  await stage.platform.clearFaults();
  branch.state = state;
  await stage.nextRun(branch);
  return { branch, program };
}
