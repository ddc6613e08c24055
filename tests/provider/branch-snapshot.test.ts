import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import { entriesOf } from "../support/journal";
import { suiteRuns } from "../support/runs";
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

  test("is found by its name and its snapshot, and gets its compute, if the answer to the restore is lost", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await snapshotOf(stage(), projectId, branchId);
    const branch = stage().resource("Branch");
    const declared = { projectId, snapshotId, name: stage().name("lost"), compute: { autoscalingLimitMaxCu: 1 } };
    await stage().platform.fault({ method: "POST", path: `${snapshotId}/restore`, reset: "after", times: 1 });
    assert.equal(await branch.up(declared), "create");
    assert.match(branch.warning, /appeared when a request was sent whose response is lost, and is as declared/);
    assert.equal((await stage().branches(projectId)).length, 2);
    await assertUpToDate(stage(), branch, declared);
  });
});

describe("Branch › snapshotId, in a run that is killed before the answer to the restore", () => {
  const stage = suiteStage();
  const runs = suiteRuns(stage);

  /** The resource in the next run, and what it declares. */
  async function killed() {
    const { id: projectId, branchId } = await stage().project();
    const snapshotId = await snapshotOf(stage(), projectId, branchId);
    const declared = { projectId, snapshotId, name: stage().name("copy"), compute: { autoscalingLimitMaxCu: 1 } };
    const former = stage().resource("Branch");
    const gate = await runs().gate();
    const answer = gate.holdNextAnswer();
    const server = await runs().start();
    former.server = server;
    former.up(declared).catch(() => undefined);
    await answer.arrived;
    await runs().end(server, "SIGKILL");
    await stage().settled(projectId);
    const next = stage().resource("Branch", former.name);
    const restored = (await stage().branches(projectId)).find(({ name }) => name === declared.name);
    return { next, declared, projectId, branchId, restored };
  }

  it("is recovered by its name, its snapshot and the time, and gets its compute", async () => {
    const { next, declared, projectId, restored } = await killed();
    await runs().run([next], async () => {
      await next.up(declared);
      await assertUpToDate(stage(), next, declared);
    });
    assert.match(
      next.warning,
      /appeared when an interrupted run sent its request, and is as declared\. It was recovered/,
    );
    assert.equal(next.outputs["branchId"], restored?.id);
    assert.equal((await stage().branches(projectId)).length, 2);
    assert.deepEqual(entriesOf(next.journal, next.urn), []);
  });

  it("is not taken for a branch of another snapshot: the error names it, with the line that adopts it", async () => {
    const { next, declared, projectId, branchId, restored } = await killed();
    const snapshotId = await snapshotOf(stage(), projectId, branchId);
    await runs().run([next], () =>
      assert.rejects(
        next.up({ ...declared, snapshotId }),
        failsWith("already exists", "whose response is lost", `adopt: "${restored?.id ?? ""}"`),
      ),
    );
    assert.equal((await stage().branches(projectId)).length, 2);
  });
});

async function snapshotOf(stage: Stage, projectId: string, branchId: string): Promise<string> {
  const { body } = await stage.platform.call("POST", `/projects/${projectId}/branches/${branchId}/snapshot`);
  await stage.settled(projectId);
  return body.snapshot.id;
}
