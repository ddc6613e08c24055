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
    const all = async (branchId = fixture.main.id) =>
      (await fixture.call("GET", `/branches/${branchId}/credentials`)).body.credentials;
    /** Those that the branch does not have from its beginning. */
    const list = async () => (await all()).filter(({ name = "" }) => !name.startsWith("Default "));
    return { ...fixture, path, all, list };
  };

  it("each branch begins with two of its own, which clients can reveal, and revoked ones do not come back", async () => {
    const { call, done, main, all } = await project();
    const { branch: child } = await done("POST", "/branches", { branch: { name: "child" } });
    const { branch: bare } = await done("POST", "/branches", { branch: { name: "bare", init_source: "schema-only" } });
    await done("POST", `/branches/${child.id}/restore`, { source_branch_id: main.id, preserve_under_name: "before" });
    const { branches } = (await call("GET", "/branches")).body;
    assert.equal(branches.length, 4);
    const ids = new Set<string>();
    for (const { id } of branches) {
      const [gateway, storage, ...others] = await all(id);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [gateway, storage].map((one) => [one?.name, one?.scopes, one?.branch_id]),
        [
          ["Default AI gateway credential", ["ai_gateway:invoke"], id],
          ["Default object storage credential", ["storage:read", "storage:write"], id],
        ],
      );
      for (const { token_id: token } of [gateway, storage].filter((one) => one !== undefined)) {
        ids.add(token);
        assert.equal((await call("POST", `/branches/${id}/credentials/${token}/reveal`)).status, 200);
      }
    }
    assert.equal(ids.size, 8);
    const [revoked] = await all(bare.id);
    await call("DELETE", `/branches/${bare.id}/credentials/${revoked?.token_id ?? ""}`);
    assert.deepEqual(
      (await all(bare.id)).map(({ revoked_at: at }) => at !== undefined),
      [true, false],
    );
  });

  it("create returns the secrets once, and the list never does", async () => {
    const { call, path, list } = await project();
    const { status, body } = await call("POST", path, asked);
    assert.equal(status, 201);
    const { api_token: token, s3_secret_access_key: key, ...rest } = body;
    assert.match(token, /^nt_live_[0-9a-f]{64}$/);
    assert.match(key, /^nsk_live_[0-9a-f]{64}$/);
    assert.deepEqual(await list(), [{ ...rest, principal_type: "user" }]);
  });

  it("rotate replaces the secrets and nothing else, and reveal returns the valid ones of a project", async () => {
    const { call, done, path, list } = await project();
    const issued = (await call("POST", path, asked)).body;
    const before = await list();
    const of = `${path}/${issued.token_id}`;
    const { status, body } = await call("POST", `${of}/rotate`);
    assert.equal(status, 200);
    const { api_token: token, s3_secret_access_key: key, ...rest } = body;
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
    const { token_id: id } = (await call("POST", path, asked)).body;
    assert.equal((await call("DELETE", `${path}/${id}`)).status, 204);
    const [revoked] = await list();
    assert.ok(revoked?.revoked_at);
    assert.equal((await call("DELETE", `${path}/${id}`)).status, 204);
    assert.deepEqual(await list(), [revoked]);
    assertError(await call("DELETE", `${path}/nak_live_none`), 404, /credential not found/);
  });
});
