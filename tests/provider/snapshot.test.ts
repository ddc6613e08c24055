import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Snapshot } from "@neondatabase/api-client";
import { after, describe } from "mocha";

import { Gate } from "../reliability/kills/gate";
import { unknownText, type Values } from "../support/dynamic-server";
import { CheckError, EngineResource } from "../support/engine";
import { failsWith, Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";
import { until } from "../support/until";

async function snapshotsOn(ground: Ground): Promise<Snapshot[]> {
  return (await ground.call("GET", `/projects/${ground.base.projectId}/snapshots`)).snapshots;
}

/** Takes one behind the provider's back. */
async function foreignSnapshot(ground: Ground, name: string): Promise<Snapshot> {
  const { projectId, branchId } = ground.base;
  const path = `/projects/${projectId}/branches/${branchId}/snapshot?name=${encodeURIComponent(name)}`;
  return (await ground.call("POST", path)).snapshot;
}

async function deleteForeign(ground: Ground, { outputs }: EngineResource): Promise<void> {
  await ground.call("DELETE", `/projects/${ground.base.projectId}/snapshots/${String(outputs["snapshotId"])}`);
}

/** How a create says what it is to take. */
function queryOf(sent: readonly { readonly path: string }[]): Values {
  return Object.fromEntries(new URL(sent[0]?.path ?? "", "http://platform").searchParams);
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z/, "Z");

describe("a snapshot", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("stays in the state when its deletion ends badly, and the error says to run the same again", async () => {
    const lonely = await stage().anotherServer({ config: { operationTimeout: "1s" } });
    after(() => lonely.stop());
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    await snapshot.up(ground.base);
    // Only what has to time out gets so little time.
    snapshot.server = lonely;
    const path = `^/projects/${ground.base.projectId}/operations`;
    await stage().platform.fault({ method: "GET", path, times: 1000, status: 500 });
    await assert.rejects(snapshot.destroy(), failsWith("Timed out after", "Run the same command again."));
    assert.ok(snapshot.state);
  });

  test("is not taken for deleted when the answer says nothing of an operation", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    await snapshot.up(ground.base);
    const path = `^/projects/${ground.base.projectId}/snapshots/`;
    await stage().platform.fault({ method: "DELETE", path, status: 200, body: {} });
    await assert.rejects(snapshot.destroy(), failsWith("Run the same command again"));
    await snapshot.destroy();
    assert.deepEqual(await snapshotsOn(ground), []);
  });

  test("is taken of a branch by its logical name, and deleted on destroy", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    assert.equal(await snapshot.up(ground.base), "create");
    const [there, ...others] = await snapshotsOn(ground);
    assert.deepEqual(others, []);
    const { __neon, __provider, ...outputs } = snapshot.outputs;
    assert.deepEqual(outputs, {
      ...ground.base,
      snapshotId: there?.id,
      name: snapshot.name,
      lsn: there?.lsn,
      timestamp: there?.timestamp,
      manual: true,
      createdAt: there?.created_at,
    });
    assert.equal(snapshot.id, `${ground.base.projectId}/${there?.id ?? ""}`);
    assert.ok((there?.full_size ?? 0) > 0, "it has been waited for");
    assert.equal(await snapshot.up(ground.base), "same");
    assert.equal(await snapshot.refresh(), "same");
    assert.deepEqual(await ground.sentBy(() => snapshot.destroy()), [`DELETE /snapshots/${there?.id ?? ""}`]);
    assert.deepEqual(await snapshotsOn(ground), []);
  });

  test("sends what is declared in the query, and keeps it as it is declared", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    const timestamp = new Date(Date.now() - 1).toISOString().replace("Z", "+00:00");
    const args = { ...ground.base, name: "before & after", timestamp, expiresAt: inDays(3) };
    const before = (await stage().sent(`${ground.base.branchId}/snapshot`)).length;
    await snapshot.up(args);
    const sent = (await stage().sent(`${ground.base.branchId}/snapshot`)).slice(before);
    assert.deepEqual(queryOf(sent), { name: "before & after", timestamp, expires_at: args.expiresAt });
    assert.equal(snapshot.outputs["timestamp"], timestamp);
    assert.equal(await snapshot.refresh(), "same");
    assert.equal(await snapshot.up({ ...args, timestamp: new Date(timestamp).toISOString() }), "same");
    const at = stage().resource("Snapshot");
    await at.up({ ...ground.base, lsn: "0/1E00000" });
    assert.equal(at.outputs["lsn"], "0/1E00000");
    assert.equal(await at.refresh(), "same");
  });

  test("is renamed in place", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    await snapshot.up(ground.base);
    const { id } = snapshot;
    const sent = await ground.sentBy(() => snapshot.up({ ...ground.base, name: "after" }));
    assert.deepEqual(sent, [`PATCH /snapshots/${String(snapshot.outputs["snapshotId"])}`]);
    assert.equal(snapshot.id, id);
    assert.deepEqual(
      (await snapshotsOn(ground)).map(({ name }) => name),
      ["after"],
    );
  });

  test("is taken anew, before the old one goes, for any other change, and the preview says what that means", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    await snapshot.up({ ...ground.base, expiresAt: inDays(3) });
    const later = { ...ground.base, expiresAt: inDays(4) };
    const plan = await snapshot.preview(later);
    assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["expiresAt"], false]);
    assert.match(await snapshot.warning(), /What the old snapshot holds goes with it/);
    assert.equal(await snapshot.up({ ...ground.base }), "same", "what the program leaves out is left alone");
    const old = snapshot.outputs["snapshotId"];
    const sent = await ground.sentBy(() => snapshot.up(later));
    assert.deepEqual(
      sent.map((line) => line.split("?", 1)[0]),
      ["POST /snapshot", `DELETE /snapshots/${String(old)}`],
    );
    assert.equal((await snapshotsOn(ground)).length, 1);
  });

  test("that somebody has deleted is taken again, and is not missed on destroy", async () => {
    const ground = await Ground.on(stage());
    const snapshot = stage().resource("Snapshot");
    await snapshot.up(ground.base);
    await deleteForeign(ground, snapshot);
    assert.equal(await snapshot.refresh(), "gone");
    assert.equal(await snapshot.up(ground.base), "create");
    await deleteForeign(ground, snapshot);
    await snapshot.destroy();
    assert.deepEqual(await snapshotsOn(ground), []);
  });

  test("goes with its project, and stays when its branch is gone", async () => {
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

  test("§6.20 is adopted by its name, by its id and by its id in state, and taken if there is none", async () => {
    const ground = await Ground.on(stage());
    const there = await foreignSnapshot(ground, "theirs");
    for (const adopt of [true, there.id, `${ground.base.projectId}/${there.id}`]) {
      const snapshot = await stage().nextRun(stage().resource("Snapshot"));
      const args = { ...ground.base, name: "theirs", adopt };
      assert.deepEqual(await ground.sentBy(() => snapshot.up(args)), []);
      assert.equal(snapshot.outputs["snapshotId"], there.id);
      assert.equal(await snapshot.refresh(), "same");
      assert.equal(await snapshot.up({ ...ground.base, name: "theirs" }), "same");
    }
    const other = stage().resource("Snapshot");
    await other.up({ ...ground.base, adopt: true });
    assert.equal((await snapshotsOn(ground)).length, 2);
  });

  test("is not adopted where two have its name, where it is another branch's, or where it is not there", async () => {
    const ground = await Ground.on(stage());
    const { projectId } = ground.base;
    const ids = [await foreignSnapshot(ground, "twin"), await foreignSnapshot(ground, "twin")].map(({ id }) => id);
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

  test("is refused in the preview where its inputs make no sense, unless they are not known yet", async () => {
    const base = { projectId: "shop", branchId: "br-main" };
    const lsn = "0/1DE2850";
    const timestamp = "2030-01-31T12:00:00Z";
    const cases: readonly (readonly [Values, string, RegExp])[] = [
      [{ projectId: "shop" }, "branchId", /is required/],
      [{ ...base, lsn, timestamp }, "timestamp", /together with lsn/],
      [{ ...base, lsn: "here" }, "lsn", /log sequence number/],
      [{ ...base, timestamp: "yesterday" }, "timestamp", /must be an ISO 8601 timestamp with a time zone/],
      [{ ...base, expiresAt: "2030-01-31" }, "expiresAt", /must be an ISO 8601 timestamp with a time zone/],
      [{ ...base, name: "" }, "name", /at least 1/],
      [{ ...base, expires_at: timestamp }, "expires_at", /did you mean expiresAt\?/],
    ];
    for (const [args, property, reason] of cases) {
      await assert.rejects(stage().resource("Snapshot").preview(args), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(
          error.failures.map((failure) => failure.property),
          [property],
        );
        assert.match(error.failures[0]?.reason ?? "", reason);
        return true;
      });
    }
    await stage()
      .resource("Snapshot")
      .preview({ ...base, lsn: unknownText, expiresAt: unknownText });
  });

  test("of a branch that has a parent is refused with the platform's reason", async () => {
    const ground = await Ground.on(stage());
    const child = await stage().branch(ground.base.projectId);
    const args = { ...ground.base, branchId: child.id };
    await assert.rejects(stage().resource("Snapshot").up(args), failsWith("only root branches have snapshots"));
  });
});

describe("a snapshot that something went wrong with", () => {
  const homes: string[] = [];
  after(() => {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });
  const test = onStages(2);

  /**
   * Runs `up` in a process that is killed while its request is on the way, and again in one on the same machine. The
   * request arrives only after the kill, or never.
   */
  async function upAfterKill(ground: Ground, name: string, request: "arrives" | "is lost"): Promise<EngineResource> {
    const { stage, base } = ground;
    const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
    homes.push(home);
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

  test("§6.8 is found again by the next up when the process was killed", async (stage) => {
    const ground = await Ground.on(stage);
    const { outputs } = await upAfterKill(ground, stage.name("snapshot"), "arrives");
    const [only, ...others] = await snapshotsOn(ground);
    assert.deepEqual(others, []);
    assert.equal(outputs["snapshotId"], only?.id);
  });

  test("§6.8 is not taken for an older one of the same name when the killed process has made none", async (stage) => {
    const ground = await Ground.on(stage);
    const name = stage.name("snapshot");
    const older = await foreignSnapshot(ground, name);
    // Two seconds are allowed for, and the platform's clock is known to the second.
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    const { outputs } = await upAfterKill(ground, name, "is lost");
    const ids = (await snapshotsOn(ground)).map(({ id }) => id);
    assert.deepEqual(ids, [outputs["snapshotId"], older.id]);
  });

  test("§6.6 is not taken twice when the answer was lost", async (stage) => {
    const ground = await Ground.on(stage);
    const snapshot = stage.resource("Snapshot");
    await stage.platform.fault({ method: "POST", path: "/snapshot\\?", times: 1, reset: "after" });
    await snapshot.up(ground.base);
    const [only, ...others] = await snapshotsOn(ground);
    assert.deepEqual(others, []);
    assert.equal(snapshot.outputs["snapshotId"], only?.id);
    assert.equal(await snapshot.refresh(), "same");
  });

  test("§6.1 whose taking failed is taken anew by the next up", async (stage) => {
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

  test("whose deletion failed stays in the state until it is gone", async (stage) => {
    const ground = await Ground.on(stage);
    const snapshot = stage.resource("Snapshot");
    await snapshot.up(ground.base);
    await stage.platform.fault({ action: "delete_timeline", end: "error" });
    await assert.rejects(snapshot.destroy(), failsWith("delete_timeline"));
    assert.ok(snapshot.state);
    await snapshot.destroy();
    assert.deepEqual(await snapshotsOn(ground), []);
  });

  test("is not renamed twice when the answer was lost", async (stage) => {
    const ground = await Ground.on(stage);
    const snapshot = stage.resource("Snapshot");
    await snapshot.up(ground.base);
    await stage.platform.fault({ method: "PATCH", path: "/snapshots/", times: 1, reset: "after" });
    const sent = await ground.sentBy(() => snapshot.up({ ...ground.base, name: "renamed" }));
    assert.equal(sent.length, 1);
    assert.equal(snapshot.outputs["name"], "renamed");
  });
});
