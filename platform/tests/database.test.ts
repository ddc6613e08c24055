import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "mocha";
import { suitePlatform, type Answer } from "../../tests/support/platform";

describe("platform: databases", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let projectId: string;
  /** A branch with an active compute, and with a role `app` beside the first one. */
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
  const child = async (asked: object) => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, asked);
    await settled();
    return body;
  };
  const call = (method: string, path = "", body?: unknown, branch = branchId) =>
    platform().call(method, `/projects/${projectId}/branches/${branch}/databases${path}`, body);
  const create = async (database: object, branch = branchId): Promise<Answer> => {
    const answer = await call("POST", "", { database }, branch);
    await settled();
    return answer;
  };
  const change = async (name: string, database: object): Promise<Answer> => {
    const answer = await call("PATCH", `/${name}`, { database });
    await settled();
    return answer;
  };
  const names = async (branch = branchId) =>
    (await call("GET", "", undefined, branch)).body.databases.map(({ name }) => name);
  const actions = ({ body }: Answer) => body.operations.map(({ action }) => action);
  const refused = ({ status, body }: Answer, expected: number, message: RegExp, code = "") => {
    assert.equal(status, expected);
    assert.match(body.message, message);
    assert.equal(body.code, code);
  };
  const uriStatus = async (database: string): Promise<number> => {
    const query = `database_name=${encodeURIComponent(database)}&role_name=app&branch_id=${branchId}`;
    return (await platform().call("GET", `/projects/${projectId}/connection_uri?${query}`)).status;
  };

  describe("a new one", () => {
    it("belongs to its owner, by one operation", async () => {
      const answer = await call("POST", "", { database: { name: "shop", owner_name: "app" } });
      assert.equal(answer.status, 201);
      const [operation, ...others] = answer.body.operations;
      assert.deepEqual(others, []);
      assert.equal(operation?.action, "apply_config");
      assert.deepEqual([operation.branch_id, operation.endpoint_id], [branchId, endpointId]);
      const { database } = answer.body;
      assert.deepEqual([database.name, database.owner_name, database.branch_id], ["shop", "app", branchId]);
      await settled();
      assert.deepEqual((await call("GET", "/shop")).body.database, database);
      const all = (await call("GET")).body.databases;
      assert.deepEqual(all.at(-1), database);
      assert.equal(new Set(all.map(({ id }) => id)).size, 2);
      assert.equal(await uriStatus("shop"), 200);
    });

    it("wakes a compute that rests, which rests again afterwards", async () => {
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      const answer = await create({ name: "shop", owner_name: "app" });
      assert.deepEqual(actions(answer), ["apply_config", "suspend_compute"]);
      const { body } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.equal(body.endpoint.current_state, "idle");
    });

    it("on a branch without a compute needs no operation", async () => {
      const { branch } = await child({});
      const answer = await create({ name: "shop", owner_name: "neondb_owner" }, branch.id);
      assert.deepEqual([answer.status, actions(answer)], [201, []]);
      assert.deepEqual(await names(branch.id), ["neondb", "shop"]);
    });

    it("belongs to its branch alone, and is copied to what branches from that", async () => {
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

    it("may hold any character in its name, and is found by it", async () => {
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
      ["a name that is taken", { name: "neondb", owner_name: "app" }, 409, /"neondb" already exists/],
      ["an owner that is not there", { name: "shop", owner_name: "nobody" }, 422, /role "nobody".* does not exist/],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        refused(await create(database), status, message);
        assert.deepEqual(await names(), ["neondb"]);
      });
    }

    it("is refused on a branch that is not there", async () => {
      refused(await create({ name: "shop", owner_name: "app" }, "br-no-such-1"), 404, /branch not found/);
    });

    it("is refused beyond 500 on a branch, with the code of that limit", async () => {
      const { branch } = await child({});
      for (let index = 1; index < 500; index += 1) {
        const database = { name: `shop-${index}`, owner_name: "neondb_owner" };
        assert.equal((await call("POST", "", { database }, branch.id)).status, 201);
      }
      const oneMore = { name: "one-more", owner_name: "neondb_owner" };
      refused(await create(oneMore, branch.id), 422, /limit of 500 databases/, "DATABASES_LIMIT_EXCEEDED");
      assert.equal((await call("DELETE", "/shop-7", undefined, branch.id)).status, 200);
      assert.equal((await create(oneMore, branch.id)).status, 201);
    });
  });

  describe("changing one", () => {
    it("to another name moves its address and keeps its id", async () => {
      const { body: made } = await create({ name: "shop", owner_name: "app" });
      const answer = await change("shop", { name: "store" });
      assert.deepEqual([answer.status, actions(answer)], [200, ["apply_config"]]);
      const { updated_at, ...now } = answer.body.database;
      const { updated_at: before, ...was } = made.database;
      assert.deepEqual(now, { ...was, name: "store" });
      assert.ok(updated_at > before);
      assert.equal((await call("GET", "/shop")).status, 404);
      assert.deepEqual((await call("GET", "/store")).body.database, answer.body.database);
      assert.deepEqual([await uriStatus("shop"), await uriStatus("store")], [404, 200]);
    });

    it("to another owner, or to both at once", async () => {
      await create({ name: "shop", owner_name: "app" });
      assert.equal((await change("shop", { owner_name: "neondb_owner" })).body.database.owner_name, "neondb_owner");
      const { database } = (await change("shop", { name: "store", owner_name: "app" })).body;
      assert.deepEqual([database.name, database.owner_name], ["store", "app"]);
    });

    it("to what it is applies that again, and to nothing does nothing", async () => {
      await create({ name: "shop", owner_name: "app" });
      assert.deepEqual(actions(await change("shop", { name: "shop", owner_name: "app" })), ["apply_config"]);
      assert.deepEqual(actions(await change("shop", {})), []);
    });

    it("keeps what was asked for, even if applying it fails", async () => {
      await create({ name: "shop", owner_name: "app" });
      await platform().fault({ action: "apply_config", end: "error" });
      await change("shop", { name: "store" });
      assert.deepEqual(await names(), ["neondb", "store"]);
    });

    for (const [what, database, status, message] of [
      ["a name that is taken", { name: "neondb" }, 409, /"neondb" already exists/],
      ["an owner that is not there", { owner_name: "nobody" }, 422, /role "nobody".* does not exist/],
      ["an empty name", { name: "" }, 400, /database\.name/],
      ["a name of 64 bytes", { name: "x".repeat(64) }, 400, /63 bytes/],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        const { body } = await create({ name: "shop", owner_name: "app" });
        refused(await change("shop", database), status, message);
        assert.deepEqual((await call("GET", "/shop")).body.database, body.database);
      });
    }

    it("that is not there is refused", async () => {
      refused(await change("nothing", { name: "something" }), 404, /database not found/);
    });
  });

  describe("deleting one", () => {
    it("takes it away at once, and answers 204 from then on", async () => {
      await create({ name: "shop", owner_name: "app" });
      const answer = await call("DELETE", "/shop");
      assert.deepEqual([answer.status, actions(answer)], [200, ["apply_config"]]);
      assert.equal(answer.body.database.name, "shop");
      assert.equal((await call("GET", "/shop")).status, 404);
      assert.equal((await call("DELETE", "/shop")).status, 204);
      await settled();
      assert.equal((await call("DELETE", "/nothing")).status, 204);
      assert.equal((await call("DELETE", "/nothing", undefined, "br-no-such-1")).status, 404);
      assert.equal((await create({ name: "shop", owner_name: "app" })).status, 201);
    });

    it("that ends badly leaves it there", async () => {
      const { body } = await create({ name: "shop", owner_name: "app" });
      await platform().fault({ action: "apply_config", end: "cancelled" });
      await call("DELETE", "/shop");
      await settled();
      assert.deepEqual((await call("GET", "/shop")).body.database, body.database);
    });
  });

  it("are not changed while other operations of the project run, with a compute or without", async () => {
    await create({ name: "shop", owner_name: "app" });
    const other = (await child({})).branch.id;
    await platform().fault({ action: "start_compute", end: "stuck" });
    await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/restart`);
    const asked = { database: { name: "stock", owner_name: "neondb_owner" } };
    for (const branch of [branchId, other])
      refused(await call("POST", "", asked, branch), 423, /conflicting operations/);
    refused(await call("PATCH", "/shop", { database: { name: "store" } }), 423, /conflicting operations/);
    refused(await call("DELETE", "/shop"), 423, /conflicting operations/);
    await platform().clearFaults();
    await settled();
    assert.deepEqual(await names(), ["neondb", "shop"]);
  });
});
