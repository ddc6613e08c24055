import assert from "node:assert/strict";

import type { Snapshot } from "@neondatabase/api-client";
import { describe } from "mocha";

import { failsWith } from "../support/expected-errors";
import { BranchFixture, fixtureFor } from "../support/branch-fixture";
import { inDays } from "../support/in-days";
import { concurrently, onStages, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

async function snapshotsOn(fixture: BranchFixture): Promise<Snapshot[]> {
  return (await fixture.call("GET", `/projects/${fixture.base.projectId}/snapshots`)).snapshots;
}

/** Creates a snapshot without the provider. */
async function createSnapshot(fixture: BranchFixture, name: string): Promise<Snapshot> {
  const { projectId, branchId } = fixture.base;
  const path = `/projects/${projectId}/branches/${branchId}/snapshot?name=${encodeURIComponent(name)}`;
  return (await fixture.call("POST", path)).snapshot;
}

describe("Snapshot", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("create › is not replaced if the answer is lost and an operation of another branch fails", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    const project = `/projects/${base.projectId}`;
    const other = await stage().branch(base.projectId);
    await stage().platform.fault({ action: "start_compute", end: "error" });
    await fixture.call("POST", `${project}/endpoints`, { endpoint: { branch_id: other.id, type: "read_write" } });
    await stage().platform.fault({ method: "POST", path: `${base.branchId}/snapshot`, reset: "after" });
    assert.equal(await snapshot.up(base), "create");
    assert.equal((await snapshotsOn(fixture)).length, 1);
    await assertUpToDate(stage(), snapshot, base);
  });

  test("create › sends the inputs in the query, and keeps them as declared", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    const timestamp = new Date(stage().now() - 1).toISOString().replace("Z", "+00:00");
    const args = { ...base, name: "before & after", timestamp, expiresAt: inDays(3) };
    const sent = await stage().sentBy(`${fixture.base.branchId}/snapshot`, () => snapshot.up(args));
    const query = new URL(sent[0]?.path ?? "", "http://platform").searchParams;
    assert.deepEqual(Object.fromEntries(query), { name: "before & after", timestamp, expires_at: args.expiresAt });
    assert.equal(snapshot.outputs["timestamp"], timestamp);
    assert.equal(await snapshot.refresh(), "same");
    assert.equal(await snapshot.up({ ...args, timestamp: new Date(timestamp).toISOString() }), "same");
    assert.equal(
      await snapshot.up({ ...base, name: args.name, expiresAt: args.expiresAt }),
      "same",
      "an omitted time is ignored",
    );
    const at = stage().resource("Snapshot");
    await at.up({ ...base, lsn: "0/1E00000" });
    assert.equal(at.outputs["lsn"], "0/1E00000");
    assert.equal(await at.refresh(), "same");
  });

  test("update › fails if another snapshot has the name, and advises another one", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    await snapshot.up(base);
    await createSnapshot(fixture, "taken");
    await assert.rejects(
      snapshot.up({ ...base, name: "taken" }),
      failsWith('name "taken" already exists', "another name"),
    );
    assert.equal(await snapshot.up(base), "same");
  });

  test("delete › keeps a snapshot whose branch was deleted", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    const { id: branchId } = await stage().branch(base.projectId, { branch: { init_source: "schema-only" } });
    await snapshot.up({ ...base, branchId });
    await fixture.call("DELETE", `/projects/${base.projectId}/branches/${branchId}`);
    assert.equal(await snapshot.refresh(), "same");
  });
});

describe("Snapshot, with faults of operations", () => {
  const test = onStages(1);

  test("create › fails with its own operation if the answer is lost", async (stage) => {
    const { base, resource: snapshot } = await fixtureFor(stage, "Snapshot");
    await stage.platform.fault({ action: "create_branch", end: "error" });
    await stage.platform.fault({ method: "POST", path: `${base.branchId}/snapshot`, reset: "after" });
    await assert.rejects(
      snapshot.up(base),
      failsWith("(create_branch) ended with status error", "never became usable"),
    );
  });
});
