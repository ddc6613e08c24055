import type { CredentialMeta } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError } from "./support/responses";

describe("local platform: credentials", () => {
  const { project: newProject } = suiteProjects();
  const asked = { name: "uploads", scopes: ["storage:read"], principal_type: "user" };

  const project = async () => {
    const fixture = await newProject();
    const path = `/branches/${fixture.main.id}/credentials`;
    return {
      ...fixture,
      path,
      list: async () =>
        ((await fixture.call("GET", path)).body as unknown as { credentials: CredentialMeta[] }).credentials,
    };
  };

  it("create returns the secrets once, and the list never does", async () => {
    const { call, path, list } = await project();
    const { status, body } = await call("POST", path, asked);
    assert.equal(status, 201);
    const { api_token: token, s3_secret_access_key: key, ...rest } = body as unknown as Record<string, unknown>;
    assert.match(String(token), /^nat_live_[0-9a-f]{64}$/);
    assert.match(String(key), /^nsk_live_[0-9a-f]{64}$/);
    assert.deepEqual(await list(), [{ ...rest, principal_type: "user" }]);
  });

  it("create rejects a credential without scopes, with an unknown scope, and of the platform itself", async () => {
    const { call, path } = await project();
    assertError(await call("POST", path, { ...asked, scopes: [] }), 400, /scopes/);
    assertError(await call("POST", path, { ...asked, scopes: ["everything"] }), 400, /scopes/);
    assertError(await call("POST", path, { ...asked, principal_type: "system" }), 400, /principal_type/);
  });

  it("revoke can be repeated, and keeps the credential in the list", async () => {
    const { call, path, list } = await project();
    const { body } = await call("POST", path, asked);
    const { token_id: id } = body as unknown as CredentialMeta;
    assert.equal((await call("DELETE", `${path}/${id}`)).status, 204);
    const [revoked] = await list();
    assert.ok(revoked?.revoked_at);
    assert.equal((await call("DELETE", `${path}/${id}`)).status, 204);
    assert.deepEqual(await list(), [revoked]);
    assertError(await call("DELETE", `${path}/nak_live_none`), 404, /credential not found/);
  });
});
