import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteProjects } from "./support/project";
import { actionsOf, assertError, assertMembers, idsOf, rowsOf } from "./support/responses";
import { hour, second } from "./support/time";

describe("local platform: snapshots", () => {
  const { clock, platform, finish, project: newProject, time } = suiteProjects();

  const project = async (input?: object) => {
    const fixture = await newProject(input);
    const { call, done, main } = fixture;
    const pathTo = (query: string, branchId = main.id) => `/branches/${branchId}/snapshot?${query}`;
    return {
      ...fixture,
      take: (query = "", branchId?: string) => call("POST", pathTo(query, branchId)),
      /** Takes a snapshot and lets the operations finish. */
      taken: async (query = "", branchId?: string) => (await done("POST", pathTo(query, branchId))).snapshot,
      list: async () => (await call("GET", "/snapshots")).body.snapshots,
      restore: (id: string, body?: object, query = "") => done("POST", `/snapshots/${id}/restore${query}`, body),
    };
  };

  describe("create", () => {
    it("needs operations on a branch that is not shown, after which the snapshot has a size", async () => {
      const { main, call, take, list } = await project();
      const { status, body } = await take();
      assert.equal(status, 200);
      const hidden = body.operations[0]?.branch_id ?? "";
      assertError(await call("GET", `/branches/${hidden}`), 404, /branch not found/);
      assert.deepEqual(idsOf((await call("GET", "/branches")).body.branches), [main.id]);
      const { snapshot } = body;
      assert.match(snapshot.id, /^snap-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
      assert.match(snapshot.lsn ?? "", /^0\/[0-9A-F]+$/);
      const { name, source_branch_id, manual, timestamp, full_size, expires_at } = snapshot;
      assert.deepEqual([name, source_branch_id, manual, timestamp], [snapshot.id, main.id, true, time()]);
      assert.deepEqual([full_size, expires_at], [undefined, undefined]);
      finish();
      const [listed] = await list();
      const { full_size: size, ...rest } = listed ?? snapshot;
      assert.ok((size ?? 0) > 0);
      assert.deepEqual(rest, snapshot);
    });

    it("names are unique in the project until their deletion has ended, and the list has the newest first", async () => {
      const { call, done, take, taken, list } = await project();
      const first = await taken("name=before");
      const second = await taken("name=after");
      assertError(await take("name=before"), 409, /snapshot with the name "before" already exists/);
      assertError(
        await call("PATCH", `/snapshots/${second.id}`, { snapshot: { name: "before" } }),
        409,
        /already exists/,
      );
      assert.equal((await call("PATCH", `/snapshots/${first.id}`, { snapshot: { name: "before" } })).status, 200);
      assert.deepEqual(rowsOf(await list(), "id", "name"), [
        [second.id, "after"],
        [first.id, "before"],
      ]);
      await call("DELETE", `/snapshots/${first.id}`);
      assertError(await take("name=before"), 409, /already exists/);
      finish();
      await taken("name=before");
      await done("DELETE", `/snapshots/${second.id}`);
      await (await project()).taken("name=before");
    });

    it("a slug is generated or given, unique in the project, and stays", async () => {
      const { call, take, taken, list } = await project();
      const slugOf = (snapshot: { id: string; slug?: string } | undefined) => snapshot?.slug;
      const generated = slugOf(await taken());
      assert.match(generated ?? "", /^[a-z][a-z0-9-]*[a-z0-9]$/);
      const { id } = await taken("name=first&slug=before-launch");
      assertError(
        await take("name=second&slug=before-launch"),
        409,
        /snapshot with the slug "before-launch" already exists/,
      );
      for (const wrong of ["Before", "1st", "-a", "a-", "a".repeat(64)]) {
        assertError(await take(`slug=${wrong}`), 400, /query parameter slug/);
      }
      await call("PATCH", `/snapshots/${id}`, { snapshot: { name: "renamed" } });
      assert.deepEqual((await list()).map(slugOf), ["before-launch", generated]);
    });

    it("accepts a point in the history by LSN or time", async () => {
      const { take, taken } = await project({ history_retention_seconds: 3600 });
      assert.equal((await taken("lsn=0/1E00100")).lsn, "0/1E00100");
      clock.advance(2 * hour);
      const moment = time(-hour / 2);
      const back = await taken(`timestamp=${encodeURIComponent(moment)}`);
      assert.equal(back.timestamp, moment);
      assertError(await take(`timestamp=${time(hour)}`), 400, /timestamp must not be in the future/);
      assertError(await take(`timestamp=${time(-2 * hour)}`), 422, /timestamp is before the start of the history/);
      assertError(await take("lsn=0/FFFFFFF0"), 422, /lsn is after the end/);
      assertError(await take(`lsn=0/1E00100&timestamp=${moment}`), 400, /lsn and timestamp exclude each other/);
      assertError(await take("lsn=here"), 400, /query parameter lsn: must be a log sequence number/);
    });

    it("rejects a branch with a parent", async () => {
      const { branch, take } = await project();
      assertError(await take("", (await branch()).branch.id), 422, /only root branches/);
    });

    it("rejects the manual snapshot that is one too many", async () => {
      const { done, take, taken } = await project();
      const first = await taken();
      for (let more = 1; more < 100; more += 1) await taken();
      assertError(await take(), 422, /manual snapshots limit exceeded/);
      await done("DELETE", `/snapshots/${first.id}`);
      await taken();
    });

    it("leaves an empty snapshot when the operation fails", async () => {
      const { call, take, list } = await project();
      await platform().fault({ action: "create_branch", end: "error" });
      const { body } = await take();
      finish();
      const [listed] = await list();
      assert.equal(listed?.id, body.snapshot.id);
      assert.equal(listed.full_size, undefined);
      assertError(await call("POST", `/snapshots/${listed.id}/restore`), 422, /not ready yet/);
    });
  });

  it("update changes the expiry, or removes it", async () => {
    const { call, taken, list } = await project();
    const { id } = await taken();
    const expire = (expires_at: string | null) => call("PATCH", `/snapshots/${id}`, { snapshot: { expires_at } });
    assertError(await expire(time(-second)), 400, /expires_at must be in the future/);
    assert.equal((await expire(time(hour))).body.snapshot.expires_at, time(hour));
    assert.equal(
      (await call("PATCH", `/snapshots/${id}`, { snapshot: { name: "kept" } })).body.snapshot.expires_at,
      time(hour),
    );
    assert.equal((await expire(null)).body.snapshot.expires_at, undefined);
    clock.advance(2 * hour);
    assert.equal((await list()).length, 1);
    await expire(time(hour));
    clock.advance(2 * hour);
    assert.equal((await list()).length, 0);
  });

  describe("delete", () => {
    it("needs an operation and hides the snapshot at once", async () => {
      const { call, taken, list } = await project();
      const path = `/snapshots/${(await taken()).id}`;
      const response = await call("DELETE", path);
      assert.deepEqual([response.status, actionsOf(response)], [202, ["delete_timeline"]]);
      assert.deepEqual(await list(), []);
      assertError(await call("DELETE", path), 404, /snapshot not found/);
      finish();
      assert.deepEqual(await list(), []);
    });

    it("makes the snapshot visible again when the operation fails", async () => {
      const { send, taken, list } = await project();
      const { id } = await taken();
      await platform().fault({ action: "delete_timeline", end: "error" });
      await send("DELETE", `/snapshots/${id}`);
      assert.deepEqual(idsOf(await list()), [id]);
      assert.equal((await send("DELETE", `/snapshots/${id}`)).status, 202);
      assert.deepEqual(await list(), []);
    });
  });

  describe("restore", () => {
    it("creates a root branch with the data of the snapshot, and a compute", async () => {
      const { main, created, call, done, taken, restore, getBranch } = await project();
      const path = `/branches/${main.id}`;
      await done("POST", `${path}/roles`, { role: { name: "app" } });
      const snapshot = await taken();
      await done("POST", `${path}/roles`, { role: { name: "late" } });
      await done("DELETE", `${path}/databases/neondb`);
      const { branch, endpoints } = await restore(snapshot.id, { name: "as it was" });
      assert.deepEqual(rowsOf(endpoints, "type", "branch_id", "pending_state"), [["read_write", branch.id, "active"]]);
      const ready = await getBranch(branch.id);
      assertMembers(ready, { current_state: "ready", name: "as it was", parent_id: undefined });
      assertMembers(ready, { restore_status: "restored", restored_from: snapshot.id, restored_as: main.id });
      const restored = async (what: string) => (await call("GET", `/branches/${branch.id}/${what}`)).body;
      assert.deepEqual(
        rowsOf((await restored("roles")).roles, "name", "branch_id"),
        ["neondb_owner", "app"].map((name) => [name, branch.id]),
      );
      assert.equal((await restored("roles/neondb_owner/reveal_password")).password, created.roles[0]?.password);
      assert.deepEqual(rowsOf((await restored("databases")).databases, "name", "owner_name"), [
        ["neondb", "neondb_owner"],
      ]);
      assert.equal((await getBranch(main.id)).name, "main");
    });

    it("with finalize_restore replaces the target branch at once, repeatedly", async () => {
      const { main, created, call, taken, restore, getBranch } = await project();
      const { id } = await taken();
      const { branch, endpoints, operations } = await restore(id, { finalize_restore: true });
      assertMembers(branch, { name: "main", restore_status: "finalized" });
      assert.deepEqual(rowsOf(endpoints, "host"), [[created.endpoints[0]?.host]]);
      assert.deepEqual(rowsOf(operations, "action", "branch_id"), [
        ["timeline_unarchive", operations[0]?.branch_id],
        ...["create_branch", "suspend_compute", "start_compute"].map((action) => [action, branch.id]),
      ]);
      const again = await restore(id, { finalize_restore: true, target_branch_id: branch.id });
      assert.equal((await getBranch(again.branch.id)).name, "main");
      assert.equal((await getBranch(main.id)).name, "main (old)");
      assert.equal((await getBranch(branch.id)).name, `main (old) ${branch.id}`);
      const { body } = await call("GET", `/branches/${again.branch.id}/endpoints`);
      assert.equal(body.endpoints[0]?.current_state, "active");
    });

    it("accepts another target branch, even if the source of the snapshot is deleted", async () => {
      const { call, done, branch, taken, restore } = await project();
      const { branch: root } = await branch({ branch: { name: "root", init_source: "schema-only" } });
      const { branch: target } = await branch({ branch: { name: "target" } });
      const { id } = await taken("", root.id);
      const { branch: restored } = await restore(id, { target_branch_id: target.id });
      assertMembers(restored, { name: restored.id, restored_as: target.id });
      await done("DELETE", `/branches/${root.id}`);
      const path = `/snapshots/${id}/restore`;
      assertError(await call("POST", path, { finalize_restore: true }), 422, /set target_branch_id to another branch/);
      assertError(await call("POST", path, { target_branch_id: "br-no-such-one" }), 404, /branch not found/);
      const alone = (await restore(id, undefined, "?name=older%20way")).branch;
      assertMembers(alone, { name: "older way", restored_as: undefined });
      assertError(await call("POST", `/branches/${alone.id}/finalize_restore`), 422, /is already finalized/);
    });

    it("rejects a name in use", async () => {
      const { call, taken } = await project();
      const { id } = await taken();
      assertError(
        await call("POST", `/snapshots/${id}/restore`, { name: "main" }),
        409,
        /"main"/,
        "BRANCH_ALREADY_EXISTS",
      );
    });
  });

  it("deletes an expired snapshot after the operations in progress", async () => {
    const { take, taken, list } = await project();
    assertError(await take(`expires_at=${time(-second)}`), 400, /expires_at must be in the future/);
    const expiresAt = time(hour);
    const { id, expires_at } = await taken(`expires_at=${encodeURIComponent(expiresAt)}`);
    assert.equal(expires_at, expiresAt);
    const stays = await taken();
    clock.advance(hour - 22 * second);
    assert.equal((await list()).length, 2);
    await take();
    clock.advance(2.5 * second);
    const left = idsOf(await list());
    assert.deepEqual([left.includes(id), left.includes(stays.id)], [false, true]);
  });
});
