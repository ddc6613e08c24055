import type {
  ApiKeyCreateResponse,
  ApiKeyRevokeResponse,
  ApiKeysListResponseItem,
  CurrentUserInfoResponse,
  OrganizationsResponse,
  OrgApiKeyCreateResponse,
  OrgApiKeysListResponseItem,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { assertError, bodyOf } from "./support/responses";
import { uniqueEmail } from "./support/unique-email";

describe("local platform: personal API keys", () => {
  const platform = suitePlatform();
  const create = async (name: string) =>
    bodyOf(await platform().call("POST", "/api_keys", { key_name: name })) as ApiKeyCreateResponse;

  it("returns the secret once, in the response to the creation", async () => {
    const response = await platform().call("POST", "/api_keys", { key_name: "ci" });
    assert.equal(response.status, 200);
    const { key, id } = bodyOf(response) as ApiKeyCreateResponse;
    assert.match(key, /^napi_[a-z0-9]{64}$/);
    const list = await platform().call("GET", "/api_keys");
    assert.ok(!JSON.stringify(list.body).includes(key));
    const listed = (bodyOf(list) as ApiKeysListResponseItem[]).find((entry) => entry.id === id);
    assert.equal(listed?.name, "ci");
    assert.equal(listed.last_used_at, null);
  });

  it("a key can access the projects of its user, and the list shows its last use", async () => {
    const { key, id } = await create("second");
    const { body } = await platform().call("POST", "/projects", { project: {} }, { key });
    assert.equal((await platform().call("GET", `/projects/${body.project.id}`)).status, 200);
    const listed = bodyOf(await platform().call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    const used = listed.find((entry) => entry.id === id);
    assert.ok(used?.last_used_at);
    assert.equal(used.last_used_from_addr, "127.0.0.1");
  });

  it("a revoked key gets 401 from the next request on", async () => {
    const { key, id } = await create("short-lived");
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 200);
    const revoked = bodyOf(await platform().call("DELETE", `/api_keys/${id}`)) as ApiKeyRevokeResponse;
    assert.equal(revoked.revoked, true);
    assert.ok(revoked.last_used_at);
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 401);
    assert.equal((await platform().call("DELETE", `/api_keys/${id}`)).status, 404);
    const listed = bodyOf(await platform().call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    assert.ok(!listed.some((entry) => entry.id === id));
  });

  it("rejects a missing name and one longer than 64 characters", async () => {
    for (const body of [{}, { key_name: "" }, { key_name: "x".repeat(65) }, { key_name: 5 }, "x"]) {
      assert.equal((await platform().call("POST", "/api_keys", JSON.stringify(body))).status, 400);
    }
    assert.equal((await platform().call("DELETE", "/api_keys/first")).status, 400);
    assert.equal((await platform().call("DELETE", "/api_keys/1")).status, 404);
  });

  it("every route returns 401 without a valid key in the Authorization header", async () => {
    const { apiKey } = platform();
    const basic = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
    const invalid = ["", "Bearer", "Bearer ", "Bearer napi_wrong", apiKey, basic, `Bearer ${apiKey.slice(0, -1)}`];
    for (const authorization of invalid) {
      for (const [method, path] of [
        ["GET", `/projects?api_key=${apiKey}`],
        ["GET", "/no/such/route"],
        ["POST", "/projects"],
        ["DELETE", "/projects/x"],
      ] as const) {
        const headers = { authorization };
        const { status, body } = await platform().call(method, path, method === "POST" ? "{" : undefined, { headers });
        assert.equal(status, 401, `${method} ${path} with "${authorization}"`);
        assert.match(body.message, /API key/);
      }
    }
  });

  it("a key can create and revoke keys, and itself", async () => {
    const call = async (method: string, path: string, key: string, body?: unknown) =>
      bodyOf(await platform().call(method, path, body, { key })) as ApiKeyCreateResponse & ApiKeyRevokeResponse;
    const parent = await create("parent");
    const child = await call("POST", "/api_keys", parent.key, { key_name: "child" });
    assert.equal((await call("DELETE", `/api_keys/${parent.id}`, child.key)).revoked, true);
    assert.equal((await call("DELETE", `/api_keys/${child.id}`, child.key)).revoked, true);
    for (const { key } of [parent, child]) {
      assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 401);
    }
  });

  it("the list is complete, however many keys there are", async () => {
    const list = async () => bodyOf(await platform().call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    const { length } = await list();
    for (let count = 0; count < 50; count += 1) await create("many");
    assert.equal((await list()).length, length + 50);
  });

  it("the first key is created by the start of the platform, without an expiry", async () => {
    const clock = new ManualPlatformClock();
    const fresh = await startTestPlatform({ clock });
    try {
      const [first, ...others] = bodyOf(await fresh.call("GET", "/api_keys")) as ApiKeysListResponseItem[];
      assert.deepEqual([first?.name, others], ["console sign-in", []]);
      clock.advance(3650 * 86_400_000);
      assert.equal((await fresh.call("GET", "/api_keys")).status, 200);
    } finally {
      await fresh.close();
    }
  });
});

describe("local platform: organization and project-scoped API keys", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const call = (method: string, path: string, key?: string, body?: unknown) =>
    platform().call(method, path, body, { key });

  /** An organization with two projects and a member without the role admin. */
  const setUp = async () => {
    const orgId = await platform().organization();
    const email = uniqueEmail();
    await platform().member(orgId, email);
    const project = async () =>
      (await call("POST", "/projects", undefined, { project: { org_id: orgId } })).body.project.id;
    const path = `/organizations/${orgId}/api_keys`;
    const create = async (body: object = {}, by?: string) => call("POST", path, by, { key_name: "ci", ...body });
    return {
      orgId,
      path,
      project: await project(),
      other: await project(),
      member: await platform().signIn(email),
      email,
      create,
      made: async (body: object = {}, by?: string) => {
        const response = await create(body, by);
        assert.equal(response.status, 200, response.body.message);
        return bodyOf(response) as OrgApiKeyCreateResponse;
      },
      list: async (by?: string) => bodyOf(await call("GET", path, by)) as OrgApiKeysListResponseItem[],
    };
  };
  const shown = async (key: string, query = "") =>
    (await call("GET", `/projects?limit=400${query}`, key)).body.projects.map(({ id }) => id).sort();

  it("returns the secret once and lists keys with their creator and project", async () => {
    const { made, list, project } = await setUp();
    const whole = await made({ key_name: "all" });
    const single = await made({ key_name: "one", project_id: project });
    assert.match(whole.key, /^napi_[a-z0-9]{64}$/);
    assert.deepEqual([whole.project_id, single.project_id], [undefined, project]);
    const me = bodyOf(await call("GET", "/users/me")) as CurrentUserInfoResponse;
    assert.equal(whole.created_by, me.id);
    const keys = await list();
    assert.deepEqual(
      keys.map((entry) => [entry.id, entry.name, entry.created_by.id, entry.project_id]),
      [
        [whole.id, "all", me.id, undefined],
        [single.id, "one", me.id, project],
      ],
    );
    assert.ok(!JSON.stringify(keys).includes("napi_"));
    const personal = bodyOf(await call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    assert.ok(!personal.some(({ id }) => id === whole.id || id === single.id));
  });

  it("an organization key can access all projects of the organization and nothing else", async () => {
    const { made, orgId, project, other } = await setUp();
    const { key } = await made();
    const { body: personal } = await call("POST", "/projects", undefined, { project: {} });
    const { body: created } = await call("POST", "/projects", key, { project: {} });
    assert.equal(created.project.org_id, orgId);
    const all = [project, other, created.project.id].sort();
    assert.deepEqual(await shown(key), all);
    assert.deepEqual(await shown(key, `&org_id=${orgId}`), all);
    assertError(await call("GET", `/projects/${personal.project.id}`, key), 404, /project not found/);
    const elsewhere = await platform().organization();
    for (const body of [{ org_id: elsewhere }, { org_id: "org-no-such-one" }]) {
      assertError(await call("POST", "/projects", key, { project: body }), 404, /organization not found/);
    }
    assertError(await call("GET", `/projects?org_id=${elsewhere}`, key), 404, /organization not found/);
    await platform().settled(created.project.id);
    assert.equal((await call("DELETE", `/projects/${other}`, key)).status, 200);
  });

  it("a project-scoped key can access its project only and cannot change the organization", async () => {
    const { made, orgId, path, project, other } = await setUp();
    const { key } = await made({ project_id: project });
    assert.deepEqual(await shown(key), [project]);
    assert.deepEqual(await shown(key, `&org_id=${orgId}`), [project]);
    assert.equal((await call("PATCH", `/projects/${project}`, key, { project: { name: "renamed" } })).status, 200);
    assertError(await call("GET", `/projects/${other}`, key), 404, /project not found/);
    const not = /not allowed for project-scoped API keys/;
    assertError(await call("DELETE", `/projects/${project}`, key), 403, not);
    assertError(await call("POST", "/projects", key, { project: {} }), 403, not);
    assertError(await call("POST", "/projects", key, { project: { org_id: orgId } }), 403, not);
    assertError(await call("GET", `/organizations/${orgId}`, key), 403, not);
    assertError(await call("POST", path, key, { key_name: "more", project_id: project }), 403, not);
    assertError(await call("GET", path, key), 403, not);
    assertError(await call("POST", "/api_keys", key, { key_name: "mine" }), 403, not);
    assertError(await call("GET", "/organizations/org-no-such-one", key), 404, /organization not found/);
  });

  it("GET /auth returns the account of the key", async () => {
    const { made, orgId, project } = await setUp();
    for (const body of [{}, { project_id: project }]) {
      const { key, id } = await made(body);
      assert.deepEqual(bodyOf(await call("GET", "/auth", key)), {
        account_id: orgId,
        auth_method: "api_key_org",
        auth_data: String(id),
      });
      const { organizations } = (await call("GET", "/users/me/organizations", key))
        .body as unknown as OrganizationsResponse;
      assert.deepEqual(
        organizations.map((each) => each.id),
        [orgId],
      );
      assertError(await call("GET", "/users/me", key), 403, /not allowed for (organization|project-scoped) API keys/);
      assertError(await call("GET", "/api_keys", key), 403, /not allowed for/);
    }
  });

  it("a branch that an organization key creates names the organization as its creator", async () => {
    const { made, project } = await setUp();
    const { key } = await made({ project_id: project });
    await platform().settled(project);
    const { body } = await call("POST", `/projects/${project}/branches`, key, {});
    assert.deepEqual(body.branch.created_by, { name: "Another organization", image: "" });
  });

  it("only an administrator with a personal key can create an organization key", async () => {
    const { create, made, member, email, orgId } = await setUp();
    assertError(
      await create({}, member),
      403,
      /only administrators of the organization can create organization API keys/,
    );
    await platform().member(orgId, email, "admin");
    assert.equal((await create({}, member)).status, 200);
    await platform().member(orgId, email, "member");
    assertError(await create({}, member), 403, /only administrators/);
    const { key } = await made();
    assertError(await create({}, key), 403, /with personal API keys only/);
    assertError(await create({}, await platform().signIn("stranger@example.com")), 404, /organization not found/);
  });

  it("every member can create a project-scoped key for a project of the organization", async () => {
    const { create, made, member, project } = await setUp();
    const { key } = await made({ project_id: project }, member);
    assert.deepEqual(await shown(key), [project]);
    assert.equal((await create({ project_id: project }, (await made()).key)).status, 200);
    const { body: personal } = await call("POST", "/projects", undefined, { project: {} });
    for (const project_id of [personal.project.id, "no-such-12345678"]) {
      assertError(await create({ project_id }), 404, /project not found/);
    }
    assertError(await create({ project_id: "No id" }), 400, /project_id/);
    assertError(await create({ key_name: "" }), 400, /key_name/);
    assertError(await create({ key_name: "x".repeat(65) }), 400, /key_name/);
  });

  it("administrators and organization keys can list and revoke keys", async () => {
    const { made, list, path, project, member } = await setUp();
    const [whole, single] = [await made(), await made({ project_id: project })];
    const only = /only administrators of the organization/;
    assertError(await call("GET", path, member), 403, only);
    assertError(await call("DELETE", `${path}/${single.id}`, member), 403, only);
    assert.equal((await list(whole.key)).length, 2);
    const revoked = bodyOf(await call("DELETE", `${path}/${single.id}`, whole.key)) as ApiKeyRevokeResponse;
    assert.deepEqual([revoked.id, revoked.revoked], [single.id, true]);
    assertError(await call("GET", `/projects/${project}`, single.key), 401, /invalid or revoked/);
    assertError(await call("DELETE", `${path}/${single.id}`), 404, /API key not found/);
    assert.equal((await call("DELETE", `${path}/${whole.id}`)).status, 200);
    assertError(await call("GET", "/projects", whole.key), 401, /invalid or revoked/);
    assert.deepEqual(await list(), []);
  });

  it("organization keys and personal keys are listed and revoked separately", async () => {
    const { made, path } = await setUp();
    const whole = await made();
    const personal = bodyOf(await call("POST", "/api_keys", undefined, { key_name: "mine" })) as ApiKeyCreateResponse;
    assertError(await call("DELETE", `/api_keys/${whole.id}`), 404, /API key not found/);
    assertError(await call("DELETE", `${path}/${personal.id}`), 404, /API key not found/);
    for (const key of [whole.key, personal.key]) assert.equal((await call("GET", "/auth", key)).status, 200);
  });

  it("a user cannot list or revoke the personal keys of another user", async () => {
    const theirs = await platform().signIn("other@example.com");
    const { id } = bodyOf(await call("POST", "/api_keys", theirs, { key_name: "theirs" })) as ApiKeyCreateResponse;
    assertError(await call("DELETE", `/api_keys/${id}`), 404, /API key not found/);
    const mine = bodyOf(await call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    assert.ok(!mine.some((entry) => entry.id === id));
    assert.equal((await call("DELETE", `/api_keys/${id}`, theirs)).status, 200);
  });

  it("an organization key stays valid when its creator leaves the organization", async () => {
    const { orgId, made, member, email, project } = await setUp();
    await platform().member(orgId, email, "admin");
    const keys = [await made({}, member), await made({ project_id: project }, member)];
    await platform().leave(orgId, email);
    for (const { key } of keys) assert.deepEqual((await call("GET", `/projects/${project}`, key)).status, 200);
    assertError(await call("GET", `/projects/${project}`, member), 404, /project not found/);
  });

  it("a project-scoped key cannot access its deleted project until that is recovered", async () => {
    const { made, project } = await setUp();
    const { key } = await made({ project_id: project });
    await call("DELETE", `/projects/${project}`);
    assertError(await call("GET", `/projects/${project}`, key), 404, /project not found/);
    assert.deepEqual(await shown(key), []);
    await call("POST", `/projects/${project}/recover`);
    assert.equal((await call("GET", `/projects/${project}`, key)).status, 200);
  });

  it("a project-scoped key is revoked when its project can no longer be recovered", async () => {
    const clock = new ManualPlatformClock();
    const running = await startTestPlatform({ clock, operationTime: "1ms" });
    try {
      const orgId = await running.firstOrganization();
      const { body } = await running.call("POST", "/projects", { project: { org_id: orgId } });
      const input = { key_name: "ci", project_id: body.project.id };
      const made = await running.call("POST", `/organizations/${orgId}/api_keys`, input);
      const { key } = bodyOf(made) as OrgApiKeyCreateResponse;
      clock.advance(10);
      await running.call("DELETE", `/projects/${body.project.id}`);
      assert.equal((await running.call("GET", "/projects", undefined, { key })).status, 200);
      clock.advance(8 * 86_400_000);
      assert.equal((await running.call("GET", "/projects", undefined, { key })).status, 401);
    } finally {
      await running.close();
    }
  });

  it("with --rate-limit, organization keys can be created at most 10 times a second", async () => {
    const clock = new ManualPlatformClock();
    const limited = await startTestPlatform({ rateLimit: true, clock });
    try {
      const path = `/organizations/${await limited.firstOrganization()}/api_keys`;
      const create = async () => (await limited.call("POST", path, { key_name: "ci" })).status;
      for (let count = 0; count < 10; count += 1) assert.equal(await create(), 200);
      assert.equal(await create(), 429);
      assert.equal((await limited.call("GET", path)).status, 200);
      clock.advance(100);
      assert.deepEqual([await create(), await create()], [200, 429]);
    } finally {
      await limited.close();
    }
  });
});
