import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import type { Values } from "../support/provider-server";
import { suiteStage } from "../support/stage";

interface Member {
  readonly member: { readonly id: string };
  readonly user: { readonly email: string };
}

describe("ProjectMemberRole of the user of the API key", () => {
  const stage = suiteStage();
  let role: EngineResource;
  let admin: Values;
  let path: string;
  /** Another administrator gives the user the role to manage the project. */
  const appoint = () => stage().platform.call("PUT", path, { role: "admin" });

  before(async () => {
    const { platform } = stage();
    const email = `${stage().name("manager")}@example.com`;
    const apiKey = await platform.signIn(email);
    const orgId = await platform.firstOrganization();
    await platform.member(orgId, email);
    const { body } = await platform.call("GET", `/organizations/${orgId}/members?limit=500`);
    const { members } = body as unknown as { readonly members: readonly Member[] };
    const memberId = members.find(({ user }) => user.email === email)?.member.id ?? assert.fail();
    const { id: projectId } = await stage().project({ org_id: orgId });
    path = `/projects/${projectId}/members/${memberId}/role`;
    await appoint();
    role = await stage().nextRun(stage().resource("ProjectMemberRole"), { config: { apiKey } });
    admin = { projectId, memberId, role: "admin", adopt: true };
    await role.up(admin);
  });

  it("is lowered only if the program confirms it, and the error says how", async () => {
    const lower = { ...admin, role: "editor" };
    await assert.rejects(
      role.up(lower),
      failsWith(/HTTP 422: .*confirm_self_demotion/, "Nothing was changed", "declare `confirmSelfDemotion: true`"),
    );
    const sent = await stage().sentBy(path, () => role.up({ ...lower, confirmSelfDemotion: true }));
    assert.deepEqual(sent, [{ method: "PUT", path: `${path}?confirm_self_demotion=true`, body: { role: "editor" } }]);
    assert.equal(role.outputs["role"], "editor");
  });

  it("is deleted only if the program confirms that its user can then not manage the project, and the error says how", async () => {
    await appoint();
    await role.refresh();
    await role.up(admin);
    await assert.rejects(
      role.destroy(),
      failsWith(/confirm_self_lockout/, "set `confirmSelfLockout: true`, run `pulumi up`"),
    );
    const confirmed = await stage().sentBy(path, () => role.up({ ...admin, confirmSelfLockout: true }));
    assert.deepEqual(confirmed, []);
    const [deleted, ...others] = await stage().sentBy(path, () => role.destroy());
    assert.deepEqual([deleted?.path, others], [`${path}?confirm_self_lockout=true`, []]);
  });
});
