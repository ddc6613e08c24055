import assert from "node:assert/strict";

import type { Snapshot } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("getSnapshots", () => {
  const platform = suiteAccount();
  let projectId = "";
  let mainId = "";
  let rootId = "";
  let ofMain: Snapshot;
  let ofRoot: Snapshot;
  before(async () => {
    const { project, branch } = await platform().project();
    [projectId, mainId] = [project.id, branch.id];
    const path = `/projects/${projectId}/branches`;
    rootId = (await platform().call("POST", path, { branch: { init_source: "schema-only" } })).body.branch.id;
    await platform().settled(projectId);
    const expiry = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString());
    const take = async (branchId: string, query: string): Promise<Snapshot> => {
      const { body } = await platform().call("POST", `${path}/${branchId}/snapshot?${query}`);
      await platform().settled(projectId);
      return body.snapshot;
    };
    ofMain = await take(mainId, `name=before&expires_at=${expiry}`);
    ofRoot = await take(rootId, "name=before");
  });

  it("lists the snapshots of a project, or of one branch, with their documented members", async () => {
    const main = {
      id: ofMain.id,
      name: "before",
      sourceBranchId: mainId,
      lsn: ofMain.lsn,
      timestamp: ofMain.timestamp,
      createdAt: ofMain.created_at,
      expiresAt: ofMain.expires_at,
      manual: true,
    };
    const all = await neon.getSnapshots({ projectId });
    assert.deepEqual(all.map(({ id }) => id).sort(), [ofMain.id, ofRoot.id].sort());
    assert.deepEqual(
      all.find(({ id }) => id === ofMain.id),
      main,
    );
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId: mainId }), [main]);
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId: "br-no-such-one" }), []);
    const later = neon.getSnapshotsOutput({ projectId: pulumi.output(projectId), branchId: rootId });
    assert.deepEqual(
      (await valueOf(later)).map(({ id }) => id),
      [ofRoot.id],
    );
  });

  it("fails with 401 or 404 instead of returning an empty list", async () => {
    await assertFails(neon.getSnapshots({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getSnapshots({ projectId }), /HTTP 401/);
  });
});

describe("Snapshot and BackupSchedule", () => {
  suiteAccount();

  it("get derives the outputs that the id contains", async () => {
    const snapshot = neon.Snapshot.get("snapshot", "spring-example-302709/snap-one");
    assert.equal(await valueOf(snapshot.projectId), "spring-example-302709");
    assert.equal(await valueOf(snapshot.snapshotId), "snap-one");
    const schedule = neon.BackupSchedule.get("schedule", "spring-example-302709/br-main");
    assert.equal(await valueOf(schedule.projectId), "spring-example-302709");
    assert.equal(await valueOf(schedule.branchId), "br-main");
  });

  it("recognize their own instances and no others", () => {
    const base = { projectId: "spring-example-302709", branchId: "br-main" };
    const snapshot: unknown = new neon.Snapshot("one", base);
    const schedule: unknown = new neon.BackupSchedule("two", { ...base, schedule: [{ frequency: "daily" }] });
    assert.deepEqual([neon.Snapshot.isInstance(snapshot), neon.Snapshot.isInstance(schedule)], [true, false]);
    assert.deepEqual(
      [neon.BackupSchedule.isInstance(snapshot), neon.BackupSchedule.isInstance(schedule)],
      [false, true],
    );
  });
});
