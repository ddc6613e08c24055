import type {
  GeneralError,
  MemberWithUser,
  Organization,
  OrganizationMembersResponse,
  OrganizationsResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../support/platform";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers, bodyOf, idsOf, pagesOf, rowsOf, valuesOf } from "./support/responses";

interface Me {
  readonly id: string;
  readonly email: string;
}

describe("local platform: organizations", () => {
  const { platform, call, read, user, project, access, listed } = suiteAccounts();
  const organizations = async (key?: string) =>
    (await read<OrganizationsResponse>("/users/me/organizations", key)).organizations;

  it("the first user administers one organization from the start", async () => {
    const orgId = await platform().firstOrganization();
    assert.match(orgId, /^org-[a-z0-9]+-[a-z0-9]+-[a-z0-9]+$/);
    const organization = await read<Organization>(`/organizations/${orgId}`);
    assert.deepEqual(organization, (await organizations())[0]);
    assert.equal(organization.managed_by, "console");
    assert.ok(organization.handle.endsWith(orgId));
    const { members } = await read<OrganizationMembersResponse>(`/organizations/${orgId}/members`);
    const me = await read<Me>("/users/me");
    const found = members.map(({ member, user: { email } }) => [member.user_id, member.role, email]);
    assert.deepEqual(found, [[me.id, "admin", me.email]]);
  });

  it("projects of an organization are listed only with org_id", async () => {
    const orgId = await platform().firstOrganization();
    const { status, body } = await call("POST", "/projects", { project: { org_id: orgId } });
    assert.equal(status, 201);
    const { id, org_id, owner_id } = body.project;
    const projectOf = async (one: string) => (await call("GET", `/projects/${one}`)).body.project;
    assert.deepEqual([org_id, owner_id, (await projectOf(id)).owner?.name], [orgId, orgId, "Local organization"]);
    const own = await project();
    assert.deepEqual([(await projectOf(id)).org_id, (await projectOf(own)).org_id], [orgId, undefined]);
    const [inOrganization, withoutIt] = [await listed(`org_id=${orgId}`), await listed()];
    assert.ok(inOrganization.includes(id) && !inOrganization.includes(own));
    assert.ok(withoutIt.includes(own) && !withoutIt.includes(id));
    const { projects } = (await call("GET", `/projects?org_id=${orgId}&search=${id}`)).body;
    assert.deepEqual(rowsOf(projects, "org_id", "org_name"), [[orgId, "Local organization"]]);
  });

  it("requests about projects and regions of another user's organization report 404", async () => {
    const foreign = await platform().organization({ administrator: (await user()).email });
    for (const [method, path, body] of [
      ["GET", `/projects?org_id=${foreign}`],
      ["GET", `/regions?org_id=${foreign}`],
      ["POST", "/projects", { project: { org_id: foreign } }],
      ["POST", "/projects", { project: { org_id: "org-no-such-one" } }],
    ] as const) {
      assertError(await call(method, path, body), 404, /^organization not found$/, "", path);
    }
    assert.ok(!idsOf(await organizations()).includes(foreign));
    const own = await platform().firstOrganization();
    assert.ok((await call("GET", `/regions?org_id=${own}`)).body.regions.length > 0);
  });

  it("a member has access from joining to leaving [1.2 personal]", async () => {
    const orgId = await platform().organization();
    const id = await project({ org_id: orgId });
    const { email, key } = await user();
    assert.equal(await access(id, key), 404);
    await platform().member(orgId, email);
    assert.equal(await access(id, key), 200);
    assert.deepEqual(await listed(`org_id=${orgId}`, key), [id]);
    assert.deepEqual(idsOf(await organizations(key)), [orgId]);
    await platform().leave(orgId, email);
    assert.equal(await access(id, key), 404);
    assert.equal((await call("GET", `/projects?org_id=${orgId}`, undefined, key)).status, 404);
    assert.deepEqual(await organizations(key), []);
    assert.equal((await call("GET", "/users/me", undefined, key)).status, 200);
  });

  it("HIPAA projects need an organization that allows them, and stay HIPAA projects", async () => {
    const allowed = await platform().organization({ allow_hipaa_projects: true });
    const settings = { hipaa: true };
    const request = (org_id?: string) => call("POST", "/projects", { project: { org_id, settings } });
    const { status, body } = await request(allowed);
    assert.deepEqual([status, body.project.settings?.hipaa], [201, true]);
    assert.equal((await request(await platform().organization())).status, 422);
    assert.equal((await request()).status, 422);
    const plain = await project({ org_id: allowed });
    await platform().settled(plain);
    assert.equal((await call("GET", `/projects/${plain}`)).body.project.hipaa_enabled_at, undefined);
    const enabled = await call("PATCH", `/projects/${plain}`, { project: { settings } });
    assert.equal(enabled.status, 200);
    assert.match(enabled.body.project.hipaa_enabled_at ?? "", /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    await platform().settled(plain);
    const disabled = await call("PATCH", `/projects/${plain}`, { project: { settings: { hipaa: false } } });
    assertError(disabled, 400, /^disabling HIPAA is not allowed$/);
  });

  it("members are listed in pages and in the requested order", async () => {
    const orgId = await platform().organization({ administrator: "owner@example.com" });
    const key = await platform().signIn("owner@example.com");
    for (const name of ["zoe", "ann", "mia"]) await platform().member(orgId, `${name}@example.com`);
    const path = `/organizations/${orgId}/members`;
    type Page = OrganizationMembersResponse & {
      pagination?: { next?: string; sort_by?: string; sort_order?: string };
    };
    const page = async (query: string) => {
      const { members, pagination } = await read<Page>(`${path}?${query}`, key);
      return { names: members.map(({ user: { email } }) => email.split("@")[0]), pagination };
    };
    for (const [query, expected] of [
      ["", ["mia", "ann", "zoe", "owner"]],
      ["sort_order=asc", ["owner", "zoe", "ann", "mia"]],
      ["sort_by=email&sort_order=asc", ["ann", "mia", "owner", "zoe"]],
      ["sort_by=role&sort_order=asc&limit=1", ["owner"]],
    ] as const) {
      assert.deepEqual((await page(query)).names, expected, query);
    }
    const pages = await pagesOf(
      (cursor) => page(`sort_by=role&limit=3${cursor}`),
      ({ pagination }) => pagination?.next,
    );
    assert.deepEqual(valuesOf(pages, "names")?.flat(), ["mia", "ann", "zoe", "owner"]);
    for (const { pagination } of pages.slice(0, -1)) {
      assertMembers(pagination, { sort_by: "role", sort_order: "desc" });
    }
    assertError(await call("GET", `${path}?cursor=bm9uZQ`, undefined, key), 400, /cursor/);
  });
});

describe("local platform: local account routes", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const owner = "owner@example.com";
  const setUp = async () => {
    const orgId = await platform().organization({ administrator: owner });
    const path = `/organizations/${orgId}/members`;
    return {
      orgId,
      path,
      roles: async () => {
        const { members } = (await platform().local<{ members: MemberWithUser[] }>("GET", path)).body;
        return Object.fromEntries(members.map(({ member, user }) => [user.email, member.role]));
      },
    };
  };

  it("sign-in creates a key for the user with an address, ignoring case", async () => {
    const me = async (key?: string) => bodyOf(await platform().call("GET", "/users/me", undefined, { key })) as Me;
    const keys = [await platform().signIn("Ann@Example.com"), await platform().signIn("ann@example.com")];
    assert.notEqual(keys[0], keys[1]);
    const [one, other] = [await me(keys[0]), await me(keys[1])];
    assert.deepEqual(one, other);
    assert.equal(one.email, "ann@example.com");
    const { body: first } = await platform().local<{ user: Me; apiKey: string }>("POST", "/sign-in");
    assert.equal(first.user.id, (await me()).id);
    assert.equal((await me(first.apiKey)).id, first.user.id);
  });

  it("members are added, promoted, demoted and removed by address or id", async () => {
    const { orgId, path, roles } = await setUp();
    const added = (await platform().local<MemberWithUser>("POST", path, { email: "new@example.com" })).body;
    assert.deepEqual([added.member.org_id, added.member.role, added.user.email], [orgId, "member", "new@example.com"]);
    const promotion = { user_id: added.member.user_id, role: "admin" };
    const promoted = (await platform().local<MemberWithUser>("POST", path, promotion)).body;
    assert.deepEqual(promoted.member, { ...added.member, role: "admin" });
    assert.deepEqual(await roles(), { [owner]: "admin", "new@example.com": "admin" });
    await platform().member(orgId, owner, "member");
    await platform().leave(orgId, owner);
    assert.deepEqual(await roles(), { "new@example.com": "admin" });
    await platform().member(orgId, owner);
    assert.equal((await platform().local("DELETE", `${path}?email=${owner}`)).status, 200);
    assert.deepEqual(await roles(), { "new@example.com": "admin" });
  });

  it("unknown objects, invalid bodies and the loss of the last administrator are rejected", async () => {
    const { path, roles } = await setUp();
    await platform().signIn("outsider@example.com");
    for (const [status, message, method, route, body] of [
      [422, /last administrator/, "DELETE", path, { email: owner }],
      [422, /last administrator/, "POST", path, { email: owner, role: "member" }],
      [404, /organization not found/, "POST", "/organizations/org-none/members", { email: "a@example.com" }],
      [404, /organization not found/, "GET", "/organizations/org-none/members"],
      [404, /user not found/, "DELETE", path, { email: "stranger@example.com" }],
      [404, /user not found/, "POST", path, { user_id: "none" }],
      [404, /member not found/, "DELETE", path, { email: "outsider@example.com" }],
      [400, /by either email or user_id/, "DELETE", path],
      [400, /by either email or user_id/, "POST", path, { email: "a@example.com", user_id: "b" }],
      [400, /role/, "POST", path, { email: "a@example.com", role: "viewer" }],
      [400, /email/, "POST", path, { email: "a" }],
      [400, /body/, "POST", "/organizations"],
      [400, /name/, "POST", "/organizations", { plan: "scale" }],
      [400, /plan/, "POST", "/organizations", { name: "x", plan: "huge" }],
      [400, /email: must be an e-mail address/, "POST", "/sign-in", { email: "nobody" }],
      [400, /body/, "POST", "/sign-in", { password: "x" }],
    ] as const) {
      assertError(await platform().local<GeneralError>(method, route, body), status, message);
    }
    assert.deepEqual(await roles(), { [owner]: "admin" });
  });

  it("organizations are listed with their members", async () => {
    const orgId = await platform().organization({ name: "Listed", plan: "launch", administrator: owner });
    type Listed = { organizations: (Organization & { members: MemberWithUser[] })[] };
    const { body } = await platform().local<Listed>("GET", "/organizations");
    const found = body.organizations.find(({ id }) => id === orgId);
    assert.deepEqual([found?.name, found?.plan, found?.members.length], ["Listed", "launch", 1]);
  });
});

describe("local platform: accounts whose projects belong to organizations", () => {
  const { platform, call, user, listed } = suiteAccounts({ organizationAccounts: true });
  const required = "org_id is required, you can find it on your organization settings page";

  it("a personal key that names no organization uses the only one of the user", async () => {
    const orgId = await platform().firstOrganization();
    const { status, body } = await call("POST", "/projects", { project: {} });
    assert.deepEqual([status, body.project.org_id], [201, orgId]);
    assert.deepEqual(await listed(), [body.project.id]);
    assert.deepEqual(await listed(`org_id=${orgId}`), [body.project.id]);
  });

  it("the first organization allows HIPAA projects", async () => {
    const { status, body } = await call("POST", "/projects", { project: { settings: { hipaa: true } } });
    assert.deepEqual([status, body.project.settings?.hipaa], [201, true]);
  });

  it("a personal key must name one of several organizations, or any if the user has none", async () => {
    const { email, key } = await user();
    for (const organizations of [0, 2]) {
      for (let count = 0; count < organizations; count += 1) await platform().organization({ administrator: email });
      assert.equal((await call("POST", "/projects", { project: {} }, key)).body.message, required);
      assertError(await call("GET", "/projects", undefined, key), 400, /^org_id is required/);
    }
  });
});
