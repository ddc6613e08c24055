import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError, assertMembers } from "./support/responses";

const shop = "https://shop.example.com";

/** A member of an answer that no published document has. */
type Values = Readonly<Record<string, unknown>>;

describe("local platform: Realtime", () => {
  const { platform, project: newProject, finish } = suiteProjects();

  const project = async (input: object = {}) => {
    const fixture = await newProject(input);
    const path = (branchId = fixture.main.id) => `/branches/${branchId}/realtime`;
    const state = async (branchId?: string) => (await fixture.call("GET", path(branchId))).body as unknown as Values;
    const secret = async (branchId?: string) => {
      const { status, body } = await fixture.call("GET", `${path(branchId)}/secret`);
      return { status, ...(body as unknown as Values) } as Values;
    };
    const enabled = async (body: object = {}, branchId?: string) => {
      assert.equal((await fixture.call("POST", path(branchId), body)).status, 202);
      finish();
    };
    return { ...fixture, path, state, secret, enabled };
  };

  it("is enabled while it is pending, and has a URL and a secret afterwards", async () => {
    const { call, path, state, secret, main } = await project();
    assert.deepEqual(await state(), { enabled: false, pending: false });
    assert.equal((await secret())["status"], 404);
    const { status, body } = await call("POST", path());
    assert.deepEqual([status, body], [202, undefined]);
    assert.deepEqual(await state(), { enabled: true, pending: true });
    assert.equal((await secret())["status"], 404);
    finish();
    const { invocation_url: url, ...others } = await state();
    assert.match(String(url), new RegExp(`^wss://realtime\\..+/${main.id}$`));
    assert.deepEqual(others, { enabled: true, pending: false, revision: 1, allowed_origins: [] });
    const { secret: key, ...rest } = await secret();
    assert.match(String(key), /^nrt_live_1[\w-]{43}$/);
    assert.deepEqual(rest, { status: 200, pending: false });
  });

  it("turns on logical replication for good, and suspends all computes of the project", async () => {
    const { id, call, branch, path } = await project();
    const other = await branch({ endpoints: [{ type: "read_write" }] });
    const computes = async () => (await call("GET", "/endpoints")).body.endpoints.map((one) => one.current_state);
    assert.deepEqual(await computes(), ["active", "active"]);
    await call("POST", path(other.branch.id));
    assertError(await call("POST", path()), 423, /already has running conflicting operations/);
    finish();
    assert.deepEqual(await computes(), ["idle", "idle"]);
    await call("DELETE", path(other.branch.id));
    finish();
    const { settings } = (await platform().call("GET", `/projects/${id}`)).body.project;
    assert.equal(settings?.enable_logical_replication, true);
  });

  it("takes other origins in place, and keeps those that a request omits", async () => {
    const { enabled, state, secret } = await project();
    await enabled({ allowed_origins: [shop] });
    const before = await secret();
    await enabled();
    assertMembers(await state(), { revision: 2, allowed_origins: [shop] });
    for (const any of [["*"], []]) {
      await enabled({ allowed_origins: [shop] });
      await enabled({ allowed_origins: any });
      assert.deepEqual((await state())["allowed_origins"], []);
    }
    assert.deepEqual(await secret(), before);
  });

  it("refuses what is no origin", async () => {
    const { call, path, state } = await project();
    for (const origin of [
      "shop.example.com",
      `${shop}/`,
      `${shop}/a`,
      "ws://shop.example.com",
      "https://",
      `${shop}:`,
    ]) {
      assertError(
        await call("POST", path(), { allowed_origins: [origin] }),
        400,
        /EnableProjectBranchRealtime.*origin/,
      );
    }
    assertError(await call("POST", path(), { allowed_origins: ["*", shop] }), 400, /other origins besides \*/);
    assert.deepEqual(await state(), { enabled: false, pending: false });
  });

  it("returns the old secret until a rotation is applied", async () => {
    const { call, path, enabled, state, secret } = await project();
    assertError(await call("POST", `${path()}/rotate_secret`), 404, /Realtime not found/);
    await enabled();
    const { secret: before } = await secret();
    assert.equal((await call("POST", `${path()}/rotate_secret`)).status, 202);
    assertMembers(await secret(), { secret: before, pending: true });
    assertMembers(await state(), { enabled: true, pending: true, revision: 1 });
    finish();
    const after = await secret();
    assert.notEqual(after["secret"], before);
    assert.equal(after["pending"], false);
  });

  it("discards the secret when it is disabled, also if it is enabled again before that is applied", async () => {
    const { call, path, enabled, state, secret } = await project();
    assertError(await call("DELETE", path()), 404, /Realtime not found/);
    await enabled({ allowed_origins: [shop] });
    const { secret: before } = await secret();
    assert.equal((await call("DELETE", path())).status, 202);
    assert.deepEqual(await state(), { enabled: false, pending: true });
    assert.equal((await secret())["status"], 404);
    await enabled();
    assertMembers(await state(), { enabled: true, pending: false, allowed_origins: [] });
    assert.notEqual((await secret())["secret"], before);
    await call("DELETE", path());
    finish();
    assert.deepEqual(await state(), { enabled: false, pending: false });
  });

  it("is inherited by a child with its origins, a URL and a secret of its own, which changes nothing of the parent", async () => {
    const { call, branch, path, enabled, state, secret } = await project();
    await enabled({ allowed_origins: [shop] });
    const { body: made } = await call("POST", "/branches", { branch: { name: "child" } });
    const child = made.branch.id;
    assert.deepEqual(await state(child), { enabled: true, pending: true });
    finish();
    const [ofParent, ofChild] = [await state(), await state(child)];
    assert.deepEqual(ofChild["allowed_origins"], [shop]);
    assert.notEqual(ofChild["invocation_url"], ofParent["invocation_url"]);
    const before = await secret();
    assert.notEqual((await secret(child))["secret"], before["secret"]);
    await call("DELETE", path(child));
    finish();
    assert.deepEqual([await state(), await secret()], [ofParent, before]);
    const { branch: grandchild } = await branch({ branch: { parent_id: child } });
    assert.deepEqual(await state(grandchild.id), { enabled: false, pending: false });
  });

  it("tells its secret only to those who may change the project", async () => {
    const orgId = await platform().organization();
    const email = "reader@example.com";
    const key = await platform().signIn(email);
    await platform().member(orgId, email);
    const { id, call, path, enabled } = await project({ org_id: orgId });
    await enabled();
    const { members } = (await platform().call("GET", `/organizations/${orgId}/members`)).body;
    const member = members.find(({ user }) => user.email === email)?.member.id ?? "";
    const read = async (rest: string) =>
      (await platform().call("GET", `/projects/${id}${path()}${rest}`, undefined, { key })).status;
    assert.deepEqual([await read(""), await read("/secret")], [200, 200]);
    await call("PUT", `/members/${member}/role`, { role: "viewer" });
    assert.deepEqual([await read(""), await read("/secret")], [200, 403]);
  });
});
