import assert from "node:assert/strict";

import type { Snapshot } from "@neondatabase/api-client";
import { describe } from "mocha";

import { Gate } from "../support/gate";
import { EngineResource } from "../support/engine";
import { refusesAdoption } from "../support/expected-errors";
import { BranchFixture, fixtureFor } from "../support/branch-fixture";
import { suiteHome } from "../support/home";
import { inDays } from "../support/in-days";
import { concurrently, suiteStage } from "../support/stage";
import { until } from "../support/until";
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
  const home = suiteHome();
  const stage = suiteStage();
  const test = concurrently();

  test("create › defaults the name to the logical name, waits, and outputs what the platform returns", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    assert.equal(await snapshot.up(base), "create");
    const [created, ...others] = await snapshotsOn(fixture);
    assert.deepEqual(others, []);
    assert.deepEqual(snapshot.ownOutputs, {
      ...base,
      snapshotId: created?.id,
      name: snapshot.name,
      lsn: created?.lsn,
      timestamp: created?.timestamp,
      manual: true,
      createdAt: created?.created_at,
    });
    assert.equal(snapshot.id, `${fixture.base.projectId}/${created?.id ?? ""}`);
    assert.ok((created?.full_size ?? 0) > 0, "it has been waited for");
    await assertUpToDate(stage(), snapshot, base);
    assert.deepEqual(await fixture.sentBy(() => snapshot.destroy()), [`DELETE /snapshots/${created?.id ?? ""}`]);
  });

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
    const timestamp = new Date(Date.now() - 1).toISOString().replace("Z", "+00:00");
    const args = { ...base, name: "before & after", timestamp, expiresAt: inDays(3) };
    const sent = await stage().sentBy(`${fixture.base.branchId}/snapshot`, () => snapshot.up(args));
    const query = new URL(sent[0]?.path ?? "", "http://platform").searchParams;
    assert.deepEqual(Object.fromEntries(query), { name: "before & after", timestamp, expires_at: args.expiresAt });
    assert.equal(snapshot.outputs["timestamp"], timestamp);
    assert.equal(await snapshot.refresh(), "same");
    assert.equal(await snapshot.up({ ...args, timestamp: new Date(timestamp).toISOString() }), "same");
    assert.equal(await snapshot.up({ ...base, name: args.name }), "same", "an omitted input is ignored");
    const at = stage().resource("Snapshot");
    await at.up({ ...base, lsn: "0/1E00000" });
    assert.equal(at.outputs["lsn"], "0/1E00000");
    assert.equal(await at.refresh(), "same");
  });

  test("adopt › fails if two have the name", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    const ids = [await createSnapshot(fixture, "twin"), await createSnapshot(fixture, "twin")].map(({ id }) => id);
    const twins = refusesAdoption('There are 2 snapshots named "twin"', ...ids, "by its id");
    await assert.rejects(snapshot.up({ ...base, name: "twin", adopt: true }), twins);
    assert.equal((await snapshotsOn(fixture)).length, 2);
  });

  test("delete › keeps a snapshot whose branch was deleted", async () => {
    const { fixture, base, resource: snapshot } = await fixtureFor(stage(), "Snapshot");
    const { id: branchId } = await stage().branch(base.projectId, { branch: { init_source: "schema-only" } });
    await snapshot.up({ ...base, branchId });
    await fixture.call("DELETE", `/projects/${base.projectId}/branches/${branchId}`);
    assert.equal(await snapshot.refresh(), "same");
  });

  /** Creates a snapshot in a process that is killed while its request is on the way, which then never arrives, or arrives. */
  async function recovered(
    fixture: BranchFixture,
    name: string,
    fate: "drop" | "pass",
    meanwhile = (): Promise<void> => Promise.resolve(),
  ) {
    const gate = await Gate.before(stage().platform.apiUrl);
    const settings = { home, config: { apiUrl: gate.apiUrl } };
    try {
      const killed = await stage().anotherServer(settings);
      const held = gate.holdNextChange();
      const attempt = new EngineResource(killed, "Snapshot", name).up(fixture.base).catch(() => undefined);
      await held.arrived;
      await killed.stop("SIGKILL");
      await attempt;
      held[fate]();
      await meanwhile();
      const server = await stage().anotherServer(settings);
      // From its first creation on, the process knows how exact the platform's timestamps are.
      await new EngineResource(server, "Role", stage().name("role")).up(fixture.base);
      const again = new EngineResource(server, "Snapshot", name);
      await again.up(fixture.base);
      await server.stop();
      return again;
    } finally {
      await gate.close();
    }
  }

  test("recover › does not adopt an older snapshot of the same name", async () => {
    const fixture = await BranchFixture.on(stage());
    const name = stage().name("snapshot");
    const older = await createSnapshot(fixture, name);
    // Two seconds of tolerance, and the second to which the platform's clock is known.
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    const again = await recovered(fixture, name, "drop");
    const ids = (await snapshotsOn(fixture)).map(({ id }) => id);
    assert.deepEqual(ids, [again.outputs["snapshotId"], older.id]);
  });

  test("recover › does not count as useless because an operation of another branch has failed since", async () => {
    const fixture = await BranchFixture.on(stage());
    const again = await recovered(fixture, stage().name("snapshot"), "pass", async () => {
      await until(async () => (await snapshotsOn(fixture)).length > 0);
      await stage().settled(fixture.base.projectId);
      const other = await stage().branch(fixture.base.projectId);
      await stage().platform.fault({ action: "start_compute", end: "error" });
      const endpoint = { branch_id: other.id, type: "read_write" };
      await fixture.call("POST", `/projects/${fixture.base.projectId}/endpoints`, { endpoint });
    });
    assert.deepEqual(
      (await snapshotsOn(fixture)).map(({ id }) => id),
      [again.outputs["snapshotId"]],
    );
    await (await stage().nextRun(again)).refresh();
    assert.equal((await again.preview(fixture.base)).changes, false);
  });
});
