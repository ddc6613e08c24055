import assert from "node:assert/strict";

import { describe } from "mocha";

import { failsWith } from "../support/expected-errors";
import { concurrently, type Stage, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

describe("Branch › snapshotId", () => {
  const stage = suiteStage();
  const anotherRun = suiteServer(stage);
  const test = concurrently();

  test("restores a snapshot as a branch, and gives it the declared compute, protection and expiry afterwards", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await snapshotOf(stage(), projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("copy"), compute: { autoscalingLimitMaxCu: 1 } };
    const sent = await stage().sentBy(projectId, () => branch.up(declared));
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path.replace(projectId, "…")}`),
      [`POST /projects/…/snapshots/${snapshotId}/restore`, "POST /projects/…/endpoints"],
    );
    const [found] = (await stage().branches(projectId)).filter(({ name }) => name === declared.name);
    assert.equal(found?.restored_from, snapshotId);
    assert.equal(branch.outputs["parentId"], undefined);
    await assertUpToDate(stage(), branch, declared);
    assert.equal(await branch.up({ ...declared, protected: true }), "update");
    await branch.up({ ...declared, protected: false });
    assert.equal((await branch.preview({ ...declared, snapshotId: "snap-other-000001" })).step, "replace");
    const adopting = stage().resource("Branch");
    adopting.server = anotherRun();
    assert.equal(await adopting.up({ ...declared, adopt: true }), "create");
    assert.equal(adopting.id, branch.id);
  });

  test("excludes what only a copy of a parent has", async () => {
    const declared = { projectId: "spring-example-302709", snapshotId: "snap-one" };
    await assert.rejects(
      stage()
        .resource("Branch")
        .preview({ ...declared, parentId: "br-one" }),
      /cannot be declared together with `snapshotId`/,
    );
  });

  test("names the branch, with the line that adopts it, if the answer to the restore is lost", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await snapshotOf(stage(), projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("lost") };
    await stage().platform.fault({ method: "POST", path: `${snapshotId}/restore`, reset: "after", times: 1 });
    await assert.rejects(branch.up(declared), failsWith("already exists", 'adopt: "br-'));
    assert.equal((await stage().branches(projectId)).length, 2);
    assert.equal(await branch.up({ ...declared, adopt: true }), "create");
  });
});

async function snapshotOf(stage: Stage, projectId: string, branchId: string): Promise<string> {
  const { body } = await stage.platform.call("POST", `/projects/${projectId}/branches/${branchId}/snapshot`);
  await stage.settled(projectId);
  return body.snapshot.id;
}
