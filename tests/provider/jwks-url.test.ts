import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import { describe } from "mocha";

import { type BranchFixture, fixtureFor } from "../support/branch-fixture";
import { concurrently, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const address = "https://auth.example.com/.well-known/jwks.json";

async function urlsOn({ stage, base: { projectId } }: BranchFixture): Promise<JWKS[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/jwks`);
  return (body as unknown as { jwks: JWKS[] }).jwks;
}

describe("JwksUrl", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** A project, and the smallest declaration of a JWKS URL for it, which is not created yet. */
  const setting = async () => {
    const { fixture, base, resource: url } = await fixtureFor(stage(), "JwksUrl");
    return { fixture, args: { projectId: base.projectId, jwksUrl: address, providerName: "Auth0" }, url };
  };

  test("create › sends every declared input, and outputs what the platform returns", async () => {
    const { fixture, args, url } = await setting();
    const { projectId, branchId } = fixture.base;
    const declared = { ...args, branchId, jwtAudience: "shop", roleNames: ["guest"], skipRoleCreation: true };
    const body = {
      jwks_url: address,
      provider_name: "Auth0",
      branch_id: branchId,
      jwt_audience: "shop",
      role_names: ["guest"],
      skip_role_creation: true,
    };
    const sent = await stage().sentBy(projectId, () => url.up(declared));
    assert.deepEqual(sent, [{ method: "POST", path: `/projects/${projectId}/jwks`, body }]);
    const [created, ...others] = await urlsOn(fixture);
    assert.deepEqual(others, []);
    assert.deepEqual(url.ownOutputs, { ...declared, jwksId: created?.id, createdAt: created?.created_at });
    assert.equal(url.id, `${projectId}/${created?.id ?? ""}`);
    await assertUpToDate(stage(), url, declared);
  });

  test("refresh › finds no drift in values that the platform chooses, or in the order of roles", async () => {
    const { args, url } = await setting();
    await url.up({ ...args, skipRoleCreation: false });
    assert.deepEqual(url.outputs["roleNames"], ["authenticator", "authenticated", "anonymous"]);
    assert.equal(await url.refresh(), "same");
    assert.equal(await url.up(args), "same");
    assert.equal(await url.up({ ...args, roleNames: ["anonymous", "authenticator", "authenticated"] }), "same");
  });
});
