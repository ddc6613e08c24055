import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError, assertMembers } from "./support/responses";

const jwks_url = "https://auth.example.com/.well-known/jwks.json";
const defaults = {
  db_aggregates_enabled: true,
  db_anon_role: "anonymous",
  db_schemas: ["public"],
  jwt_role_claim_key: ".role",
  openapi_mode: "disabled",
};

describe("local platform: Data APIs", () => {
  const { project: newProject } = suiteProjects();

  const project = async () => {
    const fixture = await newProject();
    const { main } = fixture;
    const path = (database = "neondb", branchId = main.id) => `/branches/${branchId}/data-api/${database}`;
    return { ...fixture, path, get: async (database?: string) => (await fixture.call("GET", path(database))).body };
  };

  it("create configures the compute, adds the roles of tokens, and refuses a second one", async () => {
    const { id, main, send, call, path, get } = await project();
    const { status, body } = await send("POST", path(), { auth_provider: "external", jwks_url });
    assert.deepEqual([status, Object.keys(body)], [201, ["url"]]);
    assert.deepEqual(await get(), { ...body, status: "ready", settings: defaults });
    const [latest] = (await call("GET", "/operations")).body.operations;
    assertMembers(latest, { project_id: id, action: "apply_config" });
    const { roles } = (await call("GET", `/branches/${main.id}/roles`)).body;
    assert.deepEqual(roles.map(({ name }) => name).sort(), [
      "anonymous",
      "authenticated",
      "authenticator",
      "neondb_owner",
    ]);
    assertError(await send("POST", path()), 409, /already has a Data API/);
  });

  it("create rejects an external provider without keys, and a database that does not exist", async () => {
    const { send, path } = await project();
    assertError(await send("POST", path(), { auth_provider: "external" }), 400, /jwks_url/);
    assertError(await send("POST", path("none")), 404, /database not found/);
  });

  it("update replaces all settings, and returns those that it omits to their defaults", async () => {
    const { send, path, get } = await project();
    await send("POST", path(), { settings: { db_max_rows: 5, openapi_mode: "ignore-privileges" } });
    assertMembers(await send("PATCH", path(), { settings: { db_schemas: ["shop"] } }), { status: 201, body: {} });
    const expected = { ...defaults, db_schemas: ["shop"] };
    assert.deepEqual(await get(), { ...(await get()), settings: expected });
    // This refreshes the schema cache only.
    await send("PATCH", path());
    assert.deepEqual(await get(), { ...(await get()), settings: expected });
  });

  it("a Data API belongs to the name of its database and to its branch, and survives a restore of the branch", async () => {
    const { send, call, path, branch, main } = await project();
    const database = { name: "shop", owner_name: "neondb_owner" };
    await send("POST", `/branches/${main.id}/databases`, { database });
    const { branch: child } = await branch({ endpoints: [{ type: "read_write" }] });
    await send("POST", path("shop", child.id));
    const statusOf = async (name: string, id: string) => (await call("GET", path(name, id))).status;
    assert.deepEqual([await statusOf("shop", child.id), await statusOf("shop", main.id)], [200, 404]);
    await send("POST", `/branches/${child.id}/restore`, { source_branch_id: main.id });
    assert.equal(await statusOf("shop", child.id), 200);
    const { branch: grandchild } = await branch({ branch: { parent_id: child.id } });
    assert.equal(await statusOf("shop", grandchild.id), 404);
    await send("PATCH", `/branches/${child.id}/databases/shop`, { database: { name: "store" } });
    assert.equal(await statusOf("store", child.id), 404);
  });
});
