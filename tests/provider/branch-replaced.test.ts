import assert from "node:assert/strict";

import { describe } from "mocha";

import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { concurrently, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

describe("a branch that somebody has restored a snapshot over, and finalized", () => {
  const stage = suiteStage();
  /** The run after `pulumi state delete`. */
  const later = suiteServer(stage);
  /** `pulumi refresh`, which runs no program. */
  const refresher = suiteServer(stage);
  const test = concurrently();

  async function refresh(resource: EngineResource): Promise<void> {
    const { server } = resource;
    resource.server = refresher();
    await resource.refresh();
    resource.server = server;
  }

  /** What the refreshes of a resource have warned of. */
  const warnings = ({ urn }: EngineResource): string[] =>
    refresher()
      .lines.filter((line) => line.urn === urn && line.is === "warning")
      .map(({ text }) => text);

  /** A root branch with a compute, over which a snapshot of it is restored by `restore`. */
  async function withSnapshot() {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const program = { projectId, initSource: "schema-only", name: stage().name("live"), compute: {} };
    await branch.up(program);
    const { branchId, endpointId } = branch.outputs;
    const snapshotId = await stage().snapshot(projectId, String(branchId));
    const restore = (): Promise<RestoredBranch> => restored(projectId, snapshotId, String(branchId), program.name);
    return { projectId, branch, program, branchId: String(branchId), endpointId: String(endpointId), restore };
  }

  interface RestoredBranch {
    readonly newId: string;
    readonly oldName: string;
    /** What every command says. */
    readonly said: string;
  }

  async function restored(
    projectId: string,
    snapshotId: string,
    branchId: string,
    name: string,
  ): Promise<RestoredBranch> {
    const path = `/projects/${projectId}/snapshots/${snapshotId}/restore`;
    const { status, body } = await stage().platform.call("POST", path, { finalize_restore: true });
    assert.equal(status, 200, body.message);
    await stage().settled(projectId);
    const { id: newId } = body.branch;
    const old = (await stage().branches(projectId)).find(({ id }) => id === branchId);
    const oldName = old?.name ?? assert.fail();
    return {
      newId,
      oldName,
      said: `A snapshot was restored over the branch ${oldName} (${branchId}): the branch ${name} (${newId}) has its name and its computes now. To manage that branch, remove this one from the state (\`pulumi state delete --target-dependents\`) and declare \`adopt: "${newId}"\`. To keep managing this one, declare \`name: "${oldName}"\` and no \`compute\`. See neon-pulumi/docs/restore.md#after-a-snapshot-was-restored-over-a-branch.`,
    };
  }

  /** Asserts that neither a preview nor an `up` of the program does anything but say that. */
  async function assertRefused(branch: EngineResource, program: Values, said: string): Promise<void> {
    const includes = (error: unknown): boolean => {
      assert.ok(String(error).includes(said), String(error));
      return true;
    };
    const sent = await stage().sentBy(String(program["projectId"]), async () => {
      await assert.rejects(branch.preview(program), includes);
      await assert.rejects(branch.up(program), includes);
    });
    assert.deepEqual(sent, []);
  }

  test("refresh, preview and up say the same, also for another name, and nothing is created", async () => {
    const { branch, program, restore } = await withSnapshot();
    const { said } = await restore();
    for (const _ of ["first", "second"]) await refresh(branch);
    assert.deepEqual(warnings(branch), [said, said]);
    for (const changed of [{}, { name: "another" }]) await assertRefused(branch, { ...program, ...changed }, said);
    const { compute: _, ...bare } = program;
    await assertRefused(branch, bare, said);
  });

  test("an up without a refresh says the same when the program changes the name or the compute", async () => {
    const { projectId, branch, program, restore } = await withSnapshot();
    const { said } = await restore();
    for (const changed of [{ name: "another" }, { compute: { autoscalingLimitMaxCu: 4 } }]) {
      const sent = await stage().sentBy(projectId, () =>
        assert.rejects(branch.up({ ...program, ...changed }), (error) => String(error).includes(said)),
      );
      assert.deepEqual(sent, []);
    }
  });

  test("it is named with the branch that has its name now, after two restores", async () => {
    const { projectId, branch, program, branchId, restore } = await withSnapshot();
    const { newId } = await restore();
    const second = await restored(projectId, await stage().snapshot(projectId, newId), branchId, program.name);
    await refresh(branch);
    assert.deepEqual(warnings(branch), [second.said]);
  });

  test("its replacement is managed with its compute after `pulumi state delete`, with `adopt`", async () => {
    const { projectId, branch, program, endpointId, restore } = await withSnapshot();
    const { newId } = await restore();
    const adopting = stage().resourceOf(later(), "Branch", branch.name);
    const { initSource: _, ...declared } = program;
    assert.deepEqual(await stage().sentBy(projectId, () => adopting.up({ ...declared, adopt: newId })), []);
    assert.equal(adopting.outputs["endpointId"], endpointId);
    assert.match(String(adopting.outputs["connectionUri"]), new RegExp(`@${endpointId}\\.`));
    await assertUpToDate(stage(), adopting, { ...declared, adopt: newId });
  });

  test("it stays managed under its new name, without a compute, and is deleted with the stack", async () => {
    const { projectId, branch, program, branchId, endpointId, restore } = await withSnapshot();
    const { newId, oldName } = await restore();
    const { compute: _, ...bare } = program;
    await refresh(branch);
    assert.deepEqual(await stage().sentBy(projectId, () => branch.up({ ...bare, name: oldName })), []);
    await branch.destroy();
    const left = (await stage().branches(projectId)).map(({ id }) => id);
    assert.ok(left.includes(newId) && !left.includes(branchId));
    assert.deepEqual(
      (await stage().computes(projectId, newId)).map(({ id }) => id),
      [endpointId],
    );
  });

  test("a refresh of its project and of its computes says so, too", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const base = { projectId: project.id, branchId: String(project.outputs["defaultBranchId"]) };
    const primary = stage().resource("Endpoint");
    await primary.up({ ...base, type: "read_write", adopt: true });
    const replica = stage().resource("Endpoint");
    await replica.up({ ...base, type: "read_only" });
    const snapshotId = await stage().snapshot(project.id, base.branchId);
    const { said, newId } = await restored(project.id, snapshotId, base.branchId, "main");
    await refresh(project);
    assert.deepEqual(warnings(project), [said]);
    for (const compute of [primary, replica]) {
      for (const _ of ["first", "second"]) await refresh(compute);
      const { endpointId } = compute.outputs;
      const moved = `The compute ${String(endpointId)} of branch ${base.branchId} belongs to branch ${newId} now. It is neither changed nor deleted here. Remove the resource with \`pulumi state delete\`. To manage this compute then, declare \`branchId: "${newId}"\` and \`adopt: "${String(endpointId)}"\`.`;
      assert.deepEqual(warnings(compute), [moved, moved]);
    }
  });
});
