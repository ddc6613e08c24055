import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith, refusesAdoption } from "../support/expected-errors";
import { concurrently, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

describe("Branch › snapshotId", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("restores a snapshot as a branch, and gives it the declared compute afterwards", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await stage().snapshot(projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("copy"), compute: { autoscalingLimitMaxCu: 1 } };
    const sent = await stage().sentBy(projectId, () => branch.up(declared));
    const endpointId = String(branch.outputs["endpointId"]);
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path.replace(projectId, "…")}`),
      [`POST /projects/…/snapshots/${snapshotId}/restore`, `PATCH /projects/…/endpoints/${endpointId}`],
    );
    const [found] = (await stage().branches(projectId)).filter(({ name }) => name === declared.name);
    assert.equal(found?.restored_from, snapshotId);
    assert.equal(branch.outputs["parentId"], undefined);
    await assertUpToDate(stage(), branch, declared);
  });

  test("is found by its name and its snapshot, and gets its compute, if the answer to the restore is lost", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await stage().snapshot(projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("lost"), compute: { autoscalingLimitMaxCu: 1 } };
    await stage().platform.fault({ method: "POST", path: `${snapshotId}/restore`, reset: "after", times: 1 });
    assert.equal(await branch.up(declared), "create");
    assert.match(branch.warning, /appeared when a request was sent whose response is lost, and is as declared/);
    assert.equal((await stage().branches(projectId)).length, 2);
    await assertUpToDate(stage(), branch, declared);
  });
});

describe("Branch › snapshotId, whose restore was sent by a run that was killed before the answer", () => {
  const stage = suiteStage();
  const next = suiteServer(stage);
  const consenting = suiteServer(stage, { config: { adopt: "true" } });

  /** The resource in the next run, and what it declares. */
  async function killed() {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await stage().snapshot(projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("copy"), compute: { autoscalingLimitMaxCu: 1 } };
    await stage().platform.call("POST", `/projects/${projectId}/snapshots/${snapshotId}/restore`, {
      name: declared.name,
    });
    await stage().settled(projectId);
    const restored = (await stage().branches(projectId)).find(({ name }) => name === declared.name);
    branch.server = next();
    return { branch, declared, projectId, branchId, restored };
  }

  it("is named by the next run, and adopted with consent, which gives it its compute", async () => {
    const { branch, declared, projectId, restored } = await killed();
    await assert.rejects(
      branch.up(declared),
      failsWith(`A branch with this name already exists: ${projectId}/${restored?.id ?? ""}, created at`),
    );
    branch.server = consenting();
    assert.equal(await branch.up(declared), "create");
    assert.equal(branch.outputs["branchId"], restored?.id);
    await assertUpToDate(stage(), branch, declared);
    assert.equal((await stage().branches(projectId)).length, 2);
  });

  it("is not adopted as a branch of another snapshot: the preview says why", async () => {
    const { branch, declared, projectId, branchId, restored } = await killed();
    const snapshotId = await stage().snapshot(projectId, branchId);
    branch.server = consenting();
    await assert.rejects(
      branch.preview({ ...declared, snapshotId }),
      refusesAdoption(restored?.id ?? "", `\`snapshotId\` (now "${declared.snapshotId}")`),
    );
    assert.equal((await stage().branches(projectId)).length, 2);
  });
});
