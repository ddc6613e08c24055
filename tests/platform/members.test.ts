import type {
  Member,
  OrganizationInvitationsResponse,
  OrganizationMembersResponse,
  SpendingLimitResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers, bodyOf } from "./support/responses";

interface ProjectMember {
  readonly member_id: string;
  readonly email: string;
  readonly org_role: string;
  readonly project_role?: string;
  readonly effective_project_permission: string;
  readonly grant_source: string;
}

describe("local platform: members and invitations of an organization", () => {
  const { platform, call, read, user, access, project } = suiteAccounts();

  const setUp = async () => {
    const owner = await user();
    const orgId = await platform().organization({ administrator: owner.email });
    const path = `/organizations/${orgId}`;
    const invite = (email: string, role = "member") =>
      call("POST", `${path}/invitations`, { invitations: [{ email, role }] }, owner.key);
    return {
      owner,
      orgId,
      path,
      invite,
      members: async () => (await read<OrganizationMembersResponse>(`${path}/members`, owner.key)).members,
      invitations: async () =>
        (await read<OrganizationInvitationsResponse>(`${path}/invitations`, owner.key)).invitations,
    };
  };

  it("an invited user who has an account joins at once with the role, and the invitation stays listed", async () => {
    const { owner, orgId, invite, members, invitations } = await setUp();
    const guest = await user();
    const { status, body } = await invite(guest.email.toUpperCase(), "admin");
    assert.equal(status, 200);
    const [invitation] = body.invitations;
    const me = await read<{ id: string }>("/users/me", owner.key);
    assertMembers(invitation, { email: guest.email, role: "admin", org_id: orgId, invited_by: me.id });
    assert.deepEqual(
      (await members()).map(({ member, user: { email } }) => [email, member.role]),
      [
        [guest.email, "admin"],
        [owner.email, "admin"],
      ],
    );
    assert.deepEqual(await invitations(), [invitation]);
    assertError(await invite(guest.email), 409, /is already a member of the organization/);
  });

  it("an address without an account joins when it signs in for the first time", async () => {
    const { orgId, invite, members, invitations } = await setUp();
    const email = `invited-${orgId}@example.com`;
    assert.equal((await invite(email)).status, 200);
    assertError(await invite(email), 409, /is already invited to the organization/);
    assert.equal((await members()).length, 1);
    const key = await platform().signIn(email);
    assert.equal(await access(await project({ org_id: orgId }, key), key), 200);
    assert.equal((await members()).length, 2);
    assert.equal((await invitations()).length, 1);
    await platform().leave(orgId, email);
    await platform().signIn(email);
    assert.equal((await members()).length, 1, "an accepted invitation is not accepted again");
  });

  it("a member is read by id, changes the role, and loses access when removed", async () => {
    const { owner, orgId, path, members } = await setUp();
    const { email, key } = await user();
    await platform().member(orgId, email);
    const id = await project({ org_id: orgId }, key);
    const member = (await members()).find((one) => one.user.email === email)?.member;
    assert.ok(member);
    const at = `${path}/members/${member.id}`;
    assert.deepEqual(await read<Member>(at, key), member);
    const patch = (role: string, by = owner.key) => call("PATCH", at, { role }, by);
    assert.deepEqual(bodyOf(await patch("admin")), { ...member, role: "admin" });
    assert.equal((await patch("member", key)).status, 200);
    assertError(await patch("viewer"), 422, /the role "viewer" is not available for this organization/);
    assert.deepEqual({ ...(await call("DELETE", at, undefined, owner.key)).body }, {});
    assert.equal(await access(id, key), 404);
    for (const method of ["GET", "DELETE"]) {
      assertError(await call(method, at, undefined, owner.key), 404, /^member not found$/, "", method);
    }
    const last = (await members())[0]?.member.id ?? "";
    const removed = await call("DELETE", `${path}/members/${last}`, undefined, owner.key);
    assertError(removed, 422, /last administrator/);
  });

  it("a spending limit is set, read by members and removed twice, on plans that have one", async () => {
    const { owner, orgId, path } = await setUp();
    const { email, key } = await user();
    await platform().member(orgId, email);
    const at = `${path}/billing/spending_limit`;
    const limit = async () => (await read<SpendingLimitResponse>(at, key)).spending_limit_cents;
    assert.equal(await limit(), null);
    assert.equal((await call("PUT", at, { spending_limit_cents: 5000 }, owner.key)).status, 200);
    assert.equal(await limit(), 5000);
    assert.ok(!JSON.stringify(await read(path, key)).includes("spending"), "an organization has no such member");
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await call("DELETE", at, undefined, owner.key)).status, 200);
      assert.equal(await limit(), null);
    }
    const free = await platform().organization({ plan: "free", administrator: owner.email });
    const refused = await call("GET", `/organizations/${free}/billing/spending_limit`, undefined, owner.key);
    assertError(refused, 403, /available on the plans launch and scale only; the plan is free/);
  });

  it("a role in a project limits a member to reading it, or gives all rights, until it is removed", async () => {
    const { owner, orgId } = await setUp();
    const { email, key } = await user();
    await platform().member(orgId, email);
    const path = `/projects/${await project({ org_id: orgId }, owner.key)}`;
    const [{ id: main } = {}] = (await call("GET", `${path}/branches`, undefined, owner.key)).body.branches;
    const found = async () => {
      const { project_members } = await read<{ project_members: ProjectMember[] }>(`${path}/members`, key);
      return project_members.find((one) => one.email === email) ?? assert.fail("no member");
    };
    const { member_id: id, ...before } = await found();
    assertMembers(before, { project_role: undefined, effective_project_permission: "EDITOR" });
    const role = (value: string, by = owner.key) => call("PUT", `${path}/members/${id}/role`, { role: value }, by);
    const rename = async () => (await call("PATCH", path, { project: { name: "renamed" } }, key)).status;
    assert.equal((await role("viewer")).status, 200);
    assert.deepEqual(
      [(await found()).grant_source, await access(path.slice(10), key), await rename()],
      ["explicit", 200, 403],
    );
    await call("POST", `${path}/branches/${main}/buckets`, { name: "files" }, owner.key);
    const presign = async (operation: string) =>
      (await call("POST", `${path}/branches/${main}/buckets/files/objects/a/presign`, { operation }, key)).status;
    assert.deepEqual([await presign("download"), await presign("upload")], [200, 403]);
    await role("admin");
    assert.deepEqual([await rename(), (await found()).effective_project_permission], [200, "ADMIN"]);
    assertError(await role("editor", key), 422, /confirm_self_demotion/);
    assert.equal(
      (await call("PUT", `${path}/members/${id}/role?confirm_self_demotion=true`, { role: "editor" }, key)).status,
      200,
    );
    await role("admin");
    const leave = (query = "") => call("DELETE", `${path}/members/${id}/role${query}`, undefined, key);
    assertError(await leave(), 422, /confirm_self_lockout/);
    assert.equal((await leave("?confirm_self_lockout=true")).status, 200);
    assert.deepEqual((await found()).project_role, undefined);
    assertError(
      await call("PUT", `${path}/members/none/role`, { role: "admin" }, owner.key),
      404,
      /^member not found$/,
    );
  });
});
