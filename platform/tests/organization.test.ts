import type { GeneralError, MemberWithUser, Organization, OrganizationMembersResponse } from "@neondatabase/api-client";
import Database from "libsql";
import { after, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { assertError, bodyOf } from "./support/responses";
import { uniqueEmail } from "./support/unique-email";

describe("local platform: organizations", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const listed = async (key?: string) =>
    (
      (await platform().call("GET", "/users/me/organizations", undefined, { key })).body as unknown as {
        organizations: Organization[];
      }
    ).organizations;
  const create = async (orgId: string, key?: string) =>
    platform().call("POST", "/projects", { project: { org_id: orgId } }, { key });
  const found = async (query: string, key?: string) =>
    (await platform().call("GET", `/projects?${query}`, undefined, { key })).body.projects.map(({ id }) => id);

  it("the first user administers one organization from the start", async () => {
    const orgId = await platform().firstOrganization();
    assert.match(orgId, /^org-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
    const [first] = await listed();
    const organization = bodyOf(await platform().call("GET", `/organizations/${orgId}`)) as Organization;
    assert.deepEqual(organization, first);
    assert.equal(organization.managed_by, "console");
    assert.ok(organization.handle.endsWith(orgId));
    const { members } = (await platform().call("GET", `/organizations/${orgId}/members`))
      .body as unknown as OrganizationMembersResponse;
    const me = (await platform().call("GET", "/users/me")).body as unknown as { id: string; email: string };
    assert.deepEqual(
      members.map(({ member, user }) => [member.user_id, member.role, user.email]),
      [[me.id, "admin", me.email]],
    );
  });

  it("projects of an organization are listed only with org_id", async () => {
    const orgId = await platform().firstOrganization();
    const { status, body } = await create(orgId);
    assert.equal(status, 201);
    assert.equal(body.project.org_id, orgId);
    assert.equal(body.project.owner_id, orgId);
    assert.equal(body.project.owner?.name, "Local organization");
    const { body: own } = await platform().call("POST", "/projects", { project: {} });
    assert.equal(own.project.org_id, undefined);
    const [inOrganization, withoutIt] = [await found(`org_id=${orgId}&limit=400`), await found("limit=400")];
    assert.ok(inOrganization.includes(body.project.id) && !inOrganization.includes(own.project.id));
    assert.ok(withoutIt.includes(own.project.id) && !withoutIt.includes(body.project.id));
    const { body: list } = await platform().call("GET", `/projects?org_id=${orgId}&search=${body.project.id}`);
    assert.deepEqual(
      list.projects.map(({ org_id, org_name }) => [org_id, org_name]),
      [[orgId, "Local organization"]],
    );
    assert.equal((await platform().call("GET", `/projects/${body.project.id}`)).body.project.org_id, orgId);
  });

  it("an organization is hidden from other users", async () => {
    const foreign = await platform().organization({ administrator: uniqueEmail() });
    for (const [method, path, body] of [
      ["GET", `/organizations/${foreign}`],
      ["GET", `/organizations/${foreign}/members`],
      ["GET", `/projects?org_id=${foreign}`],
      ["GET", `/regions?org_id=${foreign}`],
      ["POST", "/projects", { project: { org_id: foreign } }],
      ["GET", "/organizations/org-no-such-one"],
    ] as const) {
      const { status, body: error } = await platform().call(method, path, body);
      assert.equal(status, 404, path);
      assert.equal(error.message, "organization not found");
    }
    assert.ok(!(await listed()).some(({ id }) => id === foreign));
  });

  it("GET /regions accepts org_id", async () => {
    const orgId = await platform().firstOrganization();
    const { body } = await platform().call("GET", `/regions?org_id=${orgId}`);
    assert.ok(body.regions.length > 0);
  });

  it("a member has access from joining to leaving", async () => {
    const orgId = await platform().organization();
    const { body: created } = await create(orgId);
    const path = `/projects/${created.project.id}`;
    const email = uniqueEmail();
    const key = await platform().signIn(email);
    const see = async () => (await platform().call("GET", path, undefined, { key })).status;
    assert.equal(await see(), 404);
    await platform().member(orgId, email);
    assert.equal(await see(), 200);
    assert.deepEqual(await found(`org_id=${orgId}`, key), [created.project.id]);
    assert.deepEqual(
      (await listed(key)).map(({ id }) => id),
      [orgId],
    );
    await platform().leave(orgId, email);
    assert.equal(await see(), 404);
    assert.equal((await platform().call("GET", `/projects?org_id=${orgId}`, undefined, { key })).status, 404);
    assert.deepEqual(await listed(key), []);
    assert.equal((await platform().call("GET", "/users/me", undefined, { key })).status, 200);
  });

  it("members can create and update projects, only administrators can delete and recover them", async () => {
    const orgId = await platform().organization();
    const email = uniqueEmail();
    const key = await platform().signIn(email);
    await platform().member(orgId, email);
    const { body: created } = await create(orgId, key);
    const path = `/projects/${created.project.id}`;
    await platform().settled(created.project.id);
    assert.equal((await platform().call("PATCH", path, { project: { name: "renamed" } }, { key })).status, 200);
    for (const [method, url] of [
      ["DELETE", path],
      ["POST", `${path}/recover`],
      ["POST", `${path}/transfer_requests`],
    ] as const) {
      const { status, body } = await platform().call(method, url, undefined, { key });
      assert.equal(status, 403, url);
      assert.match(body.message, /administrator of its organization/);
    }
    await platform().member(orgId, email, "admin");
    assert.equal((await platform().call("DELETE", path, undefined, { key })).status, 200);
    assert.equal((await platform().call("POST", `${path}/recover`, undefined, { key })).status, 200);
    await platform().member(orgId, email, "member");
    assert.equal((await platform().call("DELETE", path, undefined, { key })).status, 403);
  });

  it("HIPAA projects need an organization that allows them", async () => {
    const [allowed, other] = [
      await platform().organization({ allow_hipaa_projects: true }),
      await platform().organization(),
    ];
    const make = async (org_id: string) =>
      platform().call("POST", "/projects", { project: { org_id, settings: { hipaa: true } } });
    const { status, body } = await make(allowed);
    assert.equal(status, 201);
    assert.equal(body.project.settings?.hipaa, true);
    assert.equal((await make(other)).status, 422);
    const { body: plain } = await create(allowed);
    await platform().settled(plain.project.id);
    const change = { project: { settings: { hipaa: true } } };
    assert.equal((await platform().call("PATCH", `/projects/${plain.project.id}`, change)).status, 200);
  });

  it("creation beyond the projects limit reports 422", async () => {
    const orgId = await platform().organization({ projects_limit: 1 });
    assert.equal((await create(orgId)).status, 201);
    const { status, body } = await create(orgId);
    assert.equal(status, 422);
    assert.equal(body.code, "PROJECTS_LIMIT_EXCEEDED");
  });

  it("members are listed in pages and in the requested order", async () => {
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const key = await platform().signIn("owner@example.com");
    for (const email of ["zoe@example.com", "ann@example.com", "mia@example.com"])
      await platform().member(orgId, email);
    const path = `/organizations/${orgId}/members`;
    const page = async (query: string) =>
      (await platform().call("GET", `${path}?${query}`, undefined, { key }))
        .body as unknown as OrganizationMembersResponse & {
        pagination?: { next?: string; sort_by?: string; sort_order?: string };
      };
    const names = (members: readonly MemberWithUser[]) => members.map(({ user }) => user.email.split("@")[0]);
    assert.deepEqual(names((await page("")).members), ["mia", "ann", "zoe", "owner"]);
    assert.deepEqual(names((await page("sort_order=asc")).members), ["owner", "zoe", "ann", "mia"]);
    assert.deepEqual(names((await page("sort_by=email&sort_order=asc")).members), ["ann", "mia", "owner", "zoe"]);
    assert.deepEqual(names((await page("sort_by=role&sort_order=asc&limit=1")).members), ["owner"]);
    const read: (string | undefined)[] = [];
    for (let cursor = ""; ;) {
      const { members, pagination } = await page(`sort_by=role&limit=3${cursor}`);
      read.push(...names(members));
      if (pagination?.next === undefined) break;
      assert.deepEqual([pagination.sort_by, pagination.sort_order], ["role", "desc"]);
      cursor = `&cursor=${encodeURIComponent(pagination.next)}`;
    }
    assert.deepEqual(read, ["mia", "ann", "zoe", "owner"]);
    for (const query of ["limit=501", "limit=0", "sort_by=name", "sort_order=up", "cursor=bm9uZQ"]) {
      assert.equal((await platform().call("GET", `${path}?${query}`, undefined, { key })).status, 400, query);
    }
  });
});

describe("local platform: local account routes", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const assertLocalError = async (status: number, message: RegExp, method: string, path: string, body?: unknown) => {
    assertError(await platform().local<GeneralError>(method, path, body), status, message);
  };
  const roles = async (orgId: string) => {
    const { body } = await platform().local<{ members: MemberWithUser[] }>("GET", `/organizations/${orgId}/members`);
    return Object.fromEntries(body.members.map(({ member, user }) => [user.email, member.role]));
  };

  it("sign-in creates a key for the user with an address, ignoring case", async () => {
    const keys = [await platform().signIn("Ann@Example.com"), await platform().signIn("ann@example.com")];
    assert.notEqual(keys[0], keys[1]);
    const users = await Promise.all(keys.map((key) => platform().call("GET", "/users/me", undefined, { key })));
    const [one, other] = users.map((answer) => bodyOf(answer) as { id: string; email: string });
    assert.deepEqual(one, other);
    assert.equal(one?.email, "ann@example.com");
    const { body: first } = await platform().local<{ user: { id: string }; apiKey: string }>("POST", "/sign-in");
    const me = bodyOf(await platform().call("GET", "/users/me")) as { id: string };
    assert.equal(first.user.id, me.id);
    assert.equal((await platform().call("GET", "/users/me", undefined, { key: first.apiKey })).status, 200);
    await assertLocalError(400, /email: must be an e-mail address/, "POST", "/sign-in", { email: "nobody" });
    await assertLocalError(400, /body/, "POST", "/sign-in", { password: "x" });
  });

  it("members are added, promoted, demoted and removed by address or id", async () => {
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const path = `/organizations/${orgId}/members`;
    const { body: added } = await platform().local<MemberWithUser>("POST", path, { email: "new@example.com" });
    assert.deepEqual([added.member.org_id, added.member.role, added.user.email], [orgId, "member", "new@example.com"]);
    const { body: promoted } = await platform().local<MemberWithUser>("POST", path, {
      user_id: added.member.user_id,
      role: "admin",
    });
    assert.deepEqual(promoted.member, { ...added.member, role: "admin" });
    assert.deepEqual(await roles(orgId), { "owner@example.com": "admin", "new@example.com": "admin" });
    await platform().member(orgId, "owner@example.com", "member");
    await platform().leave(orgId, "owner@example.com");
    assert.deepEqual(await roles(orgId), { "new@example.com": "admin" });
    await platform().member(orgId, "owner@example.com");
    const { status } = await platform().local("DELETE", `${path}?email=owner@example.com`);
    assert.equal(status, 200);
    assert.deepEqual(await roles(orgId), { "new@example.com": "admin" });
  });

  it("the last administrator cannot be removed or demoted", async () => {
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const path = `/organizations/${orgId}/members`;
    const last = /last administrator/;
    await assertLocalError(422, last, "DELETE", path, { email: "owner@example.com" });
    await assertLocalError(422, last, "POST", path, { email: "owner@example.com", role: "member" });
    assert.deepEqual(await roles(orgId), { "owner@example.com": "admin" });
  });

  it("unknown objects and invalid bodies are rejected", async () => {
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const path = `/organizations/${orgId}/members`;
    await assertLocalError(404, /organization not found/, "POST", "/organizations/org-none/members", {
      email: "a@example.com",
    });
    await assertLocalError(404, /organization not found/, "GET", "/organizations/org-none/members");
    await assertLocalError(404, /user not found/, "DELETE", path, { email: "stranger@example.com" });
    await assertLocalError(404, /user not found/, "POST", path, { user_id: "none" });
    await platform().signIn("outsider@example.com");
    await assertLocalError(404, /member not found/, "DELETE", path, { email: "outsider@example.com" });
    await assertLocalError(400, /by either email or user_id/, "DELETE", path);
    await assertLocalError(400, /by either email or user_id/, "POST", path, { email: "a@example.com", user_id: "b" });
    await assertLocalError(400, /role/, "POST", path, { email: "a@example.com", role: "viewer" });
    await assertLocalError(400, /email/, "POST", path, { email: "a" });
    await assertLocalError(400, /body/, "POST", "/organizations");
    await assertLocalError(400, /name/, "POST", "/organizations", { plan: "scale" });
    await assertLocalError(400, /plan/, "POST", "/organizations", { name: "x", plan: "huge" });
  });

  it("organizations are listed with their members", async () => {
    const orgId = await platform().organization({ name: "Listed", plan: "launch", administrator: "owner@example.com" });
    const { body } = await platform().local<{ organizations: (Organization & { members: MemberWithUser[] })[] }>(
      "GET",
      "/organizations",
    );
    const found = body.organizations.find(({ id }) => id === orgId);
    assert.deepEqual([found?.name, found?.plan, found?.members.length], ["Listed", "launch", 1]);
  });

  it("requests from web pages are rejected", async () => {
    const headers = { origin: "https://example.com" };
    for (const path of ["/local/sign-in", "/local/organizations"]) {
      const response = await fetch(`${platform().platform.consoleUrl}${path}`, { method: "POST", headers });
      assert.equal(response.status, 403);
    }
  });
});

describe("local platform: organizations in a data folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "neon-platform-"));
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("organizations, members and keys survive a restart", async () => {
    const data = join(folder, "restart");
    const first = await startTestPlatform({ data, operationTime: "1ms" });
    const orgId = await first.firstOrganization();
    await first.member(orgId, "member@example.com");
    const { body } = await first.call("POST", "/projects", { project: { org_id: orgId } });
    const created = await first.call("POST", `/organizations/${orgId}/api_keys`, { key_name: "kept" });
    const { key } = bodyOf(created) as { key: string };
    await first.close();
    const second = await startTestPlatform({ data, operationTime: "1ms" });
    try {
      assert.equal(await second.firstOrganization(), orgId);
      const path = `/projects/${body.project.id}`;
      assert.equal((await second.call("GET", path, undefined, { key })).status, 200);
      const theirs = await second.signIn("member@example.com");
      assert.equal((await second.call("GET", path, undefined, { key: theirs })).status, 200);
    } finally {
      await second.close();
    }
  });

  it("data of a version without organizations is migrated without loss", async () => {
    const data = join(folder, "older");
    const first = await startTestPlatform({ data, operationTime: "1ms" });
    const { body } = await first.call("POST", "/projects", { project: {} });
    await first.close();
    const database = new Database(join(data, "platform.db"));
    for (const table of ["organizations", "memberships", "permissions"]) database.exec(`DROP TABLE ${table}`);
    for (const [table, column] of [
      ["api_keys", "org_id"],
      ["api_keys", "project_id"],
      ["users", "email"],
    ] as const) {
      const indexes = database
        .prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?`)
        .all(table);
      for (const { name } of indexes as { name: string }[]) database.exec(`DROP INDEX ${name}`);
      database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
    database.close();
    const second = await startTestPlatform({ data, operationTime: "1ms" });
    try {
      const path = `/projects/${body.project.id}`;
      assert.equal((await second.call("GET", path, undefined, { key: first.apiKey })).status, 200);
      const orgId = await second.firstOrganization();
      assert.equal((await second.call("POST", `/organizations/${orgId}/api_keys`, { key_name: "new" })).status, 200);
    } finally {
      await second.close();
    }
  });
});
