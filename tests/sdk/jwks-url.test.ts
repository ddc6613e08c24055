import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

const jwksUrl = "https://auth.example.com/.well-known/jwks.json";

describe("getJwks", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  let added: JWKS;
  before(async () => {
    const { project, branch } = await platform().project();
    [projectId, branchId] = [project.id, branch.id];
    const { body } = await platform().call("POST", `/projects/${projectId}/jwks`, {
      jwks_url: jwksUrl,
      provider_name: "Auth0",
      branch_id: branchId,
      jwt_audience: "shop",
      role_names: ["guest"],
    });
    added = (body as unknown as { jwks: JWKS }).jwks;
  });

  it("lists the JWKS URLs of a project with their documented members", async () => {
    const expected = [
      {
        id: added.id,
        projectId,
        branchId,
        jwksUrl,
        providerName: "Auth0",
        jwtAudience: "shop",
        roleNames: ["guest"],
        createdAt: added.created_at,
      },
    ];
    assert.deepEqual(await neon.getJwks({ projectId }), expected);
    assert.deepEqual(await valueOf(neon.getJwksOutput({ projectId: pulumi.output(projectId) })), expected);
  });

  it("fails with 401 or 404 instead of returning an empty list", async () => {
    await assertFails(neon.getJwks({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getJwks({ projectId }), /HTTP 401/);
  });
});

describe("JwksUrl", () => {
  suiteAccount();

  it("get derives `projectId` and `jwksId` from the id, and isInstance recognizes the result", async () => {
    const url: unknown = neon.JwksUrl.get("one", "spring-example-302709/a%2Fb");
    assert.ok(neon.JwksUrl.isInstance(url));
    assert.equal(await valueOf(url.projectId), "spring-example-302709");
    assert.equal(await valueOf(url.jwksId), "a/b");
    const project: unknown = new neon.Project("two");
    assert.ok(!neon.JwksUrl.isInstance(project));
  });
});
