import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteBranches } from "./support/branches";
import { assertError } from "./support/responses";
import { day, second } from "./support/time";

describe("local platform: branch restore", () => {
  const { clock, platform, project, now } = suiteBranches();

  describe("restore", () => {
    it("from the parent sets the state resetting, and moves the parent point when the operations have finished", async () => {
      const { id, main, call, branch, get, actions } = await project();
      const { branch: created, endpoints } = await branch({ endpoints: [{ type: "read_write" }] });
      const host = endpoints[0]?.host;
      clock.advance(60 * second);
      const response = await call("POST", `/${created.id}/restore`, { source_branch_id: main.id });
      assert.equal(response.status, 200);
      assert.deepEqual(actions(response), [
        `suspend_compute ${created.id}`,
        `create_branch ${created.id}`,
        `start_compute ${created.id}`,
      ]);
      assert.equal(response.body.branch.current_state, "resetting");
      assert.equal(response.body.branch.pending_state, "ready");
      assert.equal(response.body.branch.parent_lsn, created.parent_lsn);
      assert.equal(response.body.branch.last_reset_at, undefined);
      assertError(await call("POST", "", { branch: { parent_id: created.id } }), 423, /conflicting operations/);
      clock.advance(10 * second);

      const restored = await get(created.id);
      assert.equal(restored.current_state, "ready");
      assert.equal(restored.pending_state, undefined);
      assert.equal(restored.parent_id, main.id);
      assert.notEqual(restored.parent_lsn, created.parent_lsn);
      assert.ok((restored.parent_timestamp ?? "") > (created.parent_timestamp ?? ""));
      assert.ok((restored.last_reset_at ?? "") > created.created_at);
      const { body } = await platform().call("GET", `/projects/${id}/branches/${created.id}/endpoints`);
      assert.deepEqual(
        body.endpoints.map((endpoint) => [endpoint.host, endpoint.current_state]),
        [[host, "active"]],
      );
    });

    it("from another branch makes it the child of that, with its roles and databases", async () => {
      const { id, main, call, branch, get } = await project();
      const source = await branch({ branch: { init_source: "schema-only" } });
      const { branch: created } = await branch({ branch: { name: "copy" } });
      const roles = async (branchId: string) =>
        (await platform().call("GET", `/projects/${id}/branches/${branchId}/roles`)).body.roles.map(({ name }) => name);
      const role = { name: "reader" };
      assert.equal((await call("POST", `/${source.branch.id}/roles`, { role })).status, 201);
      clock.advance(10 * second);
      assert.equal((await call("POST", `/${created.id}/restore`, { source_branch_id: source.branch.id })).status, 200);
      clock.advance(10 * second);
      const restored = await get(created.id);
      assert.equal(restored.parent_id, source.branch.id);
      assert.deepEqual(await roles(created.id), ["neondb_owner", "reader"]);
      assert.deepEqual(await roles(main.id), ["neondb_owner"]);
      const { body } = await platform().call("GET", `/projects/${id}/branches/${created.id}/databases`);
      assert.deepEqual(
        body.databases.map(({ name, branch_id }) => [name, branch_id]),
        [["neondb", created.id]],
      );
    });

    it("with preserve_under_name keeps the old data in a branch, to which the children move", async () => {
      const { main, call, branch, get, named } = await project();
      const { branch: created } = await branch({ branch: { name: "staging" } });
      const { branch: child } = await branch({ branch: { parent_id: created.id } });
      const body = { source_branch_id: main.id };
      assertError(await call("POST", `/${created.id}/restore`, body), 422, /preserve_under_name .* children/);
      assertError(await call("POST", `/${created.id}/restore`, { ...body, preserve_under_name: "" }), 422, /children/);
      assertError(
        await call("POST", `/${created.id}/restore`, { ...body, preserve_under_name: "main" }),
        409,
        /"main"/,
      );
      const response = await call("POST", `/${created.id}/restore`, { ...body, preserve_under_name: "staging-before" });
      assert.equal(response.status, 200);
      clock.advance(10 * second);
      const kept = await named("staging-before");
      assert.ok(kept);
      assert.equal(kept.current_state, "ready");
      assert.deepEqual([kept.parent_id, kept.parent_lsn], [main.id, created.parent_lsn]);
      assert.equal((await get(child.id)).parent_id, kept.id);
      assert.equal((await get(created.id)).parent_id, main.id);
    });

    it("from its own history requires a point and preserve_under_name, and the preserved branch becomes the parent", async () => {
      const { main, call, branch, get, named } = await project();
      const { branch: created } = await branch({ branch: { name: "dev" } });
      const source_timestamp = now();
      clock.advance(60 * second);
      const own = { source_branch_id: created.id };
      const preserve_under_name = "dev-before";
      const restore = (body: object) => call("POST", `/${created.id}/restore`, { ...own, ...body });
      assertError(await restore({ preserve_under_name }), 400, /source_lsn or source_timestamp is required/);
      assertError(await restore({ source_timestamp }), 400, /preserve_under_name is required/);
      assert.equal((await restore({ source_timestamp, preserve_under_name })).status, 200);
      clock.advance(10 * second);
      const kept = await named("dev-before");
      const restored = await get(created.id);
      assert.equal(restored.parent_id, kept?.id);
      assert.equal(restored.parent_timestamp, `${source_timestamp.slice(0, 19)}Z`);
      assert.equal(kept?.parent_id, main.id);

      const root = { source_branch_id: main.id, source_timestamp, preserve_under_name: "main-before" };
      assert.equal((await call("POST", `/${main.id}/restore`, root)).status, 200);
      clock.advance(10 * second);
      const again = await get(main.id);
      assert.deepEqual([again.parent_id, again.parent_lsn, again.default], [undefined, undefined, true]);
      assert.equal((await named("main-before"))?.parent_id, undefined);
      assert.equal((await named("dev-before"))?.parent_id, (await named("main-before"))?.id);
    });

    it("rejects points outside the history that is kept", async () => {
      const { main, call, branch, get } = await project({ history_retention_seconds: 3600 });
      const { branch: early } = await branch();
      clock.advance(2 * 3600 * second);
      const { branch: created } = await branch();
      const restore = (body: object) => call("POST", `/${created.id}/restore`, { source_branch_id: main.id, ...body });
      const source_timestamp = now();
      assertError(await restore({ source_lsn: "0/1", source_timestamp }), 400, /exclude each other/);
      assertError(await restore({ source_lsn: "yesterday" }), 400, /source_lsn/);
      assertError(await restore({ source_timestamp: "yesterday" }), 400, /source_timestamp/);
      assertError(await restore({ source_timestamp: new Date(clock.now() + 1000).toISOString() }), 400, /future/);
      assertError(await restore({ source_timestamp: early.created_at }), 422, /before the start of the history/);
      assertError(await restore({ source_lsn: early.parent_lsn }), 422, /before the start of the history/);
      assertError(await restore({ source_lsn: "FFFF/0" }), 422, /after the end of the history/);
      assertError(await restore({ source_branch_id: "br-no-such-one" }), 404, /branch not found/);
      assertError(await restore({ source_branch_id: undefined }), 400, /source_branch_id/);
      clock.advance(60 * second);
      assert.equal((await restore({ source_lsn: created.parent_lsn })).status, 200);
      clock.advance(10 * second);
      const restored = await get(created.id);
      assert.deepEqual([restored.parent_lsn, restored.parent_timestamp], [created.parent_lsn, undefined]);
    });

    it("rejects a protected branch, and a source that expires", async () => {
      const { main, call, branch } = await project();
      const { branch: guarded } = await branch({ branch: { protected: true } });
      assertError(await call("POST", `/${guarded.id}/restore`, { source_branch_id: main.id }), 422, /protected/);
      const { branch: expiring } = await branch({
        branch: { expires_at: new Date(clock.now() + day).toISOString() },
      });
      const { branch: created } = await branch();
      assertError(await call("POST", `/${created.id}/restore`, { source_branch_id: expiring.id }), 422, /expires/);
    });

    it("from the parent restarts the expiry interval", async () => {
      const { main, call, branch, get } = await project();
      const { branch: created } = await branch({ branch: { expires_at: new Date(clock.now() + day).toISOString() } });
      clock.advance(3600 * second);
      assert.equal((await call("POST", `/${created.id}/restore`, { source_branch_id: main.id })).status, 200);
      const expected = `${new Date(clock.now() + day).toISOString().slice(0, 19)}Z`;
      clock.advance(10 * second);
      assert.equal((await get(created.id)).expires_at, expected);
    });

    it("leaves the state resetting when it fails, until another restore succeeds", async () => {
      const { main, call, branch, get } = await project();
      const { branch: created } = await branch({ endpoints: [{ type: "read_write" }] });
      await platform().fault({ action: "create_branch", end: "error" });
      await call("POST", `/${created.id}/restore`, { source_branch_id: main.id });
      clock.advance(10 * second);
      const left = await get(created.id);
      assert.deepEqual(
        [left.current_state, left.pending_state, left.last_reset_at],
        ["resetting", undefined, undefined],
      );
      assertError(await call("POST", "", { branch: { parent_id: created.id } }), 422, /not ready yet/);
      const keeping = { source_branch_id: main.id, preserve_under_name: "too-late" };
      assertError(await call("POST", `/${created.id}/restore`, keeping), 422, /nothing to preserve/);
      assert.equal((await call("POST", `/${created.id}/restore`, { source_branch_id: main.id })).status, 200);
      clock.advance(10 * second);
      assert.equal((await get(created.id)).current_state, "ready");
    });
  });

  describe("finalize_restore", () => {
    it("gives the restored branch the computes, the name and the default flag of its target", async () => {
      const { id, main, call, get, named, actions } = await project();
      const taken = await call("POST", `/${main.id}/snapshot?name=nightly`);
      assert.equal(taken.status, 200, taken.body.message);
      clock.advance(10 * second);
      const { snapshot } = taken.body as unknown as { snapshot: { id: string } };
      const restored = await platform().call("POST", `/projects/${id}/snapshots/${snapshot.id}/restore`, {
        name: "restored",
        finalize_restore: false,
      });
      assert.equal(restored.status, 200, restored.body.message);
      clock.advance(10 * second);
      const created = restored.body.branch;
      const computes = async (branchId: string) =>
        (await call("GET", `/${branchId}/endpoints`)).body.endpoints.map((endpoint) => endpoint.id);
      const [compute] = await computes(main.id);
      assertError(await call("POST", `/${created.id}/finalize_restore`, { name: 7 }), 400, /name/);

      const response = await call("POST", `/${created.id}/finalize_restore`);
      assert.equal(response.status, 200, response.body.message);
      assert.deepEqual(actions(response), [`suspend_compute ${created.id}`, `start_compute ${created.id}`]);
      clock.advance(10 * second);
      const now = await get(created.id);
      assert.deepEqual([now.name, now.default, now.restore_status], ["main", true, "finalized"]);
      assert.deepEqual([now.restored_from, now.restored_as], [snapshot.id, main.id]);
      const former = await get(main.id);
      assert.deepEqual([former.name, former.default], [(await named(former.name))?.name, false]);
      assert.deepEqual([await computes(created.id), await computes(main.id)], [[compute], []]);
      assertError(await call("POST", `/${created.id}/finalize_restore`), 422, /not finalized yet/);
    });

    it("rejects a branch that was not restored from a snapshot", async () => {
      const { call, branch } = await project();
      const { branch: created } = await branch();
      assertError(await call("POST", `/${created.id}/finalize_restore`), 422, /restored from a snapshot/);
    });
  });
});
