import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteProjects } from "./support/project";
import { actionsOf, assertError, assertMembers, idsOf, namesOf, rowsOf } from "./support/responses";
import { day, hour, second } from "./support/time";

describe("local platform: branch restore", () => {
  const { clock, platform, finish, project: newProject, time } = suiteProjects();

  const project = async (input?: object) => {
    const fixture = await newProject(input);
    const { branch, call } = fixture;
    return {
      ...fixture,
      /** Creates a branch with these members. */
      made: async (members: object = {}) => (await branch({ branch: members })).branch,
      restore: (id: string, source_branch_id: string | undefined, body: object = {}) =>
        call("POST", `/branches/${id}/restore`, { source_branch_id, ...body }),
      named: async (name: string) =>
        (await call("GET", `/branches?search=${name}`)).body.branches.find((one) => one.name === name),
    };
  };

  it("from the parent sets the state resetting, and moves the parent point when the operations have finished", async () => {
    const { main, call, branch, getBranch, restore } = await project();
    const { branch: before, endpoints } = await branch({ endpoints: [{ type: "read_write" }] });
    clock.advance(60 * second);
    const { status, body } = await restore(before.id, main.id);
    assert.equal(status, 200);
    // recorded.test.ts has its states and operations.
    assertMembers(body.branch, { parent_lsn: before.parent_lsn, last_reset_at: time() });
    const child = { branch: { parent_id: before.id } };
    assertError(await call("POST", "/branches", child), 423, /conflicting operations/);
    finish();

    const after = await getBranch(before.id);
    assertMembers(after, { current_state: "ready", pending_state: undefined, parent_id: main.id });
    assert.notEqual(after.parent_lsn, before.parent_lsn);
    assert.ok((after.parent_timestamp ?? "") > (before.parent_timestamp ?? ""));
    assert.ok((after.last_reset_at ?? "") > before.created_at);
    const { endpoints: computes } = (await call("GET", `/branches/${before.id}/endpoints`)).body;
    // The next connection starts it.
    assert.deepEqual(rowsOf(computes, "host", "current_state"), [[endpoints[0]?.host, "idle"]]);
  });

  it("from another branch makes it the child of that, with its roles and databases", async () => {
    const { main, call, done, branch, made, getBranch, restore } = await project();
    const root = { branch: { init_source: "schema-only" }, endpoints: [{ type: "read_write" }] };
    const source = (await branch(root)).branch;
    const copy = await made({ name: "copy" });
    const roles = async (id: string) => namesOf((await call("GET", `/branches/${id}/roles`)).body.roles);
    await done("POST", `/branches/${source.id}/roles`, { role: { name: "reader" } });
    assert.equal((await restore(copy.id, source.id)).status, 200);
    finish();
    assert.equal((await getBranch(copy.id)).parent_id, source.id);
    assert.deepEqual(await roles(copy.id), ["neondb_owner", "reader"]);
    assert.deepEqual(await roles(main.id), ["neondb_owner"]);
    const { databases } = (await call("GET", `/branches/${copy.id}/databases`)).body;
    assert.deepEqual(rowsOf(databases, "name", "branch_id"), [["neondb", copy.id]]);
  });

  it("with preserve_under_name keeps the old data in a branch, to which the children move", async () => {
    const { main, made, getBranch, restore, named } = await project();
    const staging = await made({ name: "staging" });
    const child = await made({ parent_id: staging.id });
    const under = (preserve_under_name: string) => restore(staging.id, main.id, { preserve_under_name });
    assertError(await restore(staging.id, main.id), 422, /preserve_under_name .* children/);
    assertError(await under(""), 422, /children/);
    assertError(await under("main"), 409, /"main"/, "BRANCH_ALREADY_EXISTS");
    const preserved = await under("staging-before");
    assert.deepEqual(actionsOf(preserved), ["create_branch"]);
    finish();
    const kept = await named("staging-before");
    assertMembers(kept, { current_state: "ready", parent_id: main.id, parent_lsn: staging.parent_lsn });
    assert.equal((await getBranch(child.id)).parent_id, kept?.id);
    assert.equal((await getBranch(staging.id)).parent_id, main.id);
  });

  it("from its own history requires a point and preserve_under_name, and the preserved branch becomes the parent", async () => {
    const { main, made, getBranch, restore, named } = await project();
    const { id } = await made({ name: "dev" });
    const source_timestamp = time();
    clock.advance(60 * second);
    const preserve_under_name = "dev-before";
    assertError(await restore(id, id, { preserve_under_name }), 400, /source_lsn or source_timestamp is required/);
    assertError(await restore(id, id, { source_timestamp }), 400, /preserve_under_name is required/);
    assert.equal((await restore(id, id, { source_timestamp, preserve_under_name })).status, 200);
    finish();
    const kept = await named("dev-before");
    const restored = await getBranch(id);
    assertMembers(restored, { parent_id: kept?.id, parent_timestamp: source_timestamp });
    assert.equal(kept?.parent_id, main.id);

    const root = { source_timestamp, preserve_under_name: "main-before" };
    assert.equal((await restore(main.id, main.id, root)).status, 200);
    finish();
    const again = await getBranch(main.id);
    assertMembers(again, { parent_id: undefined, parent_lsn: undefined, default: true });
    const before = await named("main-before");
    assert.deepEqual([before?.parent_id, (await named("dev-before"))?.parent_id], [undefined, before?.id]);
  });

  it("rejects points outside the history that is kept", async () => {
    const { main, made, getBranch, restore } = await project({ history_retention_seconds: 3600 });
    const early = await made();
    clock.advance(2 * hour);
    const { id, parent_lsn } = await made();
    for (const [body, status, message] of [
      [{ source_lsn: "0/1", source_timestamp: time() }, 400, /exclude each other/],
      [{ source_lsn: "yesterday" }, 400, /source_lsn/],
      [{ source_timestamp: time(second) }, 400, /future/],
      [{ source_timestamp: early.created_at }, 422, /before the start of the history/],
      [{ source_lsn: early.parent_lsn }, 422, /before the start of the history/],
      [{ source_lsn: "FFFF/0" }, 422, /after the end of the history/],
      [{ source_branch_id: "br-no-such-one" }, 404, /branch not found/],
    ] as const) {
      assertError(await restore(id, main.id, body), status, message, "", JSON.stringify(body));
    }
    clock.advance(60 * second);
    assert.equal((await restore(id, main.id, { source_lsn: parent_lsn })).status, 200);
    finish();
    const restored = await getBranch(id);
    assertMembers(restored, { parent_lsn, parent_timestamp: undefined });
  });

  it("rejects a protected branch, and a source that expires", async () => {
    const { main, made, restore } = await project();
    assertError(await restore((await made({ protected: true })).id, main.id), 422, /protected/);
    const expiring = await made({ expires_at: time(day) });
    assertError(await restore((await made()).id, expiring.id), 422, /expires/);
  });

  it("from the parent restarts the expiry interval", async () => {
    const { main, made, getBranch, restore } = await project();
    const { id } = await made({ expires_at: time(day) });
    clock.advance(hour);
    assert.equal((await restore(id, main.id)).status, 200);
    const expected = time(day);
    finish();
    assert.equal((await getBranch(id)).expires_at, expected);
  });

  it("leaves the state resetting when it fails, until another restore succeeds", async () => {
    const { main, call, branch, getBranch, restore } = await project();
    const { id } = (await branch({ endpoints: [{ type: "read_write" }] })).branch;
    await platform().fault({ action: "create_branch", end: "error" });
    await restore(id, main.id);
    finish();
    assertMembers(await getBranch(id), { current_state: "resetting", pending_state: undefined });
    assertError(await call("POST", "/branches", { branch: { parent_id: id } }), 422, /not ready yet/);
    assertError(await restore(id, main.id, { preserve_under_name: "too-late" }), 422, /nothing to preserve/);
    assert.equal((await restore(id, main.id)).status, 200);
    finish();
    assert.equal((await getBranch(id)).current_state, "ready");
  });

  it("finalize_restore gives the restored branch the name and the default flag of its target, and swaps their computes", async () => {
    const { main, endpointId, call, done, getBranch, named } = await project();
    const { snapshot } = await done("POST", `/branches/${main.id}/snapshot?name=nightly`);
    const restored = await done("POST", `/snapshots/${snapshot.id}/restore`, {
      name: "restored",
      finalize_restore: false,
    });
    const { id } = restored.branch;
    const previewed = restored.endpoints[0]?.id;
    const finalize = () => call("POST", `/branches/${id}/finalize_restore`);
    const computes = async (of: string) => idsOf((await call("GET", `/branches/${of}/endpoints`)).body.endpoints);
    const expire = (expires_at: string | null) => call("PATCH", `/branches/${id}`, { branch: { expires_at } });
    await expire(time(day));
    assertError(await finalize(), 422, /expires cannot be the default/);
    await expire(null);

    const { status, body } = await finalize();
    assert.equal(status, 200, body.message);
    assert.deepEqual(rowsOf(body.operations, "action", "branch_id"), [
      ["suspend_compute", id],
      ["suspend_compute", main.id],
      ["start_compute", id],
      ["start_compute", main.id],
    ]);
    finish();
    const now = await getBranch(id);
    assertMembers(now, { name: "main", default: true, restore_status: "finalized" });
    assertMembers(now, { restored_from: snapshot.id, restored_as: main.id });
    const former = await getBranch(main.id);
    assertMembers(former, { name: (await named(former.name))?.name, default: false });
    assert.deepEqual([await computes(id), await computes(main.id)], [[endpointId], [previewed]]);
    assertError(await finalize(), 422, /is already finalized/);
  });
});
