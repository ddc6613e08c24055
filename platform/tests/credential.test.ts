import type { CredentialMeta } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError } from "./support/responses";

interface Secrets {
  readonly token_id: string;
  readonly api_token: string;
  readonly s3_secret_access_key: string;
}

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
    assert.match(String(token), /^nt_live_[0-9a-f]{64}$/);
    assert.match(String(key), /^nsk_live_[0-9a-f]{64}$/);
    assert.deepEqual(await list(), [{ ...rest, principal_type: "user" }]);
  });

  it("create rejects a credential without scopes, with an unknown scope, and of the platform itself", async () => {
    const { call, path } = await project();
    assertError(await call("POST", path, { ...asked, scopes: [] }), 400, /scopes/);
    assertError(await call("POST", path, { ...asked, scopes: ["everything"] }), 400, /scopes/);
    assertError(await call("POST", path, { ...asked, principal_type: "system" }), 400, /principal_type/);
  });

  it("rotate replaces the secrets and nothing else, and reveal returns the valid ones of a project", async () => {
    const { call, done, path, list } = await project();
    const issued = (await call("POST", path, asked)).body as unknown as Secrets;
    const before = await list();
    const of = `${path}/${issued.token_id}`;
    const { status, body } = await call("POST", `${of}/rotate`);
    assert.equal(status, 200);
    const { api_token: token, s3_secret_access_key: key, ...rest } = body as unknown as Secrets;
    assert.ok(token !== issued.api_token && key !== issued.s3_secret_access_key);
    assert.deepEqual([rest], before);
    assert.deepEqual(await list(), before);
    const child = await done("POST", "/branches", { branch: { name: "child" } });
    const elsewhere = of.replace(/branches\/[^/]+/, `branches/${child.branch.id}`);
    const secrets = { token_id: issued.token_id, api_token: token, s3_secret_access_key: key };
    for (const at of [of, elsewhere]) assert.deepEqual((await call("POST", `${at}/reveal`)).body, secrets);
    assertError(await call("POST", `${elsewhere}/rotate`), 404, /credential not found/);
    await call("DELETE", of);
    for (const verb of ["reveal", "rotate"]) {
      assertError(await call("POST", `${of}/${verb}`), 404, /credential not found/);
    }
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
