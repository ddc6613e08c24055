import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

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
  });
});
