import type { Database, Role } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { type Answer, type AnswerBody } from "../support/platform";
import { isEnded } from "../../api/operations/status";
import { suiteComputes } from "./support/project";
import { actionsOf, assertError, assertMembers, namesOf, rowsOf } from "./support/responses";

/** A kind of named objects on a branch: roles or databases. */
interface Kind {
  readonly path: "roles" | "databases";
  /** The one that is created with the project. */
  readonly first: string;
  readonly input: (name: string) => object;
  /** A request below the object that changes it. */
  readonly change: readonly [method: string, path: string, body?: object];
  readonly of: (body: AnswerBody) => Role | Database;
  readonly all: (body: AnswerBody) => (Role | Database)[];
}

const role = (members: object): object => ({ role: members });
const database = (members: object): object => ({ database: { name: "shop", owner_name: "neondb_owner", ...members } });
const kinds: Readonly<Record<"role" | "database", Kind>> = {
  role: {
    path: "roles",
    first: "neondb_owner",
    input: (name) => role({ name }),
    change: ["POST", "/reset_password"],
    of: (body) => body.role,
    all: (body) => body.roles,
  },
  database: {
    path: "databases",
    first: "neondb",
    input: (name) => database({ name }),
    change: ["PATCH", "", { database: { name: "renamed" } }],
    of: (body) => body.database,
    all: (body) => body.databases,
  },
};

describe("local platform: roles and databases", () => {
  const { platform, finish, project, whileStuck, own } = suiteComputes();
  const pathOf = (path: string, branch = own.branchId) => `/branches/${branch}${path}`;
  const call = (method: string, path: string, body?: unknown, branch?: string) =>
    own.fixture.call(method, pathOf(path, branch), body);
  /** Sends a request and lets the operations finish. */
  const send = (method: string, path: string, body?: unknown, branch?: string): Promise<Answer> =>
    own.fixture.send(method, pathOf(path, branch), body);
  const newBranch = async (input?: object) => (await own.fixture.branch(input)).branch.id;
  const uri = (name: string, roleName: string) => {
    const query = new URLSearchParams({ database_name: name, role_name: roleName, branch_id: own.branchId });
    return own.fixture.call("GET", `/connection_uri?${query.toString()}`);
  };
  const suspend = () => own.fixture.done("POST", `/endpoints/${own.endpointId}/suspend`);

  for (const [what, { path, first, input, change, of, all }] of Object.entries(kinds)) {
    describe(what, () => {
      const create = (name: string, branch?: string) => send("POST", `/${path}`, input(name), branch);
      const names = async (branch?: string) => namesOf(all((await call("GET", `/${path}`, undefined, branch)).body));
      const read = (name: string) => call("GET", `/${path}/${name}`);

      it("create needs one operation, and get and list return the object [1.5 apply config]", async () => {
        const { status, body } = await create("app");
        assert.equal(status, 201);
        assert.deepEqual(rowsOf(body.operations, "action", "branch_id", "endpoint_id"), [
          ["apply_config", own.branchId, own.endpointId],
        ]);
        const { password: _password, ...shown } = of(body) as Role;
        assertMembers(shown, { name: "app", branch_id: own.branchId });
        assert.deepEqual(of((await read("app")).body), shown);
        assert.deepEqual(all((await call("GET", `/${path}`)).body).at(-1), shown);
        assert.deepEqual(await names(), [first, "app"]);
        assert.equal((await own.fixture.getEndpoint(own.endpointId)).current_state, "active");
      });

      it("create starts an idle compute and suspends it again", async () => {
        await suspend();
        const { suspended_at = "" } = await own.fixture.getEndpoint(own.endpointId);
        await whileStuck("apply_config", async () => {
          assert.deepEqual(actionsOf(await create("app")), ["apply_config", "suspend_compute"]);
          assertMembers(await own.fixture.getEndpoint(own.endpointId), {
            current_state: "idle",
            pending_state: "active",
          });
        });
        const { current_state, pending_state, started_at } = await own.fixture.getEndpoint(own.endpointId);
        assert.deepEqual([current_state, pending_state], ["idle", undefined]);
        assert.ok((started_at ?? "") > suspended_at);
      });

      it("create, changes and delete need a read-write compute, which a replica is not", async () => {
        await create("app");
        await own.fixture.done("DELETE", `/endpoints/${own.endpointId}`);
        await own.fixture.done("POST", "/endpoints", { endpoint: { branch_id: own.branchId, type: "read_only" } });
        const shown = (await read("app")).body;
        const [method, ofOne, body] = change;
        for (const response of [
          await create("another"),
          await send(method, `/${path}/app${ofOne}`, body),
          await send("DELETE", `/${path}/app`),
        ]) {
          assertError(response, 412, new RegExp(`^create a read-write endpoint to manage ${path} on this branch$`));
        }
        assert.deepEqual(await names(), [first, "app"]);
        assert.deepEqual((await read("app")).body, shown);
      });

      it("create changes its branch only, and new child branches get a copy", async () => {
        await create("app");
        assert.deepEqual(await names(await newBranch()), [first]);
        const child = await newBranch({ branch: { parent_id: own.branchId }, endpoints: [{ type: "read_write" }] });
        assert.deepEqual(await names(child), [first, "app"]);
        assert.equal((await send("DELETE", `/${path}/app`, undefined, child)).status, 200);
        assert.deepEqual(await names(), [first, "app"]);
      });

      it("create accepts any character in the name", async () => {
        for (const name of ["a/b", "50% off", "größe", "%2F", "a b?c#d&e=f", "名前", "'; drop", "..."]) {
          const { status, body } = await create(name);
          assert.equal(status, 201, body.message);
          const encoded = encodeURIComponent(name);
          assert.equal(of((await read(encoded)).body).name, name);
          const told = await (what === "role" ? uri("neondb", name) : uri(name, "neondb_owner"));
          const { username, pathname } = new URL(told.body.uri);
          assert.equal(decodeURIComponent(what === "role" ? username : pathname.slice(1)), name);
          if (what === "role") {
            const { password } = (await send("POST", `/roles/${encoded}/reset_password`)).body.role;
            assert.equal((await call("GET", `/roles/${encoded}/reveal_password`)).body.password, password);
          } else {
            await send("PATCH", `/databases/${encoded}`, { database: { name: `${name}/2` } });
            await send("PATCH", `/databases/${encodeURIComponent(`${name}/2`)}`, { database: { name } });
          }
          assert.equal(of((await send("DELETE", `/${path}/${encoded}`)).body).name, name);
          assert.equal((await read(encoded)).status, 404);
        }
      });

      it("create accepts a name of 63 bytes, and rejects a longer one", async () => {
        assertError(await create("é".repeat(32)), 400, /63 bytes/);
        assert.equal((await create(`${"é".repeat(31)}x`)).status, 201);
      });

      it("create rejects more than 500 on a branch", async () => {
        for (let index = 1; index < 500; index += 1) {
          assert.equal((await create(`one-${index}`)).status, 201);
        }
        const code = `${path.toUpperCase()}_LIMIT_EXCEEDED`;
        assertError(await create("one-more"), 422, new RegExp(`^${path} limit exceeded`), code);
        assert.equal((await send("DELETE", `/${path}/one-7`)).status, 200);
        assert.equal((await create("one-more")).status, 201);
      });

      it("delete hides the object at once and then returns 204 [1.5 apply config]", async () => {
        await create("app");
        await whileStuck("apply_config", async () => {
          const response = await call("DELETE", `/${path}/app`);
          assert.deepEqual([response.status, actionsOf(response)], [200, ["apply_config"]]);
          assert.equal(of(response.body).name, "app");
          assert.equal((await read("app")).status, 404);
          assert.deepEqual(await names(), [first]);
          for (const name of ["app", "nothing"]) assert.equal((await call("DELETE", `/${path}/${name}`)).status, 204);
          // The name stays in use until the deletion has finished.
          assertError(await call("POST", `/${path}`, input("app")), 423, /conflicting operations/);
        });
        assert.equal((await create("app")).status, 201);
      });

      for (const end of ["error", "cancelled"]) {
        it(`delete makes the object visible again when the operation ends as ${end}`, async () => {
          await create("app");
          const { body } = await read("app");
          await platform().fault({ action: "apply_config", end });
          await send("DELETE", `/${path}/app`);
          assert.deepEqual((await read("app")).body, body);
        });
      }

      it("requests report 404 for an unknown branch or object", async () => {
        assertError(await create("app", "br-no-such-1"), 404, /branch not found/);
        assertError(await call("DELETE", `/${path}/app`, undefined, "br-no-such-1"), 404, /branch not found/);
        assertError(await read("nothing"), 404, new RegExp(`${what} not found`));
      });
    });
  }

  for (const [name, status, message] of [
    ["pgapp", 422, /"pgapp" is reserved/],
    ["neon_superuser", 422, /reserved/],
    ["neondb_owner", 409, /"neondb_owner" already exists/],
  ] as const) {
    it(`a role cannot be called ${name}`, async () => {
      assertError(await call("POST", "/roles", role({ name })), status, message);
    });
  }

  describe("passwords of roles", () => {
    const create = async (members: object = {}) =>
      (await send("POST", "/roles", role({ name: "app", ...members }))).body.role;
    const reveal = (branch?: string) => call("GET", "/roles/app/reveal_password", undefined, branch);
    const password = async (branch?: string) => (await reveal(branch)).body.password;
    const uriPassword = async () => new URL((await uri("neondb", "app")).body.uri).password;
    const reset = () => call("POST", "/roles/app/reset_password");

    it("do not exist for a role with no_login", async () => {
      const made = await create({ no_login: true });
      assertMembers(made, { authentication_method: "no_login", password: undefined });
      for (const response of [await reveal(), await reset()]) assertError(response, 422, /"app" cannot log in/);
    });

    it("are replaced by reset_password when the operation has finished [1.5 apply config]", async () => {
      const made = await create();
      let changed = made;
      await whileStuck("apply_config", async () => {
        const response = await reset();
        assert.deepEqual([response.status, actionsOf(response)], [200, ["apply_config"]]);
        changed = response.body.role;
        assert.notEqual(changed.password, made.password);
        assert.ok(changed.updated_at > made.updated_at);
        assert.equal(changed.created_at, made.created_at);
        assert.deepEqual([await password(), await uriPassword()], [made.password, made.password]);
      });
      assert.deepEqual([await password(), await uriPassword()], [changed.password, changed.password]);
    });

    it("are replaced after the last of several operations", async () => {
      const made = await create();
      await suspend();
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      const response = await reset();
      assert.deepEqual(actionsOf(response), ["apply_config", "suspend_compute"]);
      finish();
      const { operation } = (await own.fixture.call("GET", `/operations/${response.body.operations[0]?.id ?? ""}`))
        .body;
      assert.ok(isEnded(operation.status));
      assert.equal(await password(), made.password);
      await platform().clearFaults();
      finish();
      assert.equal(await password(), response.body.role.password);
    });

    for (const end of ["error", "cancelled"]) {
      it(`stay the same if the operation of reset_password ends as ${end}`, async () => {
        const made = await create();
        await platform().fault({ action: "apply_config", end });
        await reset();
        finish();
        assert.equal(await password(), made.password);
      });
    }

    it("are only returned by the creation and a reset if the project does not store them", async () => {
      const { main, call: ask, done } = await project({ store_passwords: false });
      const path = `/branches/${main.id}/roles`;
      const { role: made } = await done("POST", path, role({ name: "app" }));
      const { role: changed } = await done("POST", `${path}/app/reset_password`);
      for (const { password: told } of [made, changed]) assert.match(told ?? "", /^npg_/);
      assert.notEqual(changed.password, made.password);
      assertError(await ask("GET", `${path}/app/reveal_password`), 412, /"app" is not stored/);
      const query = `branch_id=${main.id}&role_name=app&database_name=neondb`;
      assertError(await ask("GET", `/connection_uri?${query}`), 412, /not stored/);
    });
  });

  describe("owners of databases", () => {
    const create = async () => {
      await send("POST", "/roles", role({ name: "app" }));
      return (await send("POST", "/databases", database({ owner_name: "app" }))).body.database;
    };
    const update = (members: object) => send("PATCH", "/databases/shop", { database: members });
    const uriStatus = async (name: string) => (await uri(name, "app")).status;

    it("are copied to child branches with new ids of their databases", async () => {
      const made = await create();
      const child = await newBranch({ branch: { parent_id: own.branchId } });
      const { database: copy } = (await call("GET", "/databases/shop", undefined, child)).body;
      assert.equal(copy.owner_name, "app");
      assert.notEqual(copy.id, made.id);
    });

    it("stay when the name of the database changes, and so does its id [1.5 apply config]", async () => {
      const { updated_at: before, ...was } = await create();
      const response = await update({ name: "store" });
      assert.deepEqual([response.status, actionsOf(response)], [200, ["apply_config"]]);
      const { updated_at, ...now } = response.body.database;
      assert.deepEqual(now, { ...was, name: "store" });
      assert.ok(updated_at > before);
      assert.equal((await call("GET", "/databases/shop")).status, 404);
      assert.deepEqual((await call("GET", "/databases/store")).body.database, response.body.database);
      assert.deepEqual([await uriStatus("shop"), await uriStatus("store")], [404, 200]);
    });

    it("change, alone and together with the name", async () => {
      await create();
      assert.equal((await update({ owner_name: "neondb_owner" })).body.database.owner_name, "neondb_owner");
      assertMembers((await update({ name: "store", owner_name: "app" })).body.database, {
        name: "store",
        owner_name: "app",
      });
    });

    it("are applied again with the current values, and nothing is done without values", async () => {
      await create();
      assert.deepEqual(actionsOf(await update({ name: "shop", owner_name: "app" })), ["apply_config"]);
      assert.deepEqual(actionsOf(await update({})), []);
    });

    it("and names keep the requested values even if the operation fails", async () => {
      await create();
      await platform().fault({ action: "apply_config", end: "error" });
      await update({ name: "store", owner_name: "neondb_owner" });
      assert.equal((await call("GET", "/databases/store")).body.database.owner_name, "neondb_owner");
    });

    for (const [what, members, status, message, code] of [
      ["a name in use", { name: "neondb" }, 409, /"neondb" already exists/, "DATABASE_ALREADY_EXISTS"],
      ["an unknown owner", { owner_name: "nobody" }, 422, /owner not found; role_name:"nobody"/],
    ] as const) {
      it(`do not change in an update with ${what}`, async () => {
        const made = await create();
        assertError(await update(members), status, message, code);
        assert.deepEqual((await call("GET", "/databases/shop")).body.database, made);
      });
    }

    it("cannot be deleted, and the error names their databases", async () => {
      await create();
      await send("POST", "/databases", database({ name: "stock", owner_name: "app" }));
      assertError(await call("DELETE", "/roles/app"), 422, /role "app" owns "shop", "stock"/);
      for (const name of ["shop", "stock"]) {
        await send("PATCH", `/databases/${name}`, { database: { owner_name: "neondb_owner" } });
      }
      assert.equal((await send("DELETE", "/roles/app")).status, 200);
    });

    it("are not found for an unknown database", async () => {
      assertError(await update({ name: "something" }), 404, /database not found/);
    });
  });
});
