import assert from "node:assert/strict";
import type { ProjectPermission, ProjectPermissions } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import { suitePlatform, type Answer } from "../../tests/support/platform";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bare = ({ body }: Answer): unknown => body;
const refused = ({ status, body }: Answer, expected: number, message: RegExp) => {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(body.message, message);
};

describe("platform: project permissions", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let addresses = 0;
  const address = () => `guest-${(addresses += 1)}@example.com`;

  const ground = async (asked: object = {}) => {
    const { body } = await platform().call("POST", "/projects", { project: asked });
    const { id } = body.project;
    const path = `/projects/${id}/permissions`;
    const grant = async (email: string, key?: string) => platform().call("POST", path, { email }, { key });
    return {
      id,
      path,
      grant,
      granted: async (email: string) => {
        const answer = await grant(email);
        assert.equal(answer.status, 200, answer.body.message);
        return bare(answer) as ProjectPermission;
      },
      revoke: async (permissionId: string, key?: string) =>
        platform().call("DELETE", `${path}/${permissionId}`, undefined, { key }),
      list: async () => (bare(await platform().call("GET", path)) as ProjectPermissions).project_permissions,
      see: async (key: string) => (await platform().call("GET", `/projects/${id}`, undefined, { key })).status,
    };
  };
  const shared = async (key: string, query = "") =>
    (await platform().call("GET", `/projects/shared?${query}`, undefined, { key })).body.projects.map(({ id }) => id);

  it("let a user in by the address of the account, until they are revoked", async () => {
    const { granted, revoke, list, see, id } = await ground();
    const email = address();
    const key = await platform().signIn(email);
    assert.deepEqual([await see(key), await shared(key)], [404, []]);
    const permission = await granted(email);
    assert.match(permission.id, uuid);
    assert.equal(permission.granted_to_email, email);
    assert.ok(!("revoked_at" in permission));
    assert.deepEqual([await see(key), await shared(key)], [200, [id]]);
    assert.deepEqual((await platform().call("GET", "/projects", undefined, { key })).body.projects, []);
    const revoked = bare(await revoke(permission.id)) as ProjectPermission;
    assert.equal(revoked.id, permission.id);
    assert.ok(revoked.revoked_at);
    assert.deepEqual([await see(key), await shared(key)], [404, []]);
    assert.deepEqual(await list(), [revoked]);
  });

  it("wait for an account that is not there yet, however the address is written", async () => {
    const { granted, see } = await ground();
    const email = address();
    assert.equal((await granted(email.toUpperCase())).granted_to_email, email);
    assert.equal(await see(await platform().signIn(email)), 200);
  });

  it("let a guest change the project and invite others, but neither delete nor transfer it", async () => {
    const { granted, grant, id } = await ground();
    const email = address();
    await granted(email);
    const key = await platform().signIn(email);
    const call = (method: string, path: string, body?: unknown) => platform().call(method, path, body, { key });
    assert.equal((await call("PATCH", `/projects/${id}`, { project: { name: "renamed" } })).status, 200);
    assert.equal((await grant(address(), key)).status, 200);
    const only = /only the owner of the project/;
    refused(await call("DELETE", `/projects/${id}`), 403, only);
    refused(await call("POST", `/projects/${id}/transfer_requests`), 403, only);
  });

  it("reach no further than the project", async () => {
    const orgId = await platform().firstOrganization();
    const { granted, id, see } = await ground({ org_id: orgId });
    const { body: sibling } = await platform().call("POST", "/projects", { project: { org_id: orgId } });
    const email = address();
    await granted(email);
    const key = await platform().signIn(email);
    assert.equal(await see(key), 200);
    const call = (path: string) => platform().call("GET", path, undefined, { key });
    refused(await call(`/projects/${sibling.project.id}`), 404, /project not found/);
    refused(await call(`/organizations/${orgId}`), 404, /organization not found/);
    assert.deepEqual(await shared(key), [id]);
  });

  it("show a project as shared to those only whose it is not anyway", async () => {
    const orgId = await platform().organization();
    const { granted, see } = await ground({ org_id: orgId });
    const email = address();
    await granted(email);
    await platform().member(orgId, email);
    const key = await platform().signIn(email);
    assert.deepEqual([await see(key), await shared(key)], [200, []]);
    await platform().leave(orgId, email);
    assert.deepEqual([await see(key), (await shared(key)).length], [200, 1]);
    const { body: made } = await platform().call("POST", `/organizations/${orgId}/api_keys`, { key_name: "ci" });
    assert.deepEqual(await shared((made as unknown as { key: string }).key), []);
  });

  it("show what is shared by pages, and by name", async () => {
    const email = address();
    const key = await platform().signIn(email);
    const grounds = [
      await ground({ name: "blue" }),
      await ground({ name: "green" }),
      await ground({ name: "greenish" }),
    ];
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

  it("are granted once at a time, to an address, and revoked once", async () => {
    const { granted, grant, revoke, list } = await ground();
    const email = address();
    const { id } = await granted(email);
    refused(await grant(email), 409, /is granted to guest-\d+@example.com already/);
    for (const wrong of ["", "nobody", `${"x".repeat(256)}@example.com`]) {
      refused(await grant(wrong), 400, /email/);
    }
    assert.equal((await revoke(id)).status, 200);
    refused(await revoke(id), 404, /permission not found/);
    refused(await revoke("none"), 404, /permission not found/);
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

  it("of another project are not there", async () => {
    const [one, other] = [await ground(), await ground()];
    const { id } = await one.granted(address());
    refused(await other.revoke(id), 404, /permission not found/);
    assert.deepEqual(await other.list(), []);
  });
});
