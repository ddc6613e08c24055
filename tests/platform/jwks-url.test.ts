import type { JWKS } from "@neondatabase/api-client";
import { afterEach, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import * as sinon from "sinon";
import { suitePlatform } from "../support/platform";
import { suiteProjects } from "./support/project";
import { assertError } from "./support/responses";

const address = "https://auth.example.com/.well-known/jwks.json";

describe("local platform: JWKS URLs", () => {
  const { project: newProject } = suiteProjects();

  const project = async () => {
    const fixture = await newProject();
    const { call, send, main } = fixture;
    return {
      ...fixture,
      add: async (body: object) => {
        const response = await send("POST", "/jwks", { jwks_url: address, provider_name: "Auth0", ...body });
        return { ...response, jwks: (response.body as unknown as { jwks: JWKS }).jwks };
      },
      list: async () => ((await call("GET", "/jwks")).body as unknown as { jwks: JWKS[] }).jwks,
      roles: async (branchId = main.id) =>
        (await call("GET", `/branches/${branchId}/roles`)).body.roles.map((role) => [
          role.name,
          role.authentication_method,
        ]),
    };
  };
  const owner = ["neondb_owner", "password"];

  it("create needs an operation on each active compute", async () => {
    const { id, main, endpointId, add, list, branch } = await project();
    const { branch: other, endpoints } = await branch({ endpoints: [{ type: "read_write" }] });
    const { status, body, jwks } = await add({ jwt_audience: "shop" });
    assert.equal(status, 201);
    assert.deepEqual(
      body.operations.map(({ action, branch_id, endpoint_id }) => [action, branch_id, endpoint_id]).sort(),
      [
        ["apply_config", main.id, endpointId],
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
    const { add, roles, list } = await project();
    await add({ role_names: ["neondb_owner", "visitor"] });
    assert.deepEqual(await roles(), [owner, ["visitor", "no_login"]]);
    assert.deepEqual((await list())[0]?.role_names, ["neondb_owner", "visitor"]);
    await add({ jwks_url: `${address}?2`, role_names: ["guest"], skip_role_creation: true });
    assert.equal((await roles()).length, 2);
  });

  it("create rejects a duplicate, and invalid members", async () => {
    const { add, list } = await project();
    await add({});
    assertError(await add({ provider_name: "Clerk" }), 409, /already exists/);
    const other = { jwks_url: `${address}?1` };
    for (const [body, status, message] of [
      [{ jwks_url: "http://auth.example.com/jwks.json" }, 400, /jwks_url: must be an https URL/],
      [{ branch_id: "br-no-such-one" }, 404, /branch not found/],
      [{ role_names: ["pg_x"] }, 400, /role name "pg_x"/],
    ] as const) {
      assertError(await add({ ...other, ...body }), status, message);
    }
    assert.equal((await list()).length, 1);
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
    const { call, send, add, list, branch } = await project();
    const { branch: other } = await branch();
    const { jwks } = await add({ branch_id: other.id });
    await send("DELETE", `/branches/${other.id}`);
    assert.deepEqual(await list(), []);
    assertError(await call("DELETE", `/jwks/${jwks.id}`), 404, /JWKS not found/);
    await call("POST", `/branches/${other.id}/recover`);
    assert.deepEqual(await list(), [jwks]);
  });
});

describe("local platform: verified JWKS URLs", () => {
  const platform = suitePlatform({ operationTime: "0", verifyJwks: true });
  const answers = new Map<string, () => Response>([
    [address, () => Response.json({ keys: [{ kty: "RSA", n: "…", e: "AQAB" }] })],
    ["https://auth.example.com/page", () => new Response("<html>")],
    ["https://auth.example.com/other", () => Response.json({ issuer: "https://auth.example.com" })],
    ["https://auth.example.com/none", () => new Response("", { status: 404 })],
  ]);
  beforeEach(() => {
    const real = globalThis.fetch;
    sinon.replace(globalThis, "fetch", async (input, init) => answers.get(input as string)?.() ?? real(input, init));
  });
  afterEach(() => {
    sinon.restore();
  });

  it("a URL is accepted only if it serves a key set", async () => {
    const { id } = (await platform().project()).project;
    const add = (jwks_url: string, key?: string) =>
      platform().call("POST", `/projects/${id}/jwks`, { jwks_url, provider_name: "Auth0" }, { key });
    assert.equal((await add(address)).status, 201);
    for (const [url, reason] of [
      ["https://auth.example.com/page", /^jwks_url https:\/\/auth.example.com\/page serves no key set: /],
      ["https://auth.example.com/other", /serves no key set: the response is not a JSON Web Key Set$/],
      ["https://auth.example.com/none", /serves no key set: HTTP 404$/],
      ["https://127.0.0.1:1/keys", /serves no key set: /],
      ["http://auth.example.com/keys", /must be an https URL/],
    ] as const) {
      assertError(await add(url), 400, reason);
    }
    assertError(await add("https://auth.example.com/none", "wrong"), 401, /./);
  });
});
