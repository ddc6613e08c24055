import assert from "node:assert/strict";

import { describe } from "mocha";

import { concurrently, suiteStage } from "../support/stage";
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
