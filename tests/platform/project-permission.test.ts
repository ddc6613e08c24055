import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteAccounts } from "./support/accounts";
import { assertError, bodyOf, idsOf } from "./support/responses";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("local platform: project permissions", () => {
  const { platform, call, read, user, project, access, organizationKey } = suiteAccounts();

  const setUp = async (input?: object) => {
    const id = await project(input);
    const path = `/projects/${id}/permissions`;
    const grant = (email: string, key?: string) => call("POST", path, { email }, key);
    return {
      id,
      grant,
      granted: async (email: string) => {
        const response = await grant(email);
        assert.equal(response.status, 200, response.body.message);
        return bodyOf(response) as ProjectPermission;
      },
      revoke: (permissionId: string) => call("DELETE", `${path}/${permissionId}`),
      list: async () => (await read<ProjectPermissions>(path)).project_permissions,
    };
  };
  const shared = async (key: string, query = "") =>
    idsOf((await call("GET", `/projects/shared?${query}`, undefined, key)).body.projects);

  it("a permission gives access to the user with the address until it is revoked", async () => {
    const { granted, revoke, list, id } = await setUp();
    const { email, key } = await user();
    assert.deepEqual([await access(id, key), await shared(key)], [404, []]);
    const permission = await granted(email);
    assert.match(permission.id, uuid);
    assert.equal(permission.granted_to_email, email);
    assert.ok(!("revoked_at" in permission));
    assert.deepEqual([await access(id, key), await shared(key)], [200, [id]]);
    assert.deepEqual((await call("GET", "/projects", undefined, key)).body.projects, []);
    const revoked = bodyOf(await revoke(permission.id)) as ProjectPermission;
    assert.equal(revoked.id, permission.id);
    assert.ok(revoked.revoked_at);
    assert.deepEqual([await access(id, key), await shared(key)], [404, []]);
    assert.deepEqual(await list(), []);
  });

  it("a permission applies to an account that is created later, ignoring case", async () => {
    const { granted, id } = await setUp();
    assert.equal((await granted("Later@Example.com")).granted_to_email, "later@example.com");
    assert.equal(await access(id, await platform().signIn("later@example.com")), 200);
  });

  it("a guest can update and share the project but not delete or transfer it", async () => {
    const { granted, grant, id } = await setUp();
    const { email, key } = await user();
    await granted(email);
    assert.equal((await call("PATCH", `/projects/${id}`, { project: { name: "renamed" } }, key)).status, 200);
    assert.equal((await grant("another@example.com", key)).status, 200);
    const only = /only the owner of the project/;
    assertError(await call("DELETE", `/projects/${id}`, undefined, key), 403, only);
    assertError(await call("POST", `/projects/${id}/transfer_requests`, undefined, key), 403, only);
  });

  it("a permission gives no access to other objects of the owner", async () => {
    const org_id = await platform().firstOrganization();
    const { granted, id } = await setUp({ org_id });
    const sibling = await project({ org_id });
    const { email, key } = await user();
    await granted(email);
    assert.deepEqual([await access(id, key), await access(sibling, key)], [200, 404]);
    assertError(await call("GET", `/organizations/${org_id}`, undefined, key), 404, /organization not found/);
    assert.deepEqual(await shared(key), [id]);
  });

  it("a project is listed as shared only for users who have no other access", async () => {
    const org_id = await platform().organization();
    const { granted, id } = await setUp({ org_id });
    const { email, key } = await user();
    await granted(email);
    await platform().member(org_id, email);
    assert.deepEqual([await access(id, key), await shared(key)], [200, []]);
    await platform().leave(org_id, email);
    assert.deepEqual([await access(id, key), await shared(key)], [200, [id]]);
    assert.deepEqual(await shared((await organizationKey(org_id)).key), []);
  });

  it("shared projects are listed in pages and found by name", async () => {
    const { email, key } = await user();
    const ids: string[] = [];
    for (const name of ["a blue one", "a green one", "a greenish one"]) {
      const { id, granted } = await setUp({ name });
      await granted(email);
      ids.unshift(id);
    }
    const { body } = await call("GET", "/projects/shared?limit=2", undefined, key);
    assert.deepEqual(idsOf(body.projects), ids.slice(0, 2));
    assert.deepEqual(await shared(key, `cursor=${body.pagination?.cursor ?? ""}`), ids.slice(2));
    assert.deepEqual(await shared(key, "search=a%20green"), ids.slice(0, 2));
  });

  it("rejects a duplicate grant and a second revocation", async () => {
    const { granted, grant, revoke, list } = await setUp();
    const other = await setUp();
    const email = "guest@example.com";
    const { id } = await granted(email);
    assertError(await grant(email), 409, /is already granted to guest@example.com/);
    assertError(await other.revoke(id), 404, /permission not found/);
    assert.deepEqual(await other.list(), []);
    assert.equal((await revoke(id)).status, 200);
    for (const unknown of [id, "none"]) assertError(await revoke(unknown), 404, /permission not found/);
    const again = await granted(email);
    assert.notEqual(again.id, id);
    assert.deepEqual(await list(), [again]);
  });
});
