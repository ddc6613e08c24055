import assert from "node:assert/strict";

import type { Snapshot } from "@neondatabase/api-client";
import { describe } from "mocha";

import { Gate } from "../reliability/kills/gate";
import { unknownText, type Values } from "../support/dynamic-server";
import { EngineResource } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { Ground } from "../support/ground";
import { suiteHome } from "../support/home";
import { inDays } from "../support/in-days";
import { concurrently, onStages, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";
import { assertUpToDate } from "../support/up-to-date";

async function snapshotsOn(ground: Ground): Promise<Snapshot[]> {
  return (await ground.call("GET", `/projects/${ground.base.projectId}/snapshots`)).snapshots;
}

/** Creates a snapshot without the provider. */
async function createSnapshot(ground: Ground, name: string): Promise<Snapshot> {
  const { projectId, branchId } = ground.base;
  const path = `/projects/${projectId}/branches/${branchId}/snapshot?name=${encodeURIComponent(name)}`;
  return (await ground.call("POST", path)).snapshot;
}

/** Deletes the snapshot of a resource without the provider. */
async function deleteSnapshot(ground: Ground, { outputs }: EngineResource): Promise<void> {
  await ground.call("DELETE", `/projects/${ground.base.projectId}/snapshots/${String(outputs["snapshotId"])}`);
}

/** The query of a create request. */
function queryOf(sent: readonly { readonly path: string }[]): Values {
  return Object.fromEntries(new URL(sent[0]?.path ?? "", "http://platform").searchParams);
}

describe("Snapshot", () => {
  const stage = suiteStage();
  /** A run with little time for operations. */
  const impatient = suiteServer(stage, { config: { operationTimeout: "1s" } });
  const test = concurrently();

  describe("check", () => {
    test("refuses invalid inputs, and accepts unknown ones", async () => {
      const base = { projectId: "shop", branchId: "br-main" };
      const lsn = "0/1DE2850";
      const timestamp = "2030-01-31T12:00:00Z";
      const cases: readonly (readonly [Values, string, RegExp])[] = [
        [{ projectId: "shop" }, "branchId", /is required/],
        [{ ...base, lsn, timestamp }, "timestamp", /together with lsn/],
        [{ ...base, lsn: "here" }, "lsn", /log sequence number/],
        [{ ...base, timestamp: "yesterday" }, "timestamp", /must be an ISO 8601 timestamp/],
        [{ ...base, expiresAt: "2030-01-31" }, "expiresAt", /must be an ISO 8601 timestamp/],
        [{ ...base, name: "" }, "name", /at least 1/],
        [{ ...base, expires_at: timestamp }, "expires_at", /did you mean expiresAt\?/],
      ];
      for (const [args, property, reason] of cases) {
        await assert.rejects(stage().resource("Snapshot").preview(args), refusesInputs({ [property]: reason }));
      }
      await stage()
        .resource("Snapshot")
        .preview({ ...base, lsn: unknownText, expiresAt: unknownText });
    });
  });

  describe("create", () => {
    test("defaults the name to the logical name, waits, and outputs what the platform returns", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      assert.equal(await snapshot.up(ground.base), "create");
      const [created, ...others] = await snapshotsOn(ground);
      assert.deepEqual(others, []);
      assert.deepEqual(snapshot.ownOutputs, {
        ...ground.base,
        snapshotId: created?.id,
        name: snapshot.name,
        lsn: created?.lsn,
        timestamp: created?.timestamp,
        manual: true,
        createdAt: created?.created_at,
      });
      assert.equal(snapshot.id, `${ground.base.projectId}/${created?.id ?? ""}`);
      assert.ok((created?.full_size ?? 0) > 0, "it has been waited for");
      await assertUpToDate(stage(), snapshot, ground.base);
      assert.deepEqual(await ground.sentBy(() => snapshot.destroy()), [`DELETE /snapshots/${created?.id ?? ""}`]);
    });

    test("sends the inputs in the query, and keeps them as declared", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      const timestamp = new Date(Date.now() - 1).toISOString().replace("Z", "+00:00");
      const args = { ...ground.base, name: "before & after", timestamp, expiresAt: inDays(3) };
      const sent = await stage().sentBy(`${ground.base.branchId}/snapshot`, () => snapshot.up(args));
      assert.deepEqual(queryOf(sent), { name: "before & after", timestamp, expires_at: args.expiresAt });
      assert.equal(snapshot.outputs["timestamp"], timestamp);
      assert.equal(await snapshot.refresh(), "same");
      assert.equal(await snapshot.up({ ...args, timestamp: new Date(timestamp).toISOString() }), "same");
      const at = stage().resource("Snapshot");
      await at.up({ ...ground.base, lsn: "0/1E00000" });
      assert.equal(at.outputs["lsn"], "0/1E00000");
      assert.equal(await at.refresh(), "same");
    });

    test("fails with the platform's reason for a branch with a parent", async () => {
      const ground = await Ground.on(stage());
      const child = await stage().branch(ground.base.projectId);
      const args = { ...ground.base, branchId: child.id };
      await assert.rejects(stage().resource("Snapshot").up(args), failsWith("only root branches have snapshots"));
    });
  });

  describe("replace", () => {
    test("creates the new snapshot before it deletes the old one, and warns of the loss", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      await snapshot.up({ ...ground.base, expiresAt: inDays(3) });
      const later = { ...ground.base, expiresAt: inDays(4) };
      await snapshot.preview(later);
      assert.match(await snapshot.warning(), /The data in the old snapshot is deleted/);
      assert.equal(await snapshot.up({ ...ground.base }), "same", "an omitted input is ignored");
      const old = snapshot.outputs["snapshotId"];
      const sent = await ground.sentBy(() => snapshot.up(later));
      assert.deepEqual(
        sent.map((line) => line.split("?", 1)[0]),
        ["POST /snapshot", `DELETE /snapshots/${String(old)}`],
      );
      assert.equal((await snapshotsOn(ground)).length, 1);
    });
  });

  describe("adopt", () => {
    test("accepts true, the id and the id in state, and creates a snapshot if there is none", async () => {
      const ground = await Ground.on(stage());
      const existing = await createSnapshot(ground, "theirs");
      for (const adopt of [true, existing.id, `${ground.base.projectId}/${existing.id}`]) {
        const snapshot = await stage().nextRun(stage().resource("Snapshot"));
        const args = { ...ground.base, name: "theirs", adopt };
        assert.deepEqual(await ground.sentBy(() => snapshot.up(args)), []);
        assert.equal(snapshot.outputs["snapshotId"], existing.id);
        await assertUpToDate(stage(), snapshot, { ...ground.base, name: "theirs" });
      }
      const other = stage().resource("Snapshot");
      await other.up({ ...ground.base, adopt: true });
      assert.equal((await snapshotsOn(ground)).length, 2);
    });

    test("fails if two have the name, an input differs or the snapshot does not exist", async () => {
      const ground = await Ground.on(stage());
      const { projectId } = ground.base;
      const ids = [await createSnapshot(ground, "twin"), await createSnapshot(ground, "twin")].map(({ id }) => id);
      const snapshot = stage().resource("Snapshot");
      const twins = failsWith('There are 2 snapshots named "twin"', ...ids, "by its id");
      await assert.rejects(snapshot.up({ ...ground.base, name: "twin", adopt: true }), twins);
      const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
      const foreign = { projectId, branchId: root.id, name: "twin", adopt: ids[0] };
      await assert.rejects(snapshot.up(foreign), failsWith("cannot be adopted", "branchId"));
      const expiring = { ...ground.base, name: "twin", expiresAt: inDays(3), adopt: ids[0] };
      await assert.rejects(snapshot.up(expiring), failsWith("cannot be adopted", "expiresAt"));
      const none = { ...ground.base, adopt: "snap-no-such-one" };
      await assert.rejects(snapshot.up(none), failsWith('There is no snapshot "snap-no-such-one" to adopt'));
      assert.equal((await snapshotsOn(ground)).length, 2);
    });
  });

  describe("delete", () => {
    test("keeps the snapshot in the state after a timeout, and advises to run the command again", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      await snapshot.up(ground.base);
      snapshot.server = impatient();
      const path = `^/projects/${ground.base.projectId}/operations`;
      await stage().platform.fault({ method: "GET", path, times: 1000, status: 500 });
      await assert.rejects(snapshot.destroy(), failsWith("Timed out after", "Run the same command again."));
      assert.ok(snapshot.state);
    });

    test("fails if the answer names no operation", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      await snapshot.up(ground.base);
      const path = `^/projects/${ground.base.projectId}/snapshots/`;
      await stage().platform.fault({ method: "DELETE", path, status: 200, body: {} });
      await assert.rejects(snapshot.destroy(), failsWith("Run the same command again"));
      await snapshot.destroy();
      assert.deepEqual(await snapshotsOn(ground), []);
    });

    test("succeeds if somebody else has deleted the snapshot", async () => {
      const ground = await Ground.on(stage());
      const snapshot = stage().resource("Snapshot");
      await snapshot.up(ground.base);
      await deleteSnapshot(ground, snapshot);
      await snapshot.destroy();
      assert.deepEqual(await snapshotsOn(ground), []);
    });

    test("succeeds if the project was deleted, and keeps a snapshot whose branch was deleted", async () => {
      const ground = await Ground.on(stage());
      const { projectId } = ground.base;
      const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
      const snapshot = stage().resource("Snapshot");
      const args = { projectId, branchId: root.id };
      await snapshot.up(args);
      await ground.call("DELETE", `/projects/${projectId}/branches/${root.id}`);
      assert.equal(await snapshot.refresh(), "same");
      await ground.stage.platform.call("DELETE", `/projects/${projectId}`);
      const state = snapshot.present;
      assert.equal(await snapshot.refresh(), "gone");
      snapshot.state = state;
      await snapshot.destroy();
    });
  });
});

describe("Snapshot", () => {
  const home = suiteHome();
  const test = onStages(2);

  /**
   * Runs `up` in a process that is killed before the platform gets its request, and then in another process on the same
   * machine. The request arrives after the kill, or never.
   */
  async function upAfterKill(ground: Ground, name: string, request: "arrives" | "is lost"): Promise<EngineResource> {
    const { stage, base } = ground;
    const gate = await Gate.before(stage.platform.apiUrl);
    const settings = { home, config: { apiUrl: gate.apiUrl } };
    try {
      const killed = await stage.anotherServer(settings);
      const held = gate.holdNextChange();
      const attempt = new EngineResource(killed, "Snapshot", name).up(base).catch(() => undefined);
      await held.arrived;
      await killed.stop("SIGKILL");
      await attempt;
      if (request === "arrives") {
        held.pass();
        await until(() => gate.passed.some(({ method, path }) => method === "POST" && path.includes("/snapshot?")));
      } else held.drop();
      await stage.settled(base.projectId);
      const server = await stage.anotherServer(settings);
      try {
        const again = new EngineResource(server, "Snapshot", name);
        await again.up(base);
        return again;
      } finally {
        await server.stop();
      }
    } finally {
      await gate.close();
    }
  }

  describe("create", () => {
    test("creates one snapshot when the answer is lost", async (stage) => {
      const ground = await Ground.on(stage);
      const snapshot = stage.resource("Snapshot");
      await stage.platform.fault({ method: "POST", path: "/snapshot\\?", times: 1, reset: "after" });
      await snapshot.up(ground.base);
      const [only, ...others] = await snapshotsOn(ground);
      assert.deepEqual(others, []);
      assert.equal(snapshot.outputs["snapshotId"], only?.id);
      assert.equal(await snapshot.refresh(), "same");
    });

    test("replaces the snapshot in the next up if its operation failed", async (stage) => {
      const ground = await Ground.on(stage);
      const snapshot = stage.resource("Snapshot");
      await stage.platform.fault({ action: "timeline_mark_invisible", end: "error" });
      await assert.rejects(snapshot.up(ground.base), failsWith("timeline_mark_invisible", "never became usable"));
      const broken = snapshot.outputs["snapshotId"];
      assert.equal(await snapshot.up(ground.base), "replace");
      const [only, ...others] = await snapshotsOn(ground);
      assert.deepEqual(others, []);
      assert.notEqual(only?.id, broken);
      assert.ok((only?.full_size ?? 0) > 0);
      assert.equal(await snapshot.up(ground.base), "same");
    });
  });

  describe("recover", () => {
    test("adopts the snapshot of a killed run", async (stage) => {
      const ground = await Ground.on(stage);
      const { outputs } = await upAfterKill(ground, stage.name("snapshot"), "arrives");
      const [only, ...others] = await snapshotsOn(ground);
      assert.deepEqual(others, []);
      assert.equal(outputs["snapshotId"], only?.id);
    });

    test("does not adopt an older snapshot of the same name", async (stage) => {
      const ground = await Ground.on(stage);
      const name = stage.name("snapshot");
      const older = await createSnapshot(ground, name);
      // Two seconds of tolerance, and the second to which the platform's clock is known.
      await new Promise((resolve) => setTimeout(resolve, 3_100));
      const { outputs } = await upAfterKill(ground, name, "is lost");
      const ids = (await snapshotsOn(ground)).map(({ id }) => id);
      assert.deepEqual(ids, [outputs["snapshotId"], older.id]);
    });
  });

  describe("update", () => {
    test("sends a rename once when the answer is lost", async (stage) => {
      const ground = await Ground.on(stage);
      const snapshot = stage.resource("Snapshot");
      await snapshot.up(ground.base);
      await stage.platform.fault({ method: "PATCH", path: "/snapshots/", times: 1, reset: "after" });
      const sent = await ground.sentBy(() => snapshot.up({ ...ground.base, name: "renamed" }));
      assert.equal(sent.length, 1);
      assert.equal(snapshot.outputs["name"], "renamed");
    });
  });

  describe("delete", () => {
    test("keeps the snapshot in the state until its operation succeeds", async (stage) => {
      const ground = await Ground.on(stage);
      const snapshot = stage.resource("Snapshot");
      await snapshot.up(ground.base);
      await stage.platform.fault({ action: "delete_timeline", end: "error" });
      await assert.rejects(snapshot.destroy(), failsWith("delete_timeline"));
      assert.ok(snapshot.state);
      await snapshot.destroy();
      assert.deepEqual(await snapshotsOn(ground), []);
    });
  });
});
