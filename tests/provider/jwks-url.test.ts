import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import { describe } from "mocha";

import { type BranchFixture, grounded } from "../support/ground";
import { assertRefused } from "../support/refused-inputs";
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
    const { ground, base, resource: url } = await grounded(stage(), "JwksUrl");
    return { ground, args: { projectId: base.projectId, jwksUrl: address, providerName: "Auth0" }, url };
  };

  test("check › refuses invalid inputs", async () => {
    const base = { projectId: "shop-1", jwksUrl: address, providerName: "Auth0" };
    const roleNames = Array.from({ length: 11 }, (_, index) => `r${index}`);
    await assertRefused(stage(), "JwksUrl", base, [
      [{ jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
      [{ jwksUrl: "auth.example.com" }, "jwksUrl", /must be an https URL/],
      [{ providerName: "" }, "providerName", /at least 1/],
      [{ jwtAudience: "" }, "jwtAudience", /at least 1/],
      [{ roleNames }, "roleNames", /at most 10 entries/],
      [{ roleNames: ["x".repeat(64)] }, "roleNames.0", /at most 63 bytes/],
      [{ providerName: undefined }, "providerName", "is required"],
    ]);
  });

  test("create › sends every declared input, and outputs what the platform returns", async () => {
    const { ground, args, url } = await setting();
    const { projectId, branchId } = ground.base;
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
    const [created, ...others] = await urlsOn(ground);
    assert.deepEqual(others, []);
    assert.deepEqual(url.ownOutputs, { ...declared, jwksId: created?.id, createdAt: created?.created_at });
    assert.equal(url.id, `${projectId}/${created?.id ?? ""}`);
    await assertUpToDate(stage(), url, declared);
  });

  test("create › waits until the URL is applied", async () => {
    const { ground, args, url } = await setting();
    await url.up(args);
    const operations = (await ground.call("GET", `/projects/${args.projectId}/operations`)).operations;
    assert.deepEqual([operations[0]?.action, operations[0]?.status], ["apply_config", "finished"]);
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
