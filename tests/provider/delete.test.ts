import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { EngineResource } from "../support/engine";
import { createdBranch } from "../support/created-branch";
import { failsWith } from "../support/expected-errors";
import { samples } from "../support/samples";
import { concurrently, suiteStage } from "../support/stage";

describe("delete", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** A destroy that fails, and leaves the state as it was. */
  async function assertStays(resource: EngineResource, reason: RegExp): Promise<void> {
    const before = resource.present;
    await assert.rejects(resource.destroy(), failsWith(reason));
    assert.deepEqual(resource.state, before);
    const path = `/projects/${before.id.replace("/", "/branches/")}`;
    assert.equal((await stage().platform.call("GET", path)).status, 200);
  }

  for (const sample of Object.values(samples)) {
    const { kind } = sample;
    test(`keeps an object in the state, or deletes it, if a wrong answer says that it does not exist: ${kind}`, async () => {
      const declared = await sample.declare(stage());
      const resource = stage().resource(kind);
      await resource.up(declared);
      const { deletedBy: method = "DELETE" } = sample;
      for (const answer of [{ status: 404 }, { status: 204 }, { status: 200, body: {} }]) {
        const { outputs } = resource;
        // The object's own project, key, member, VPC endpoint or organization.
        const { projectId, keyId, memberId, vpcEndpointId, orgId } = outputs;
        const path = `/${String(projectId ?? keyId ?? memberId ?? vpcEndpointId ?? orgId)}(/|$)`;
        await stage().platform.fault({ method, path, ...answer });
        const isDeleted = await resource.destroy().then(
          () => true,
          (error: unknown) => {
            assert.match(String(error), /Run the same command again\.$/);
            return false;
          },
        );
        assert.equal(await sample.exists(stage(), outputs), !isDeleted, JSON.stringify(answer));
        assert.equal(resource.state === undefined, isDeleted);
        if (isDeleted) await resource.up(declared);
      }
      await resource.destroy();
      assert.equal(resource.state, undefined);
    });
  }

  test("§6.12 fails for a protected branch, names `protected: false`, and never removes the protection itself", async () => {
    const { projectId, base, branch } = await createdBranch(stage(), { protected: true });
    await assertStays(branch, /was not deleted: it is protected \(.*\)\. Set `protected: false`, run `pulumi up`/);
    const sent = await stage().sent(projectId);
    assert.ok(sent.every(({ method }) => method !== "PATCH"));
    await branch.up({ ...base, protected: false });
    await branch.destroy();
    assert.equal(branch.state, undefined);
  });

  test("§6.12 fails for a project with a protected branch, and keeps it in the state", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { id } = await stage().branch(project.id, { branch: { protected: true } });
    await assertStays(
      project,
      new RegExp(
        `The project ${project.id} was not deleted: its branch \\S+ \\(${id}\\) is protected \\(.*HTTP 422: cannot delete a project that has a protected branch.*\\)\\. Set \`protected: false\` on that branch, run \`pulumi up\`, then delete the project`,
      ),
    );
    const path = `/projects/${project.id}/branches/${id}`;
    await stage().platform.call("PATCH", path, { branch: { protected: false } });
    await project.destroy();
    assert.equal(project.state, undefined);
  });

  test("§6.12 fails with the platform's own reason", async () => {
    const { branch, path } = await createdBranch(stage());
    for (const status of [422, 403]) {
      await stage().platform.fault({ method: "DELETE", path: `^${path}$`, status, body: { message: "not this one" } });
      await assertStays(branch, new RegExp(`HTTP ${status}: not this one`));
    }
    await branch.destroy();
  });

  for (const { title, hold, warning } of [
    {
      title: "that somebody made the default one",
      hold: async (projectId: string, branchId: string): Promise<void> => {
        await stage().platform.call("POST", `/projects/${projectId}/branches/${branchId}/set_as_default`);
      },
      warning: /^The branch \S+ \(br-\S+\) is the project's default branch, and is deleted with the project\. /,
    },
    {
      title: "of which somebody created a child",
      hold: async (projectId: string, branchId: string): Promise<void> => {
        await stage().branch(projectId, { branch: { parent_id: branchId } });
      },
      warning:
        /^The branch \S+ \(br-\S+\) is the parent of the branch \S+ \(br-\S+\), and Neon deletes no branch that has children\. /,
    },
  ]) {
    test(`leaves a branch ${title} to the deletion of its project, and fails if the program keeps that`, async () => {
      const project = stage().resource("Project");
      await project.up({});
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id });
      await hold(project.id, String(branch.outputs["branchId"]));
      await stage().nextRun(branch);
      project.server = branch.server;
      await project.up({});
      await assertStays(branch, /was not deleted: it is the /);
      await stage().nextRun(branch);
      project.server = branch.server;
      await branch.destroy();
      assert.equal(branch.state, undefined);
      const [said = ""] = branch.said("warning");
      assert.match(said, warning);
      assert.match(said, / It goes with its project\. Pulumi only removes it from the state\.$/);
      await project.destroy();
      assert.deepEqual(await stage().projects(project.name), []);
    });
  }

  // The fault hits the next operation of this action, so that this runs after all others.
  it("keeps the branch in the state if its operation exceeds the time limit, and the next destroy succeeds", async () => {
    const { id } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: id }, { timeouts: { delete: "400ms" } });
    await stage().platform.fault({ action: "delete_timeline", end: "stuck" });
    await assert.rejects(
      branch.destroy(),
      /Timed out after \d+(\.\d)? s: operation \S+ \(delete_timeline\) is running.* Run the same command again\. See \S+#unfinished-operation\.$/,
    );
    assert.ok(branch.state);
    await stage().platform.clearFaults();
    await branch.destroy();
    assert.equal(branch.state, undefined);
    assert.equal((await stage().branches(id)).length, 1);
  });
});
