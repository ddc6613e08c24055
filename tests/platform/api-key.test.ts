import type {
  ApiKeyRevokeResponse,
  ApiKeysListResponseItem,
  CurrentUserInfoResponse,
  OrganizationsResponse,
  OrgApiKeysListResponseItem,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers, bodyOf, idsOf, valuesOf } from "./support/responses";
import { withPlatform } from "./support/running";
import { day } from "./support/time";

describe("local platform: personal API keys", () => {
  const { platform, call, read, project, access, personalKey, organizationKey, user } = suiteAccounts();
  const list = (key?: string) => read<ApiKeysListResponseItem[]>("/api_keys", key);
  const find = async (id: number) => (await list()).find((entry) => entry.id === id);

  it("a key can access the projects of its user, and the list shows its last use [1.2 personal]", async () => {
    const { key, id } = await personalKey();
    assertMembers(await find(id), { name: "mine", last_used_at: null });
    assert.equal(await access(await project({}, key)), 200);
    const used = await find(id);
    assert.ok(used?.last_used_at);
    assert.equal(used.last_used_from_addr, "127.0.0.1");
  });

  it("a revoked key gets 401 from the next request on [1.2 personal; 1.7 revoke; 1.7 revoked; 1.9.2; 1.9.3]", async () => {
    const { key, id } = await personalKey();
    assert.equal((await call("GET", "/projects", undefined, key)).status, 200);
    const revoked = bodyOf(await call("DELETE", `/api_keys/${id}`)) as ApiKeyRevokeResponse;
    assert.ok(revoked.revoked && revoked.last_used_at);
    assert.equal((await call("GET", "/projects", undefined, key)).status, 401);
    assert.equal((await call("DELETE", `/api_keys/${id}`)).status, 404);
    assert.equal(await find(id), undefined);
  });

  it("every route returns 401 without a valid key in the Authorization header [1.2 rule 1; 1.9.2]", async () => {
    const { apiKey } = platform();
    const basic = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
    const invalid = ["", "Bearer", "Bearer ", "Bearer napi_wrong", apiKey, basic, `Bearer ${apiKey.slice(0, -1)}`];
    for (const authorization of invalid) {
      for (const [method, path, sent] of [
        ["GET", `/projects?api_key=${apiKey}`],
        ["GET", "/no/such/route"],
        ["POST", "/projects", "{"],
        ["DELETE", "/projects/x"],
      ] as const) {
        const { status, body } = await platform().call(method, path, sent, { headers: { authorization } });
        assert.equal(status, 401, `${method} ${path} with "${authorization}"`);
        assert.equal(body.message, "supplied credentials do not pass authentication");
      }
    }
  });

  it("a key can create and revoke keys, and itself [1.9.4; 1.9.5]", async () => {
    const parent = await personalKey("parent");
    const child = await personalKey("child", parent.key);
    for (const { id, key } of [parent, child]) {
      const { revoked } = bodyOf(await call("DELETE", `/api_keys/${id}`, undefined, child.key)) as ApiKeyRevokeResponse;
      assert.equal(revoked, true);
      assert.equal((await call("GET", "/projects", undefined, key)).status, 401);
    }
  });

  it("a user cannot list or revoke the personal keys of another user [1.9.4]", async () => {
    const other = await user();
    const { id } = await personalKey("theirs", other.key);
    const ofOrganization = await organizationKey(await platform().firstOrganization());
    for (const foreign of [id, ofOrganization.id]) {
      assertError(await call("DELETE", `/api_keys/${foreign}`), 404, /API key not found/);
      assert.equal(await find(foreign), undefined);
    }
    assert.equal((await call("DELETE", `/api_keys/${id}`, undefined, other.key)).status, 200);
  });

  it("the list is complete, however many keys there are [1.2 rule 3; 1.10 keys per account]", async () => {
    const { length } = await list();
    for (let count = 0; count < 50; count += 1) await personalKey();
    assert.equal((await list()).length, length + 50);
  });

  it("the first key is created by the start of the platform, without an expiry [1.1.6]", async () => {
    const clock = new ManualPlatformClock();
    await withPlatform({ clock }, async (fresh) => {
      const keys = bodyOf(await fresh.call("GET", "/api_keys")) as ApiKeysListResponseItem[];
      assert.deepEqual(valuesOf(keys, "name"), ["console sign-in"]);
      clock.advance(3650 * day);
      assert.equal((await fresh.call("GET", "/api_keys")).status, 200);
    });
  });
});

describe("local platform: organization and project-scoped API keys", () => {
  const { platform, call, read, user, project, access, listed, organizationKey } = suiteAccounts();

  /** An organization with two projects and a member without the role admin. */
  const setUp = async () => {
    const orgId = await platform().organization();
    const { email, key: member } = await user();
    await platform().member(orgId, email);
    const path = `/organizations/${orgId}/api_keys`;
    return {
      orgId,
      path,
      project: await project({ org_id: orgId }),
      other: await project({ org_id: orgId }),
      email,
      member,
      create: (body: object = {}, by?: string) => call("POST", path, { key_name: "ci", ...body }, by),
      made: (body?: object, by?: string) => organizationKey(orgId, body, by),
      list: (by?: string) => read<OrgApiKeysListResponseItem[]>(path, by),
    };
  };

  it("returns the secret once, and lists keys with their creator and project", async () => {
    const { made, list, project: id } = await setUp();
    const whole = await made({ key_name: "all" });
    const single = await made({ key_name: "one", project_id: id });
    assert.match(whole.key, /^napi_[a-z0-9]{64}$/);
    assert.deepEqual([whole.project_id, single.project_id], [undefined, id]);
    const me = await read<CurrentUserInfoResponse>("/users/me");
    assert.equal(whole.created_by, me.id);
    const keys = await list();
    assert.deepEqual(
      keys.map((entry) => [entry.id, entry.name, entry.created_by.id, entry.project_id]),
      [
        [whole.id, "all", me.id, undefined],
        [single.id, "one", me.id, id],
      ],
    );
    assert.ok(!JSON.stringify(keys).includes("napi_"));
  });

  it("an organization key can access all projects of the organization and nothing else [1.2 organization]", async () => {
    const { made, orgId, project: one, other } = await setUp();
    const { key } = await made();
    const personal = await project();
    const { body } = await call("POST", "/projects", { project: {} }, key);
    assert.equal(body.project.org_id, orgId);
    const all = [one, other, body.project.id].sort();
    for (const query of ["", `org_id=${orgId}`]) assert.deepEqual((await listed(query, key)).sort(), all);
    assert.equal(await access(personal, key), 404);
    await platform().settled(body.project.id);
    assert.equal((await call("DELETE", `/projects/${other}`, undefined, key)).status, 200);
  });

  // The test of the authorization has every route that such a key must not call.
  it("a project-scoped key lists and changes its project only [1.2 project-scoped; 1.2 rule 5]", async () => {
    const { made, orgId, project: id } = await setUp();
    const { key } = await made({ project_id: id });
    for (const query of ["", `org_id=${orgId}`]) assert.deepEqual(await listed(query, key), [id]);
    assert.equal((await call("PATCH", `/projects/${id}`, { project: { name: "renamed" } }, key)).status, 200);
  });

  it("GET /auth returns the account of the key", async () => {
    const { made, orgId, project: id } = await setUp();
    const me = await read<CurrentUserInfoResponse>("/users/me");
    const auth = await read<{ account_id: string; auth_method: string }>("/auth");
    assertMembers(auth, { account_id: me.id, auth_method: "api_key_user" });
    for (const body of [{}, { project_id: id }]) {
      const { key, id: keyId } = await made(body);
      assert.deepEqual(await read("/auth", key), {
        account_id: orgId,
        auth_method: "api_key_org",
        auth_data: String(keyId),
      });
      const { organizations } = await read<OrganizationsResponse>("/users/me/organizations", key);
      assert.deepEqual(idsOf(organizations), [orgId]);
    }
  });

  it("a branch that an organization key creates names the organization as its creator", async () => {
    const { made, project: id } = await setUp();
    const { key } = await made({ project_id: id });
    await platform().settled(id);
    const { body } = await call("POST", `/projects/${id}/branches`, {}, key);
    assert.deepEqual(body.branch.created_by, { name: "Another organization", image: "" });
  });

  it("only an administrator with a personal key can create an organization key [1.2 organization; 1.2 rule 4]", async () => {
    const { create, made, member, email, orgId } = await setUp();
    const only = /only administrators of the organization can create organization API keys/;
    assertError(await create({}, member), 403, only);
    await platform().member(orgId, email, "admin");
    assert.equal((await create({}, member)).status, 200);
    await platform().member(orgId, email, "member");
    assertError(await create({}, member), 403, only);
    assertError(await create({}, (await made()).key), 403, /with personal API keys only/);
  });

  it("every member can create a project-scoped key for a project of the organization [1.2 project-scoped; 1.13 project-scoped keys]", async () => {
    const { create, made, member, project: id } = await setUp();
    const { key } = await made({ project_id: id }, member);
    assert.deepEqual(await listed("", key), [id]);
    assert.equal((await create({ project_id: id }, (await made()).key)).status, 200);
    for (const [body, status, message] of [
      [{ project_id: await project() }, 404, /project not found/],
      [{ project_id: "no-such-12345678" }, 404, /project not found/],
      [{ project_id: "No id" }, 400, /project_id/],
      [{ key_name: "" }, 400, /key_name/],
    ] as const) {
      assertError(await create(body), status, message);
    }
  });

  it("administrators and organization keys can list and revoke keys [1.2 organization]", async () => {
    const { made, list, path, project: id } = await setUp();
    const [whole, single] = [await made(), await made({ project_id: id })];
    assert.equal((await list(whole.key)).length, 2);
    const response = await call("DELETE", `${path}/${single.id}`, undefined, whole.key);
    const revoked = bodyOf(response) as ApiKeyRevokeResponse;
    assertMembers(revoked, { id: single.id, revoked: true });
    assert.equal(await access(id, single.key), 401);
    assertError(await call("DELETE", `${path}/${single.id}`), 404, /API key not found/);
    assert.equal((await call("DELETE", `${path}/${whole.id}`)).status, 200);
    assert.equal(await access(id, whole.key), 401);
    assert.deepEqual(await list(), []);
  });

  it("an organization key stays valid when its creator leaves the organization [1.2 organization]", async () => {
    const { orgId, made, member, email, project: id } = await setUp();
    await platform().member(orgId, email, "admin");
    const keys = [await made({}, member), await made({ project_id: id }, member)];
    await platform().leave(orgId, email);
    for (const { key } of keys) assert.equal(await access(id, key), 200);
    assert.equal(await access(id, member), 404);
  });

  it("a project-scoped key cannot access its deleted project until that is recovered", async () => {
    const { made, project: id } = await setUp();
    const { key } = await made({ project_id: id });
    await call("DELETE", `/projects/${id}`);
    assert.equal(await access(id, key), 404);
    assert.deepEqual(await listed("", key), []);
    await call("POST", `/projects/${id}/recover`);
    assert.equal(await access(id, key), 200);
  });
});

describe("local platform: API keys over time", () => {
  const clock = new ManualPlatformClock();
  const { platform, call, project, organizationKey } = suiteAccounts({ clock, rateLimit: true });

  it("a project-scoped key is revoked when its project can no longer be recovered", async () => {
    const orgId = await platform().firstOrganization();
    const id = await project({ org_id: orgId });
    const { key } = await organizationKey(orgId, { project_id: id });
    const status = async () => (await call("GET", "/projects", undefined, key)).status;
    clock.advance(10);
    await call("DELETE", `/projects/${id}`);
    assert.equal(await status(), 200);
    clock.advance(8 * day);
    assert.equal(await status(), 401);
  });

  it("with --rate-limit, organization keys can be created at most 10 times a second", async () => {
    const path = `/organizations/${await platform().firstOrganization()}/api_keys`;
    const create = async () => (await call("POST", path, { key_name: "ci" })).status;
    for (let count = 0; count < 10; count += 1) assert.equal(await create(), 200);
    assert.equal(await create(), 429);
    assert.equal((await call("GET", path)).status, 200);
    clock.advance(100);
    assert.deepEqual([await create(), await create()], [200, 429]);
  });
});
