import { before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type Answer, suitePlatform } from "../../tests/support/platform";
import { actionsOf, assertError } from "./support/responses";

describe("local platform: databases", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let projectId: string;
  /** A branch with an active compute and a second role `app`. */
  let branchId: string;
  let endpointId: string;
  before(async () => {
    projectId = (await platform().project()).project.id;
  });
  beforeEach(async () => {
    const body = await child({ endpoints: [{ type: "read_write" }] });
    branchId = body.branch.id;
    endpointId = body.endpoints[0]?.id ?? "";
    await platform().call("POST", `/projects/${projectId}/branches/${branchId}/roles`, { role: { name: "app" } });
    await settled();
  });

  const settled = () => platform().settled(projectId);
  const child = async (input: object) => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, input);
    await settled();
    return body;
  };
  const call = (method: string, path = "", body?: unknown, branch = branchId) =>
    platform().call(method, `/projects/${projectId}/branches/${branch}/databases${path}`, body);
  const create = async (database: object, branch = branchId): Promise<Answer> => {
    const response = await call("POST", "", { database }, branch);
    await settled();
    return response;
  };
  const change = async (name: string, database: object): Promise<Answer> => {
    const response = await call("PATCH", `/${name}`, { database });
    await settled();
    return response;
  };
  const names = async (branch = branchId) =>
    (await call("GET", "", undefined, branch)).body.databases.map(({ name }) => name);
  const uriStatus = async (database: string): Promise<number> => {
    const query = `database_name=${encodeURIComponent(database)}&role_name=app&branch_id=${branchId}`;
    return (await platform().call("GET", `/projects/${projectId}/connection_uri?${query}`)).status;
  };

  describe("create", () => {
    it("creates a database of an owner in one operation", async () => {
      const response = await call("POST", "", { database: { name: "shop", owner_name: "app" } });
      assert.equal(response.status, 201);
      const [operation, ...others] = response.body.operations;
      assert.deepEqual(others, []);
      assert.equal(operation?.action, "apply_config");
      assert.deepEqual([operation.branch_id, operation.endpoint_id], [branchId, endpointId]);
      const { database } = response.body;
      assert.deepEqual([database.name, database.owner_name, database.branch_id], ["shop", "app", branchId]);
      await settled();
      assert.deepEqual((await call("GET", "/shop")).body.database, database);
      const all = (await call("GET")).body.databases;
      assert.deepEqual(all.at(-1), database);
      assert.equal(new Set(all.map(({ id }) => id)).size, 2);
      assert.equal(await uriStatus("shop"), 200);
    });

    it("starts an idle compute and suspends it again", async () => {
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      const response = await create({ name: "shop", owner_name: "app" });
      assert.deepEqual(actionsOf(response), ["apply_config", "suspend_compute"]);
      const { body } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.equal(body.endpoint.current_state, "idle");
    });

    it("needs no operation on a branch without a compute", async () => {
      const { branch } = await child({});
      const response = await create({ name: "shop", owner_name: "neondb_owner" }, branch.id);
      assert.deepEqual([response.status, actionsOf(response)], [201, []]);
      assert.deepEqual(await names(branch.id), ["neondb", "shop"]);
    });

    it("adds the database to its branch only, and new child branches get a copy", async () => {
      const { body } = await create({ name: "shop", owner_name: "app" });
      const own = (await child({ branch: { parent_id: branchId } })).branch.id;
      assert.deepEqual(await names(own), ["neondb", "shop"]);
      const copy = (await call("GET", "/shop", undefined, own)).body.database;
      assert.equal(copy.owner_name, "app");
      assert.notEqual(copy.id, body.database.id);
      assert.equal((await call("DELETE", "/shop", undefined, own)).status, 200);
      await settled();
      assert.deepEqual(await names(), ["neondb", "shop"]);
    });

    it("accepts any character in the name", async () => {
      for (const name of ["a/b", "50% off", "größe", "%2F", "a b?c#d&e=f", "名前", "'; drop"]) {
        const { status, body } = await create({ name, owner_name: "app" });
        assert.equal(status, 201, body.message);
        const path = `/${encodeURIComponent(name)}`;
        assert.equal((await call("GET", path)).body.database.name, name);
        assert.equal(await uriStatus(name), 200);
        const moved = await change(encodeURIComponent(name), { name: `${name}/2` });
        assert.equal(moved.body.database.name, `${name}/2`);
        assert.equal((await call("DELETE", `/${encodeURIComponent(`${name}/2`)}`)).status, 200);
        await settled();
      }
    });

    for (const [what, database, status, message] of [
      ["no name", { owner_name: "app" }, 400, /database\.name/],
      ["no owner", { name: "shop" }, 400, /database\.owner_name/],
      ["an empty name", { name: "", owner_name: "app" }, 400, /database\.name/],
      ["a name of 64 bytes", { name: "é".repeat(32), owner_name: "app" }, 400, /63 bytes/],
      ["a name in use", { name: "neondb", owner_name: "app" }, 409, /"neondb" already exists/],
      ["an unknown owner", { name: "shop", owner_name: "nobody" }, 422, /role "nobody".* does not exist/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        assertError(await create(database), status, message);
        assert.deepEqual(await names(), ["neondb"]);
      });
    }

    it("reports 404 on an unknown branch", async () => {
      assertError(await create({ name: "shop", owner_name: "app" }, "br-no-such-1"), 404, /branch not found/);
    });

    it("rejects more than 500 databases on a branch", async () => {
      const { branch } = await child({});
      for (let index = 1; index < 500; index += 1) {
        const database = { name: `shop-${index}`, owner_name: "neondb_owner" };
        assert.equal((await call("POST", "", { database }, branch.id)).status, 201);
      }
      const oneMore = { name: "one-more", owner_name: "neondb_owner" };
      assertError(await create(oneMore, branch.id), 422, /limit of 500 databases/, "DATABASES_LIMIT_EXCEEDED");
      assert.equal((await call("DELETE", "/shop-7", undefined, branch.id)).status, 200);
      assert.equal((await create(oneMore, branch.id)).status, 201);
    });
  });

  describe("update", () => {
    it("to another name changes the path and keeps the id", async () => {
      const { body: created } = await create({ name: "shop", owner_name: "app" });
      const response = await change("shop", { name: "store" });
      assert.deepEqual([response.status, actionsOf(response)], [200, ["apply_config"]]);
      const { updated_at, ...now } = response.body.database;
      const { updated_at: before, ...was } = created.database;
      assert.deepEqual(now, { ...was, name: "store" });
      assert.ok(updated_at > before);
      assert.equal((await call("GET", "/shop")).status, 404);
      assert.deepEqual((await call("GET", "/store")).body.database, response.body.database);
      assert.deepEqual([await uriStatus("shop"), await uriStatus("store")], [404, 200]);
    });

    it("changes the owner, and both name and owner", async () => {
      await create({ name: "shop", owner_name: "app" });
      assert.equal((await change("shop", { owner_name: "neondb_owner" })).body.database.owner_name, "neondb_owner");
      const { database } = (await change("shop", { name: "store", owner_name: "app" })).body;
      assert.deepEqual([database.name, database.owner_name], ["store", "app"]);
    });

    it("applies the current values again, and does nothing without values", async () => {
      await create({ name: "shop", owner_name: "app" });
      assert.deepEqual(actionsOf(await change("shop", { name: "shop", owner_name: "app" })), ["apply_config"]);
      assert.deepEqual(actionsOf(await change("shop", {})), []);
    });

    it("keeps the requested values even if the operation fails", async () => {
      await create({ name: "shop", owner_name: "app" });
      await platform().fault({ action: "apply_config", end: "error" });
      await change("shop", { name: "store" });
      assert.deepEqual(await names(), ["neondb", "store"]);
    });

    for (const [what, database, status, message] of [
      ["a name in use", { name: "neondb" }, 409, /"neondb" already exists/],
      ["an unknown owner", { owner_name: "nobody" }, 422, /role "nobody".* does not exist/],
      ["an empty name", { name: "" }, 400, /database\.name/],
      ["a name of 64 bytes", { name: "x".repeat(64) }, 400, /63 bytes/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        const { body } = await create({ name: "shop", owner_name: "app" });
        assertError(await change("shop", database), status, message);
        assert.deepEqual((await call("GET", "/shop")).body.database, body.database);
      });
    }

    it("reports 404 for an unknown database", async () => {
      assertError(await change("nothing", { name: "something" }), 404, /database not found/);
    });
  });

  describe("delete", () => {
    it("hides the database at once and then returns 204", async () => {
      await create({ name: "shop", owner_name: "app" });
      const response = await call("DELETE", "/shop");
      assert.deepEqual([response.status, actionsOf(response)], [200, ["apply_config"]]);
      assert.equal(response.body.database.name, "shop");
      assert.equal((await call("GET", "/shop")).status, 404);
      assert.equal((await call("DELETE", "/shop")).status, 204);
      await settled();
      assert.equal((await call("DELETE", "/nothing")).status, 204);
      assert.equal((await call("DELETE", "/nothing", undefined, "br-no-such-1")).status, 404);
      assert.equal((await create({ name: "shop", owner_name: "app" })).status, 201);
    });

    it("makes the database visible again when the operation fails", async () => {
      const { body } = await create({ name: "shop", owner_name: "app" });
      await platform().fault({ action: "apply_config", end: "cancelled" });
      await call("DELETE", "/shop");
      await settled();
      assert.deepEqual((await call("GET", "/shop")).body.database, body.database);
    });
  });

  it("create, update and delete report 423 while operations of the project are in progress", async () => {
    await create({ name: "shop", owner_name: "app" });
    const other = (await child({})).branch.id;
    await platform().fault({ action: "start_compute", end: "stuck" });
    await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/restart`);
    const input = { database: { name: "stock", owner_name: "neondb_owner" } };
    for (const branch of [branchId, other])
      assertError(await call("POST", "", input, branch), 423, /conflicting operations/);
    assertError(await call("PATCH", "/shop", { database: { name: "store" } }), 423, /conflicting operations/);
    assertError(await call("DELETE", "/shop"), 423, /conflicting operations/);
    await platform().clearFaults();
    await settled();
    assert.deepEqual(await names(), ["neondb", "shop"]);
  });
});
