import type { JWKS } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";
import { assertError } from "./support/responses";

const address = "https://auth.example.com/.well-known/jwks.json";

describe("local platform: JWKS URLs", () => {
  const platform = suitePlatform({ operationTime: "1ms" });

  /** A project that is ready, with helpers for its JWKS URLs. */
  const project = async () => {
    const created = await platform().project();
    const { id } = created.project;
    const call = (method: string, path: string, body?: unknown) =>
      platform().call(method, `/projects/${id}${path}`, body);
    const add = async (body: object) => {
      const response = await call("POST", "/jwks", { jwks_url: address, provider_name: "Auth0", ...body });
      await platform().settled(id);
      return { ...response, jwks: (response.body as unknown as { jwks: JWKS }).jwks };
    };
    return {
      id,
      main: created.branch,
      endpoint: created.endpoints[0],
      call,
      add,
      list: async () => ((await call("GET", "/jwks")).body as unknown as { jwks: JWKS[] }).jwks,
      roles: async (branchId = created.branch.id) =>
        (await call("GET", `/branches/${branchId}/roles`)).body.roles.map((role) => [
          role.name,
          role.authentication_method,
        ]),
      branch: async (body: object = {}) => {
        const response = await call("POST", "/branches", body);
        await platform().settled(id);
        return response.body;
      },
    };
  };
  const owner = ["neondb_owner", "password"];

  it("create needs an operation on each active compute", async () => {
    const { id, main, endpoint, add, list, branch } = await project();
    const { branch: other, endpoints } = await branch({ endpoints: [{ type: "read_write" }] });
    const { status, body, jwks } = await add({ jwt_audience: "shop" });
    assert.equal(status, 201);
    assert.deepEqual(
      body.operations.map(({ action, branch_id, endpoint_id }) => [action, branch_id, endpoint_id]).sort(),
      [
        ["apply_config", main.id, endpoint?.id],
        ["apply_config", other.id, endpoints[0]?.id],
      ].sort(),
    );
    const { id: jwksId, created_at, updated_at, ...rest } = jwks;
    assert.match(jwksId, /^[0-9a-f-]{36}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      project_id: id,
      jwks_url: address,
      provider_name: "Auth0",
      jwt_audience: "shop",
      role_names: ["authenticator", "authenticated", "anonymous"],
    });
    assert.deepEqual(await list(), [jwks]);
  });

  it("create for one branch changes no other branch", async () => {
    const { add, branch, roles } = await project();
    const { branch: other } = await branch();
    const { body, jwks } = await add({ branch_id: other.id });
    assert.equal(jwks.branch_id, other.id);
    assert.deepEqual(body.operations, []);
    assert.deepEqual(await roles(), [owner]);
    assert.equal((await roles(other.id)).length, 4);
  });

  it("create adds the missing roles unless skip_role_creation is set", async () => {
    const { call, add, roles, list } = await project();
    await add({ role_names: ["neondb_owner", "visitor"] });
    assert.deepEqual(await roles(), [owner, ["visitor", "no_login"]]);
    assert.deepEqual((await list())[0]?.role_names, ["neondb_owner", "visitor"]);
    await add({ jwks_url: `${address}?2`, role_names: ["guest"], skip_role_creation: true });
    assert.equal((await roles()).length, 2);
    assertError(
      await call("POST", "/jwks", { jwks_url: "https://a.example", provider_name: "a", role_names: ["pg_x"] }),
      400,
      /role name "pg_x"/,
    );
  });

  it("create rejects a duplicate, an invalid or a non-https URL, and a missing provider", async () => {
    const { call, add, list } = await project();
    await add({});
    assertError(await add({ provider_name: "Clerk" }), 409, /already exists/);
    assertError(await add({ jwks_url: "http://auth.example.com/jwks.json" }), 400, /jwks_url: must be an https URL/);
    assertError(await add({ jwks_url: "auth.example.com" }), 400, /jwks_url/);
    assertError(await call("POST", "/jwks", { jwks_url: "https://other.example.com" }), 400, /provider_name/);
    assertError(await add({ jwks_url: `${address}?1`, branch_id: "br-no-such-one" }), 404, /branch not found/);
    const role_names = Array.from({ length: 11 }, (_, index) => `role${index}`);
    assertError(await add({ jwks_url: `${address}?1`, role_names }), 400, /role_names/);
    assert.equal((await list()).length, 1);
  });

  it("create reports 423 while operations are in progress", async () => {
    const { id, call } = await project();
    await platform().fault({ action: "create_branch", end: "stuck" });
    await call("POST", "/branches", {});
    assertError(
      await call("POST", "/jwks", { jwks_url: address, provider_name: "Auth0" }),
      423,
      /conflicting operations/,
    );
    await platform().clearFaults();
    await platform().settled(id);
  });

  it("delete needs no operation and reports 404 the second time", async () => {
    const { call, add, list } = await project();
    const { jwks } = await add({});
    const { status, body } = await call("DELETE", `/jwks/${jwks.id}`);
    assert.equal(status, 200);
    assert.deepEqual(body, jwks);
    assert.deepEqual(await list(), []);
    assertError(await call("DELETE", `/jwks/${jwks.id}`), 404, /JWKS not found/);
    assert.equal((await add({})).status, 201);
  });

  it("the URL of a branch is hidden while the branch is deleted", async () => {
    const { id, call, add, list, branch } = await project();
    const { branch: other } = await branch();
    const { jwks } = await add({ branch_id: other.id });
    await call("DELETE", `/branches/${other.id}`);
    await platform().settled(id);
    assert.deepEqual(await list(), []);
    assertError(await call("DELETE", `/jwks/${jwks.id}`), 404, /JWKS not found/);
    await call("POST", `/branches/${other.id}/recover`);
    assert.deepEqual(await list(), [jwks]);
  });
});
