import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import { failsWith } from "../support/expected-errors";
import { createdBranch, undeclaredBranch } from "../support/created-branch";
import { concurrently, suiteStage } from "../support/stage";
import { assertRefreshed, assertUnchanged, assertUpToDate } from "../support/up-to-date";

describe("Branch", () => {
  const stage = suiteStage();
  const test = concurrently();

  const small = { autoscalingLimitMaxCu: 0.25 };
  const large = { autoscalingLimitMaxCu: 2 };

  /** A branch with a small compute that was deleted without the provider. */
  async function withoutCompute() {
    const { projectId, branch, branchId } = await createdBranch(stage(), { compute: small });
    const endpointId = String(branch.outputs["endpointId"]);
    await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${endpointId}`);
    await stage().settled(projectId);
    return { projectId, branch, branchId, endpointId };
  }

  test("create › has as many annotations as Neon allows with this package's own", async () => {
    const { id: projectId } = await stage().project();
    const annotations = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`a${index}`, "b"]));
    const branch = stage().resource("Branch");
    await branch.up({ projectId, annotations });
    assert.deepEqual(branch.outputs["annotations"], annotations);
  });

  test("update › fails for a compute that somebody else has deleted, and advises `pulumi refresh`, after which up creates another one", async () => {
    const { projectId, branch, branchId, endpointId } = await withoutCompute();
    const { state } = branch;
    const request = `PATCH /projects/${projectId}/endpoints/${endpointId} failed with HTTP 404`;
    const reason = `^The compute ${endpointId} of branch ${branchId} no longer exists \\(${request}: [^)]+\\)`;
    const advice = "\\. Run `pulumi refresh`, and then `pulumi up`\\. See \\S+#not-found\\.$";
    await assert.rejects(branch.up({ projectId, compute: large }), failsWith(new RegExp(reason + advice)));
    assert.equal(branch.state, state);
    assert.equal(await branch.refresh(), "changed");
    assert.equal(await branch.up({ projectId, compute: large }), "update");
    assert.notEqual(branch.outputs["endpointId"], endpointId);
    assert.equal((await stage().computes(projectId, branchId)).length, 1);
  });

  test("update › keeps an earlier change if the compute was deleted, and the next up creates another one", async () => {
    const { projectId, branch, branchId } = await withoutCompute();
    const args = { projectId, name: "renamed", compute: large };
    await assert.rejects(
      branch.up(args),
      failsWith(/no longer exists \(.*\)\. The next `pulumi up` resumes from here\.$/),
    );
    assert.equal(await branch.up(args), "update");
    assert.equal((await stage().computes(projectId, branchId)).length, 1);
  });

  test("update › reports the branch if it was deleted together with the compute", async () => {
    const { projectId, branch, branchId } = await withoutCompute();
    await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
    await stage().settled(projectId);
    await assert.rejects(
      branch.up({ projectId, compute: large }),
      failsWith(`The branch ${branch.id} no longer exists`),
    );
  });

  test("create › sends the point in time, and compares it as an instant", async () => {
    const { projectId, branch } = await undeclaredBranch(stage());
    // Later than the creation of the project, to the millisecond.
    const parentTimestamp = new Date(stage().now()).toISOString();
    const args = { projectId, parentTimestamp };
    const [creation] = await stage().sentBy(projectId, () => branch.up(args));
    assert.ok(creation);
    const { annotation_value: _, ...body } = creation.body as Values;
    assert.deepEqual(body, { branch: { name: branch.name, parent_timestamp: parentTimestamp } });
    await assertUpToDate(stage(), branch, args);
    const offset = new Date(Date.parse(parentTimestamp) + 7_200_000).toISOString().replace("Z", "+02:00");
    assert.equal((await branch.preview({ ...args, parentTimestamp: offset })).changes, false);
  });

  test("create › §6.7 never reads a password in a project that stores none", async () => {
    const project = stage().resource("Project");
    await project.up({ storePasswords: false });
    assert.match(String(project.outputs["connectionUri"]), /^postgresql:/);
    await assertRefreshed(project);
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, compute: {} };
    await branch.up(args);
    await assertUpToDate(stage(), branch, args);
    // A compute that is created later has a host, but its password cannot be read.
    await branch.up({ projectId: project.id });
    await branch.up(args);
    assert.match(String(branch.outputs["host"]), /^ep-/);
    assert.equal(branch.outputs["connectionUri"], undefined);
    await assertRefreshed(branch);
  });

  test("update › names the branch that has the new name already", async () => {
    const { project, branch, program } = await createdBranch(stage());
    const other = await stage().branch(project.id);
    await assert.rejects(
      branch.up({ ...program, name: other.name }),
      failsWith(
        new RegExp(
          `was not renamed: the branch ${other.name} \\(${other.id}\\) has that name already \\(PATCH .*HTTP 409.*\\)\\..* Declare another \`name\`\\. `,
        ),
        { without: /delete/ },
      ),
    );
  });

  test("update › §6.22 resizes the compute for changed sizes only, and outputs its connection only while there is one", async () => {
    const { projectId, base, branch } = await createdBranch(stage());
    const connection = ["connectionUri", "host", "poolerHost", "endpointId", "roleName", "databaseName"];
    for (const output of connection) assert.equal(branch.outputs[output], undefined, output);
    await branch.up({ ...base, compute: {} });
    const endpointId = String(branch.outputs["endpointId"]);
    assert.match(String(branch.outputs["connectionUri"]), new RegExp(`@${endpointId}\\.`));

    const sizes = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2, settings: { preloadLibraries: {} } };
    const path = `/projects/${projectId}/endpoints/${endpointId}`;
    assert.deepEqual(await stage().sentBy(projectId, () => branch.up({ ...base, compute: sizes })), [
      {
        method: "PATCH",
        path,
        body: { endpoint: { autoscaling_limit_min_cu: 1, settings: { preload_libraries: {} } } },
      },
    ]);
    for (const compute of [sizes, { autoscalingLimitMaxCu: 2 }, {}]) {
      await assertUnchanged(stage(), branch, { ...base, compute });
    }
    await branch.up(base);
    for (const output of connection) assert.equal(branch.outputs[output], undefined, output);
    await assertRefreshed(branch);
  });

  test("update › ignores a compute that the program never declared", async () => {
    const { projectId, base, branch, branchId } = await createdBranch(stage());
    const endpoint = { branch_id: branchId, type: "read_write" };
    await stage().platform.call("POST", `/projects/${projectId}/endpoints`, { endpoint });
    await stage().settled(projectId);
    assert.equal(await branch.refresh(), "same");
    await assertUnchanged(stage(), branch, base);
    assert.equal(await branch.up({ ...base, protected: true }), "update");
    assert.equal((await stage().computes(projectId, branchId)).length, 1);
  });

  test("update › §6.22 outputs no connection URI if there are several roles", async () => {
    const { base, branch, path: branchPath } = await createdBranch(stage());
    const path = `${branchPath}/roles`;
    const { roles } = (await stage().platform.call("GET", path)).body;
    const body = { roles: [...roles, ...roles.map((role) => ({ ...role, name: "second" }))] };
    await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 200, body });
    await branch.up({ ...base, compute: {} });
    assert.match(String(branch.outputs["host"]), /^ep-/);
    for (const output of ["connectionUri", "roleName"]) assert.equal(branch.outputs[output], undefined, output);
    assert.equal(branch.outputs["databaseName"], "neondb", "there is only one");
    await assertRefreshed(branch);
  });

  test("replace › §6.11 replaces the branch when its declared parent changes, and not when that is omitted", async () => {
    const project = await stage().project();
    const [one, other] = [await stage().branch(project.id), await stage().branch(project.id)];
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, parentId: one.id };
    await branch.up(args);
    const { id } = branch;
    assert.equal(branch.outputs["parentId"], one.id);
    await assertUpToDate(stage(), branch, args);
    await assertUnchanged(stage(), branch, { projectId: project.id });

    const moved = { projectId: project.id, parentId: other.id };
    assert.equal(await branch.up(moved), "replace");
    assert.notEqual(branch.id, id);
    const [now, ...rest] = (await stage().branches(project.id)).filter(({ name }) => name === branch.name);
    assert.deepEqual(rest, []);
    assert.equal(now?.parent_id, other.id);
    await assertUnchanged(stage(), branch, moved);
  });
});
