import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import { concurrently, type Stage, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

/** Somebody who has no account yet. */
async function invited(stage: Stage) {
  const orgId = await stage.platform.organization();
  const declared = { orgId, email: `${stage.name("New.Person")}@example.com`, role: "member" };
  return { declared, resource: stage.resource("OrganizationMember"), path: `/organizations/${orgId}` };
}

describe("OrganizationMember", () => {
  const stage = suiteStage();
  const anotherRun = suiteServer(stage);
  const test = concurrently();

  test("invites somebody without an account, who is a member after they have joined and a refresh", async () => {
    const { declared, resource } = await invited(stage());
    assert.equal(await resource.up(declared), "create");
    assert.equal(resource.outputs["memberId"], undefined);
    assert.equal(resource.outputs["role"], "member");
    await assertUpToDate(stage(), resource, declared);
    await assert.rejects(
      resource.up({ ...declared, role: "admin" }),
      failsWith("has not joined yet: the role cannot be changed", "until the person has joined"),
    );
    await stage().platform.signIn(declared.email);
    await resource.refresh();
    assert.match(String(resource.outputs["memberId"]), /^[\da-f-]{36}$/);
    await assertUpToDate(stage(), resource, declared);
    assert.equal(await resource.up({ ...declared, role: "admin" }), "update");
  });

  test("changes the role of somebody who has joined since the state was written, and removes them", async () => {
    const { declared, resource, path } = await invited(stage());
    await resource.up(declared);
    await stage().platform.signIn(declared.email);
    assert.equal(await resource.up({ ...declared, role: "admin" }), "update");
    await resource.destroy();
    const { body } = await stage().platform.call("GET", `${path}/members`);
    assert.ok(!JSON.stringify(body).includes(declared.email.toLowerCase()));
  });

  test("is removed from the state with a warning if it is only invited, because no request withdraws an invitation", async () => {
    const { declared, resource, path } = await invited(stage());
    await resource.up(declared);
    const sent = await stage().sentBy(path, () => resource.destroy());
    assert.deepEqual(sent, []);
    assert.match(resource.warning, /^The invitation of \S+@example\.com to organization org-\S+ cannot be withdrawn/);
  });

  test("is refused if another resource has the person under an address in other capitals", async () => {
    const { declared, resource } = await invited(stage());
    await stage().platform.signIn(declared.email);
    await resource.up({ ...declared, email: declared.email.toUpperCase() });
    const other = stage().resource("OrganizationMember");
    const args = { ...declared, email: declared.email.toLowerCase(), adopt: true };
    await assert.rejects(other.up(args), /is already managed by/);
  });

  test("invites somebody without an account once if the answer to the invitation is lost", async () => {
    const { declared, resource, path } = await invited(stage());
    await stage().platform.fault({ method: "POST", path: `${path}/invitations`, reset: "after", times: 1 });
    assert.equal(await resource.up(declared), "create");
    assert.match(resource.warning, /was taken for the result of the request/);
    const { body } = await stage().platform.call("GET", `${path}/invitations`);
    assert.equal((body as unknown as { invitations: unknown[] }).invitations.length, 1);
    await assertUpToDate(stage(), resource, declared);
  });

  test("is gone after somebody has removed the person, although the accepted invitation stays in its list", async () => {
    const { declared, resource } = await invited(stage());
    await stage().platform.signIn(declared.email);
    await resource.up(declared);
    await stage().platform.leave(declared.orgId, declared.email);
    assert.equal(await resource.refresh(), "gone");
    assert.equal(await resource.up(declared), "create");
  });

  test("adopts a member by the member's id, whatever the case of the address", async () => {
    const { declared, path } = await invited(stage());
    await stage().platform.member(declared.orgId, declared.email, "admin");
    const { body } = await stage().platform.call("GET", `${path}/members`);
    const { members } = body as unknown as {
      members: { member: { id: string }; user: { email: string } }[];
    };
    const found = members.find(({ user }) => user.email === declared.email.toLowerCase());
    const resource = stage().resource("OrganizationMember");
    const sent = await stage().sentBy(path, () => resource.up({ ...declared, adopt: found?.member.id }));
    assert.deepEqual(
      sent.map(({ method, body: change }) => [method, change]),
      [["PATCH", { role: "member" }]],
    );
    assert.equal(resource.outputs["memberId"], found?.member.id);
    await assertUpToDate(stage(), resource, declared);
  });

  test("is not removed if that would leave the organization without an administrator", async () => {
    const orgId = await stage().platform.organization();
    const { email } = (await stage().platform.call("GET", "/users/me")).body as unknown as { email: string };
    const resource = stage().resource("OrganizationMember");
    await resource.up({ orgId, email, role: "admin", adopt: true });
    // A run does not delete what it has adopted.
    resource.server = anotherRun();
    await assert.rejects(resource.destroy(), failsWith("the last administrator of an organization"));
    assert.notEqual(resource.state, undefined);
  });
});

describe("OrganizationMember, whose invitation was sent by a run that was killed before the answer", () => {
  const stage = suiteStage();
  const consenting = suiteServer(stage, { config: { adopt: "true" } });

  async function killed({ joins }: { readonly joins: boolean }) {
    const { declared, resource, path } = await invited(stage());
    if (joins) await stage().platform.signIn(declared.email);
    const { email, role } = declared;
    await stage().platform.call("POST", `${path}/invitations`, { invitations: [{ email, role }] });
    return { declared, resource, path };
  }

  for (const joins of [true, false]) {
    it(`is named by the next run, and adopted with consent without another invitation: somebody who has ${joins ? "joined" : "not joined"}`, async () => {
      const { declared, resource, path } = await killed({ joins });
      await assert.rejects(resource.up(declared), failsWith("already exists", "`NEON_ADOPT=true pulumi up`"));
      resource.server = consenting();
      assert.equal(await resource.up(declared), "create");
      const { body } = await stage().platform.call("GET", `${path}/invitations`);
      assert.equal((body as unknown as { invitations: unknown[] }).invitations.length, 1);
      assert.equal(resource.outputs["memberId"] !== undefined, joins);
      await assertUpToDate(stage(), resource, declared);
    });
  }

  it("is created again if the person was removed since, although the accepted invitation stays in its list", async () => {
    const { declared, resource, path } = await killed({ joins: true });
    await stage().platform.leave(declared.orgId, declared.email);
    const sent = await stage().sentBy(path, () => resource.up(declared));
    assert.equal(sent.length, 1);
    assert.match(String(resource.outputs["memberId"]), /^[\da-f-]{36}$/);
  });
});
