import Database from "libsql";
import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { assertError } from "./support/responses";
import { day, hour, second } from "./support/time";

describe("local platform: snapshots", () => {
  const clock = new ManualPlatformClock();
  const platform = suitePlatform({ clock, operationTime: "1s" });

  const finishOperations = () => {
    clock.advance(10 * second);
  };
  const at = (moment: number) => `${new Date(moment).toISOString().slice(0, 19)}Z`;

  /** A project that is ready, with helpers for its snapshots. */
  const project = async (input: object = {}) => {
    const { body: created } = await platform().call("POST", "/projects", { project: input });
    finishOperations();
    const { id } = created.project;
    const call = (method: string, path: string, body?: unknown) =>
      platform().call(method, `/projects/${id}${path}`, body);
    const take = (query = "", branchId = created.branch.id) =>
      call("POST", `/branches/${branchId}/snapshot${query === "" ? "" : `?${query}`}`);
    return {
      id,
      main: created.branch,
      host: created.endpoints[0]?.host,
      password: created.roles[0]?.password,
      call,
      take,
      /** Takes a snapshot and waits until it is finished. */
      taken: async (query = "", branchId?: string) => {
        const response = await take(query, branchId);
        assert.equal(response.status, 200, response.body.message);
        finishOperations();
        return response.body.snapshot;
      },
      list: async () => (await call("GET", "/snapshots")).body.snapshots,
      restore: async (snapshotId: string, body?: object, query = "") => {
        const response = await call("POST", `/snapshots/${snapshotId}/restore${query}`, body);
        assert.equal(response.status, 200, response.body.message);
        finishOperations();
        return response.body;
      },
      branch: async (branchId: string) => (await call("GET", `/branches/${branchId}`)).body.branch,
    };
  };

  describe("create", () => {
    it("needs an operation, after which the snapshot has a size", async () => {
      const { id, main, take, list } = await project();
      const { status, body } = await take();
      assert.equal(status, 200);
      assert.deepEqual(
        body.operations.map(({ project_id, branch_id, status: state }) => [project_id, branch_id, state]),
        [[id, main.id, "running"]],
      );
      const { snapshot } = body;
      assert.match(snapshot.id, /^snap-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
      assert.equal(snapshot.name, snapshot.id);
      assert.equal(snapshot.source_branch_id, main.id);
      assert.equal(snapshot.manual, true);
      assert.match(snapshot.lsn ?? "", /^0\/[0-9A-F]+$/);
      assert.equal(snapshot.timestamp, at(clock.now()));
      assert.equal(snapshot.full_size, undefined);
      assert.equal(snapshot.expires_at, undefined);
      finishOperations();
      const [listed] = await list();
      const { full_size: size, ...rest } = listed ?? snapshot;
      assert.ok((size ?? 0) > 0);
      assert.deepEqual(rest, snapshot);
    });

    it("accepts a duplicate name, and the list has the newest first", async () => {
      const { taken, list } = await project();
      const first = await taken("name=before");
      const second = await taken("name=before");
      assert.deepEqual(
        (await list()).map(({ id, name }) => [id, name]),
        [
          [second.id, "before"],
          [first.id, "before"],
        ],
      );
    });

    it("accepts a point in the history by LSN or time", async () => {
      const { take, taken } = await project({ history_retention_seconds: 3600 });
      assert.equal((await taken("lsn=0/1E00100")).lsn, "0/1E00100");
      clock.advance(2 * hour);
      const moment = at(clock.now() - hour / 2);
      const back = await taken(`timestamp=${encodeURIComponent(moment)}`);
      assert.equal(back.timestamp, moment);
      assertError(await take(`timestamp=${at(clock.now() + hour)}`), 400, /timestamp must not be in the future/);
      assertError(
        await take(`timestamp=${at(clock.now() - 2 * hour)}`),
        422,
        /timestamp is before the start of the history/,
      );
      assertError(await take("lsn=0/FFFFFFF0"), 422, /lsn is after the end/);
      assertError(await take(`lsn=0/1E00100&timestamp=${moment}`), 400, /lsn and timestamp exclude each other/);
      assertError(await take("lsn=here"), 400, /query parameter lsn: must be a log sequence number/);
    });

    it("rejects a branch with a parent and an unknown branch", async () => {
      const { call, take } = await project();
      const { body } = await call("POST", "/branches", {});
      finishOperations();
      assertError(await take("", body.branch.id), 422, /only root branches/);
      assertError(await take("", "br-no-such-one"), 404, /branch not found/);
    });

    it("reports 423 while operations of the project are in progress", async () => {
      const { take } = await project();
      await take();
      assertError(await take(), 423, /conflicting operations/);
      finishOperations();
    });

    it("rejects the eleventh manual snapshot", async () => {
      const { call, take, taken } = await project();
      const first = await taken();
      for (let more = 1; more < 10; more += 1) await taken();
      assertError(await take(), 422, /limit of 10 manual snapshots/);
      await call("DELETE", `/snapshots/${first.id}`);
      finishOperations();
      assert.equal((await take()).status, 200);
      finishOperations();
    });

    it("leaves an empty snapshot when the operation fails", async () => {
      const { call, take, list } = await project();
      await platform().fault({ action: "timeline_mark_invisible", end: "error" });
      const { body } = await take();
      finishOperations();
      const [listed] = await list();
      assert.equal(listed?.id, body.snapshot.id);
      assert.equal(listed.full_size, undefined);
      assertError(await call("POST", `/snapshots/${listed.id}/restore`), 422, /not ready yet/);
    });
  });

  it("update changes the name, and reports 404 for an unknown snapshot", async () => {
    const { call, taken, list } = await project();
    const { id, ...rest } = await taken("name=first");
    const { status, body } = await call("PATCH", `/snapshots/${id}`, { snapshot: { name: "second" } });
    assert.equal(status, 200);
    assert.deepEqual({ ...body.snapshot, full_size: undefined }, { ...rest, id, name: "second", full_size: undefined });
    assert.equal((await list())[0]?.name, "second");
    assertError(
      await call("PATCH", "/snapshots/snap-no-such-one", { snapshot: { name: "x" } }),
      404,
      /snapshot not found/,
    );
    assertError(await call("PATCH", `/snapshots/${id}`, { snapshot: { name: "" } }), 400, /snapshot.name/);
  });

  describe("delete", () => {
    it("needs an operation and hides the snapshot at once", async () => {
      const { call, taken, list } = await project();
      const { id } = await taken();
      const { status, body } = await call("DELETE", `/snapshots/${id}`);
      assert.equal(status, 202);
      assert.deepEqual(
        body.operations.map(({ action }) => action),
        ["delete_timeline"],
      );
      assert.deepEqual(await list(), []);
      assertError(await call("DELETE", `/snapshots/${id}`), 404, /snapshot not found/);
      finishOperations();
      assert.deepEqual(await list(), []);
    });

    it("makes the snapshot visible again when the operation fails", async () => {
      const { call, taken, list } = await project();
      const { id } = await taken();
      await platform().fault({ action: "delete_timeline", end: "error" });
      await call("DELETE", `/snapshots/${id}`);
      finishOperations();
      assert.equal((await list())[0]?.id, id);
      assert.equal((await call("DELETE", `/snapshots/${id}`)).status, 202);
      finishOperations();
      assert.deepEqual(await list(), []);
    });
  });

  describe("restore", () => {
    it("creates a root branch with the data of the snapshot, without a compute", async () => {
      const { main, password, call, taken, restore, branch } = await project();
      const roles = `/branches/${main.id}/roles`;
      await call("POST", roles, { role: { name: "app" } });
      finishOperations();
      const snapshot = await taken();
      await call("POST", roles, { role: { name: "late" } });
      finishOperations();
      await call("DELETE", `/branches/${main.id}/databases/neondb`);
      finishOperations();
      const { branch: made, endpoints, operations } = await restore(snapshot.id, { name: "as it was" });
      assert.deepEqual(endpoints, []);
      assert.deepEqual(
        operations.map(({ action, branch_id }) => [action, branch_id]),
        [["create_branch", made.id]],
      );
      const ready = await branch(made.id);
      assert.equal(ready.current_state, "ready");
      assert.equal(ready.name, "as it was");
      assert.equal(ready.parent_id, undefined);
      assert.equal(ready.restore_status, "restored");
      assert.equal(ready.restored_from, snapshot.id);
      assert.equal(ready.restored_as, main.id);
      const { body: has } = await call("GET", `/branches/${made.id}/roles`);
      assert.deepEqual(
        has.roles.map(({ name, branch_id }) => [name, branch_id]),
        [
          ["neondb_owner", made.id],
          ["app", made.id],
        ],
      );
      const { body: revealed } = await call("GET", `/branches/${made.id}/roles/neondb_owner/reveal_password`);
      assert.equal(revealed.password, password);
      const { body: databases } = await call("GET", `/branches/${made.id}/databases`);
      assert.deepEqual(
        databases.databases.map(({ name, owner_name }) => [name, owner_name]),
        [["neondb", "neondb_owner"]],
      );
      assert.equal((await branch(main.id)).name, "main");
    });

    it("replaces the target branch when it is finalized later", async () => {
      const { main, host, call, taken, restore, branch } = await project();
      const { branch: made } = await restore((await taken()).id);
      assert.equal(made.name, made.id);
      const { status } = await call("POST", `/branches/${made.id}/finalize_restore`, {});
      assert.equal(status, 200);
      finishOperations();
      const { body } = await call("GET", `/branches/${made.id}/endpoints`);
      assert.deepEqual(
        body.endpoints.map((endpoint) => [endpoint.host, endpoint.current_state]),
        [[host, "active"]],
      );
      const [now, former] = [await branch(made.id), await branch(main.id)];
      assert.deepEqual([now.name, now.default, now.restore_status], ["main", true, "finalized"]);
      assert.deepEqual([former.name, former.default], ["main (old)", false]);
    });

    it("with finalize_restore replaces the target branch at once, repeatedly", async () => {
      const { main, host, call, taken, restore, branch } = await project();
      const { id } = await taken();
      const { branch: made, endpoints, operations } = await restore(id, { finalize_restore: true });
      assert.equal(made.name, "main");
      assert.equal(made.restore_status, "finalized");
      assert.deepEqual(
        endpoints.map((endpoint) => endpoint.host),
        [host],
      );
      assert.deepEqual(
        operations.map(({ action, branch_id }) => [action, branch_id]),
        [
          ["create_branch", made.id],
          ["suspend_compute", made.id],
          ["start_compute", made.id],
        ],
      );
      const again = await restore(id, { finalize_restore: true, target_branch_id: made.id });
      assert.equal((await branch(again.branch.id)).name, "main");
      assert.equal((await branch(main.id)).name, "main (old)");
      assert.equal((await branch(made.id)).name, `main (old) ${made.id}`);
      const { body } = await call("GET", `/branches/${again.branch.id}/endpoints`);
      assert.equal(body.endpoints[0]?.current_state, "active");
    });

    it("accepts another target branch, even if the source of the snapshot is deleted", async () => {
      const { call, taken, restore } = await project();
      const { body: root } = await call("POST", "/branches", { branch: { name: "root", init_source: "schema-only" } });
      finishOperations();
      const { body: target } = await call("POST", "/branches", { branch: { name: "target" } });
      finishOperations();
      const snapshot = await taken("", root.branch.id);
      const { branch: made } = await restore(snapshot.id, { target_branch_id: target.branch.id });
      assert.equal(made.restored_as, target.branch.id);
      await call("DELETE", `/branches/${root.branch.id}`);
      finishOperations();
      const path = `/snapshots/${snapshot.id}/restore`;
      assertError(await call("POST", path, { finalize_restore: true }), 422, /set target_branch_id to another branch/);
      assertError(await call("POST", path, { target_branch_id: "br-no-such-one" }), 404, /branch not found/);
      const alone = await restore(snapshot.id, undefined, "?name=older%20way");
      assert.equal(alone.branch.name, "older way");
      assert.equal(alone.branch.restored_as, undefined);
      assertError(await call("POST", `/branches/${alone.branch.id}/finalize_restore`), 422, /can be finalized/);
    });

    it("rejects a name in use and an unknown snapshot", async () => {
      const { call, taken } = await project();
      const { id } = await taken();
      assertError(await call("POST", `/snapshots/${id}/restore`, { name: "main" }), 409, /"main" already exists/);
      assertError(await call("POST", "/snapshots/snap-no-such-one/restore"), 404, /snapshot not found/);
    });
  });

  describe("expiry", () => {
    it("deletes an expired snapshot after the operations in progress", async () => {
      const { take, taken, list } = await project();
      assertError(await take(`expires_at=${at(clock.now() - second)}`), 400, /expires_at must be in the future/);
      const expiresAt = at(clock.now() + hour);
      const snapshot = await taken(`expires_at=${encodeURIComponent(expiresAt)}`);
      assert.equal(snapshot.expires_at, expiresAt);
      const stays = await taken();
      clock.advance(hour - 22 * second);
      assert.equal((await list()).length, 2);
      await take();
      clock.advance(2.5 * second);
      assert.deepEqual(
        (await list()).map(({ id }) => id).filter((id) => [snapshot.id, stays.id].includes(id)),
        [stays.id],
      );
    });
  });
});

describe("local platform: snapshots in a data folder", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-platform-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const tables = ["snapshots", "backup_schedules", "jwks"];

  it("snapshots survive a restart, also in data of an older version", async () => {
    const data = join(folder, "older");
    await (await startTestPlatform({ data })).close();
    const database = new Database(join(data, "platform.db"));
    for (const table of tables) database.exec(`DROP TABLE ${table}`);
    database.close();

    const first = await startTestPlatform({ data });
    const { project, branch } = await first.project();
    const { body } = await first.call("POST", `/projects/${project.id}/branches/${branch.id}/snapshot?name=kept`);
    await first.settled(project.id);
    await first.close();
    const second = await startTestPlatform({ data });
    try {
      const { body: listed } = await second.call("GET", `/projects/${project.id}/snapshots`);
      assert.deepEqual(
        listed.snapshots.map(({ id, name }) => [id, name]),
        [[body.snapshot.id, "kept"]],
      );
      const restored = await second.call("POST", `/projects/${project.id}/snapshots/${body.snapshot.id}/restore`);
      assert.equal(restored.status, 200);
    } finally {
      await second.close();
    }
  });

  it("snapshots, schedules and JWKS URLs are removed with their project", async () => {
    const data = join(folder, "forgotten");
    const clock = new ManualPlatformClock();
    const platform = await startTestPlatform({ data, clock, operationTime: "0ms" });
    const { body } = await platform.call("POST", "/projects", { project: {} });
    clock.advance(second);
    const path = `/projects/${body.project.id}`;
    const jwks = { jwks_url: "https://auth.example.com/jwks.json", provider_name: "Auth0" };
    assert.equal((await platform.call("POST", `${path}/jwks`, jwks)).status, 201);
    clock.advance(second);
    const schedule = [{ frequency: "yearly" }];
    await platform.call("PUT", `${path}/branches/${body.branch.id}/backup_schedule`, { schedule });
    await platform.call("POST", `${path}/branches/${body.branch.id}/snapshot`);
    clock.advance(second);
    await platform.call("DELETE", path);
    clock.advance(8 * day);
    await platform.close();
    const database = new Database(join(data, "platform.db"));
    for (const table of tables) {
      assert.deepEqual(database.prepare(`SELECT * FROM ${table}`).all(), [], table);
    }
    database.close();
  });
});
