import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";
import { assertError, bodyOf } from "./support/responses";
import { uniqueEmail } from "./support/unique-email";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("local platform: project permissions", () => {
  const platform = suitePlatform({ operationTime: "1ms" });

  const setUp = async (input: object = {}) => {
    const { body } = await platform().call("POST", "/projects", { project: input });
    const { id } = body.project;
    const path = `/projects/${id}/permissions`;
    const grant = async (email: string, key?: string) => platform().call("POST", path, { email }, { key });
    return {
      id,
      path,
      grant,
      granted: async (email: string) => {
        const response = await grant(email);
        assert.equal(response.status, 200, response.body.message);
        return bodyOf(response) as ProjectPermission;
      },
      revoke: async (permissionId: string, key?: string) =>
        platform().call("DELETE", `${path}/${permissionId}`, undefined, { key }),
      list: async () => (bodyOf(await platform().call("GET", path)) as ProjectPermissions).project_permissions,
      see: async (key: string) => (await platform().call("GET", `/projects/${id}`, undefined, { key })).status,
    };
  };
  const shared = async (key: string, query = "") =>
    (await platform().call("GET", `/projects/shared?${query}`, undefined, { key })).body.projects.map(({ id }) => id);

  it("a permission gives access to the user with the address until it is revoked", async () => {
    const { granted, revoke, list, see, id } = await setUp();
    const email = uniqueEmail();
    const key = await platform().signIn(email);
    assert.deepEqual([await see(key), await shared(key)], [404, []]);
    const permission = await granted(email);
    assert.match(permission.id, uuid);
    assert.equal(permission.granted_to_email, email);
    assert.ok(!("revoked_at" in permission));
    assert.deepEqual([await see(key), await shared(key)], [200, [id]]);
    assert.deepEqual((await platform().call("GET", "/projects", undefined, { key })).body.projects, []);
    const revoked = bodyOf(await revoke(permission.id)) as ProjectPermission;
    assert.equal(revoked.id, permission.id);
    assert.ok(revoked.revoked_at);
    assert.deepEqual([await see(key), await shared(key)], [404, []]);
    assert.deepEqual(await list(), [revoked]);
  });

  it("a permission applies to an account that is created later, ignoring case", async () => {
    const { granted, see } = await setUp();
    const email = uniqueEmail();
    assert.equal((await granted(email.toUpperCase())).granted_to_email, email);
    assert.equal(await see(await platform().signIn(email)), 200);
  });

  it("a guest can update and share the project but not delete or transfer it", async () => {
    const { granted, grant, id } = await setUp();
    const email = uniqueEmail();
    await granted(email);
    const key = await platform().signIn(email);
    const call = (method: string, path: string, body?: unknown) => platform().call(method, path, body, { key });
    assert.equal((await call("PATCH", `/projects/${id}`, { project: { name: "renamed" } })).status, 200);
    assert.equal((await grant(uniqueEmail(), key)).status, 200);
    const only = /only the owner of the project/;
    assertError(await call("DELETE", `/projects/${id}`), 403, only);
    assertError(await call("POST", `/projects/${id}/transfer_requests`), 403, only);
  });

  it("a permission gives no access to other objects of the owner", async () => {
    const orgId = await platform().firstOrganization();
    const { granted, id, see } = await setUp({ org_id: orgId });
    const { body: sibling } = await platform().call("POST", "/projects", { project: { org_id: orgId } });
    const email = uniqueEmail();
    await granted(email);
    const key = await platform().signIn(email);
    assert.equal(await see(key), 200);
    const call = (path: string) => platform().call("GET", path, undefined, { key });
    assertError(await call(`/projects/${sibling.project.id}`), 404, /project not found/);
    assertError(await call(`/organizations/${orgId}`), 404, /organization not found/);
    assert.deepEqual(await shared(key), [id]);
  });

  it("a project is listed as shared only for users who have no other access", async () => {
    const orgId = await platform().organization();
    const { granted, see } = await setUp({ org_id: orgId });
    const email = uniqueEmail();
    await granted(email);
    await platform().member(orgId, email);
    const key = await platform().signIn(email);
    assert.deepEqual([await see(key), await shared(key)], [200, []]);
    await platform().leave(orgId, email);
    assert.deepEqual([await see(key), (await shared(key)).length], [200, 1]);
    const { body: made } = await platform().call("POST", `/organizations/${orgId}/api_keys`, { key_name: "ci" });
    assert.deepEqual(await shared((made as unknown as { key: string }).key), []);
  });

  it("shared projects are listed in pages and found by name", async () => {
    const email = uniqueEmail();
    const key = await platform().signIn(email);
    const grounds = [await setUp({ name: "blue" }), await setUp({ name: "green" }), await setUp({ name: "greenish" })];
    for (const { granted } of grounds) await granted(email);
    const ids = grounds.map(({ id }) => id).reverse();
    const { body } = await platform().call("GET", "/projects/shared?limit=2", undefined, { key });
    assert.deepEqual(
      body.projects.map(({ id }) => id),
      ids.slice(0, 2),
    );
    assert.deepEqual(await shared(key, `cursor=${body.pagination?.cursor ?? ""}`), ids.slice(2));
    assert.deepEqual(await shared(key, "search=green"), ids.slice(0, 2));
  });

  it("rejects a duplicate grant, an invalid address and a second revocation", async () => {
    const { granted, grant, revoke, list } = await setUp();
    const email = uniqueEmail();
    const { id } = await granted(email);
    assertError(await grant(email), 409, /is granted to user-\d+@example.com already/);
    for (const wrong of ["", "nobody", `${"x".repeat(256)}@example.com`]) {
      assertError(await grant(wrong), 400, /email/);
    }
    assert.equal((await revoke(id)).status, 200);
    assertError(await revoke(id), 404, /permission not found/);
    assertError(await revoke("none"), 404, /permission not found/);
    const again = await granted(email);
    assert.notEqual(again.id, id);
    assert.deepEqual(
      (await list()).map((each) => [each.id, each.revoked_at === undefined]),
      [
        [id, false],
        [again.id, true],
      ],
    );
  });

  it("reports 404 for a permission of another project", async () => {
    const [one, other] = [await setUp(), await setUp()];
    const { id } = await one.granted(uniqueEmail());
    assertError(await other.revoke(id), 404, /permission not found/);
    assert.deepEqual(await other.list(), []);
  });
});
