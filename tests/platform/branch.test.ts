import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../support/platform";
import { type ProjectFixture, suiteProjects } from "./support/project";
import { actionsOf, assertError, assertMembers, namesOf, pagesOf, rowsOf } from "./support/responses";
import { day, second } from "./support/time";

describe("local platform: branches", () => {
  const { clock, platform, finish, project, time } = suiteProjects();
  let fixture: ProjectFixture;
  before(async () => {
    fixture = await project();
  });
  const call = (method: string, path = "", body?: unknown) => fixture.call(method, `/branches${path}`, body);
  const create = (members: object = {}) => call("POST", "", { branch: members });
  /** Creates a branch and lets the operations finish. */
  const made = async (members: object = {}) => (await fixture.branch({ branch: members })).branch;
  const update = (id: string, members: object) => call("PATCH", `/${id}`, { branch: members });
  const get = async (id: string) => (await call("GET", `/${id}`)).body.branch;
  const remove = (id: string, query = "") => fixture.send("DELETE", `/branches/${id}${query}`);

  describe("create", () => {
    it("without a body creates a child of the default branch, without a compute, named after its id [1.12.6]", async () => {
      const { created } = fixture;
      const response = await call("POST");
      finish();
      assert.equal(response.status, 201);
      const { branch, endpoints, roles } = response.body;
      assert.equal(branch.name, branch.id);
      assert.equal(branch.parent_id, created.branch.id);
      assert.match(branch.parent_lsn ?? "", /^0\/[0-9A-F]+$/);
      assert.equal(branch.default, false);
      assert.deepEqual(endpoints, []);
      const revealed = await call("GET", `/${branch.id}/roles/${roles[0]?.name ?? ""}/reveal_password`);
      assert.equal(revealed.body.password, created.roles[0]?.password);
      assert.equal(response.body.connection_uris, undefined);
    });

    it("creates the requested compute and returns the connection URI [1.1.4; 1.4 operation.branch_id; 1.4 operation.endpoint_id; 1.5 create branch; 1.5 action values; 1.6 first statuses]", async () => {
      const { branch, endpoints, connection_uris, operations } = await fixture.branch({
        endpoints: [{ type: "read_write", autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 1 }],
      });
      assert.equal(endpoints[0]?.autoscaling_limit_min_cu, 0.5);
      assert.equal(endpoints[0].pending_state, "active");
      const hosts = connection_uris.map(({ connection_parameters: { host } }) => host);
      assert.deepEqual(hosts, [endpoints[0].host]);
      assert.deepEqual(rowsOf(operations, "action", "status", "branch_id", "endpoint_id"), [
        ["create_branch", "running", branch.id, undefined],
        ["timeline_update_protected_config", "scheduling", branch.id, undefined],
        ["start_compute", "scheduling", branch.id, endpoints[0].id],
      ]);
    });

    it("accepts an earlier point in the parent's history", async () => {
      assert.equal((await made({ parent_lsn: "0/1DE2850" })).parent_lsn, "0/1DE2850");
      assertError(await create({ parent_timestamp: time(day) }), 400, /future/);
      assertError(await create({ parent_timestamp: time(-3 * day) }), 422, /history/);
    });

    it("with init_source schema-only creates a root branch", async () => {
      const branch = await made({ init_source: "schema-only" });
      assertMembers(branch, { parent_id: undefined, init_source: "schema-only" });
    });

    it("with archived creates an archived branch [1.5 timeline archive; 1.5 timeline unarchive]", async () => {
      const { branch, operations } = await fixture.branch({ branch: { archived: true } });
      assert.ok(
        operations.some(({ action, branch_id }) => `${action} ${branch_id ?? ""}` === `timeline_archive ${branch.id}`),
      );
      assert.equal((await get(branch.id)).current_state, "archived");
      const endpoint = { branch_id: branch.id, type: "read_write" };
      const started = await fixture.send("POST", "/endpoints", { endpoint });
      assert.deepEqual(actionsOf(started), ["timeline_unarchive", "start_compute"]);
      assert.equal((await get(branch.id)).current_state, "ready");
    });

    it("of a protected parent creates new passwords", async () => {
      const { branch } = await fixture.branch({ branch: { protected: true } });
      const child = await fixture.branch({ branch: { parent_id: branch.id } });
      const passwordOn = async (id: string) =>
        (await call("GET", `/${id}/roles/neondb_owner/reveal_password`)).body.password;
      assert.notEqual(await passwordOn(child.branch.id), await passwordOn(branch.id));
      assert.match(await passwordOn(child.branch.id), /^npg_/);
    });

    it("rejects a parent that does not exist, expires or never became ready", async () => {
      assertError(await create({ parent_id: "br-no-such-one" }), 404, /branch not found/);
      const expiring = await made({ expires_at: time(day) });
      assertError(await create({ parent_id: expiring.id }), 422, /expires/);
      await platform().fault({ action: "create_branch", end: "error" });
      assertError(await create({ parent_id: (await made()).id }), 422, /not ready yet/);
    });

    it("and update reject a sixth protected branch and a 26th root branch", async () => {
      const other = await project();
      const root = { branch: { init_source: "schema-only" } };
      const protect = { branch: { protected: true } };
      for (let count = 0; count < 5; count += 1) await other.branch(protect);
      const { branch: sixth } = await other.branch();
      for (const [method, path] of [
        ["PATCH", `/branches/${sixth.id}`],
        ["POST", "/branches"],
      ] as const) {
        const rejected = await other.call(method, path, protect);
        assertError(rejected, 422, /protected branches limit exceeded/, "BRANCHES_PROTECTED_LIMIT_EXCEEDED");
      }
      for (let roots = 1; roots < 25; roots += 1) await other.branch(root);
      const { status, body } = await other.call("POST", "/branches", root);
      assert.deepEqual([status, body.code], [422, "ROOT_BRANCHES_LIMIT_EXCEEDED"]);
    });
  });

  describe("update", () => {
    it("changes name and protection without an operation", async () => {
      const before = await made();
      const response = await update(before.id, { name: "new name", protected: true });
      assert.deepEqual([response.status, actionsOf(response)], [200, []]);
      const { branch } = response.body;
      assertMembers(branch, { name: "new name", protected: true });
      assert.ok(branch.updated_at > before.updated_at);
      assertError(await update(branch.id, { name: "new name" }), 400, /same name/);
      assertError(await update(branch.id, { name: "main" }), 409, /"main"/, "BRANCH_ALREADY_EXISTS");
    });

    it("sets, keeps and clears the expiry", async () => {
      const { id } = await made();
      assertError(await update(id, { expires_at: "2999-01-01T00:00:00Z" }), 400, /at most 30 days/);
      const expires_at = time(2 * day);
      const { branch } = (await update(id, { expires_at })).body;
      assert.equal(branch.expires_at, expires_at);
      assert.ok(Math.abs((branch.ttl_interval_seconds ?? 0) - 2 * 86_400) <= 1);
      assert.equal((await update(id, { name: "kept" })).body.branch.expires_at, expires_at);
      assert.equal((await update(id, { expires_at: null })).body.branch.expires_at, undefined);
    });

    it("rejects an expiry in the past, and any expiry of protected, default and parent branches", async () => {
      const expires_at = time(day);
      const parent = await made();
      await made({ parent_id: parent.id });
      const guarded = await made({ protected: true });
      const expiring = await made({ expires_at });
      assertError(await update(parent.id, { expires_at: time(-day) }), 400, /future/);
      assertError(await update(parent.id, { expires_at }), 422, /children/);
      assertError(await update(fixture.main.id, { expires_at }), 422, /default/);
      assertError(await update(guarded.id, { expires_at }), 422, /protected/);
      assertError(await update(expiring.id, { protected: true }), 422, /protected/);
      assertError(await create({ protected: true, expires_at }), 422, /protected/);
    });
  });

  describe("delete", () => {
    it("suspends the compute, hides the branch and its computes at once, and then returns 204", async () => {
      const { branch, endpoints } = await fixture.branch({ endpoints: [{ type: "read_write" }] });
      const response = await call("DELETE", `/${branch.id}`);
      assert.deepEqual([response.status, actionsOf(response)], [200, ["suspend_compute", "delete_timeline"]]);
      for (const path of [
        `/branches/${branch.id}`,
        `/branches/${branch.id}/roles`,
        `/endpoints/${endpoints[0]?.id ?? ""}`,
      ]) {
        assert.equal((await fixture.call("GET", path)).status, 404, path);
      }
      finish();
      for (const id of [branch.id, "br-no-such-one"]) {
        assertMembers(await call("DELETE", `/${id}`), { status: 204, body: undefined });
      }
    });

    it("makes the branch visible again when the operation fails", async () => {
      const { branch } = await fixture.branch({ branch: { name: "phoenix" }, endpoints: [{ type: "read_write" }] });
      await platform().fault({ action: "delete_timeline", end: "error" });
      await call("DELETE", `/${branch.id}`);
      assertError(await update(fixture.main.id, { name: "phoenix" }), 409, /phoenix/, "BRANCH_ALREADY_EXISTS");
      finish();
      assert.equal((await get(branch.id)).name, "phoenix");
      assert.equal((await call("GET", `/${branch.id}/endpoints`)).body.endpoints[0]?.current_state, "idle");
    });

    it("allows recovery for 7 days unless it is a hard delete", async () => {
      const [soft, hard] = [await made(), await made()];
      await remove(soft.id);
      await remove(hard.id, "?hard_delete=true");
      const { branches } = (await call("GET", "?include_deleted=true")).body;
      assert.equal(branches.find(({ id }) => id === soft.id)?.recovery?.deletion_method, "user");
      assert.ok(!branches.some(({ id }) => id === hard.id));
      assert.ok(!(await call("GET")).body.branches.some(({ id }) => id === soft.id));
    });
  });

  describe("recover", () => {
    const recover = (id: string) => call("POST", `/${id}/recover`);

    it("restores a branch within 7 days, with its computes suspended and without an expiry", async () => {
      const { branch, endpoints } = await fixture.branch({
        branch: { name: "recovered", expires_at: time(day) },
        endpoints: [{ type: "read_write" }],
      });
      assertError(await recover(branch.id), 422, /not deleted/);
      await call("DELETE", `/${branch.id}`);
      assertError(await recover(branch.id), 423, /still in progress/);
      clock.advance(6 * day);
      const { status, body } = await recover(branch.id);
      assert.equal(status, 200);
      assert.deepEqual(rowsOf(body.endpoints, "id", "host", "current_state"), [
        [endpoints[0]?.id, endpoints[0]?.host, "idle"],
      ]);
      assertMembers(await get(branch.id), { name: "recovered", expires_at: undefined, recovery: undefined });
      clock.advance(2 * day);
      assert.equal((await get(branch.id)).id, branch.id);
    });

    it("rejects a branch whose name is in use, whose parent is deleted, or that was deleted over 7 days ago", async () => {
      const parent = await made({ name: "parent" });
      const child = await made({ name: "child", parent_id: parent.id });
      for (const { id } of [child, parent]) assert.equal((await remove(id)).status, 200);
      assertError(await recover(child.id), 422, /recover it first/);
      await made({ name: "parent" });
      assertError(await recover(parent.id), 409, /"parent"/, "BRANCH_ALREADY_EXISTS");
      clock.advance(8 * day);
      assertError(await recover(parent.id), 404, /branch not found/);
    });
  });

  describe("set_as_default", () => {
    const setDefault = (id: string) => call("POST", `/${id}/set_as_default`);

    it("makes the previous default branch an ordinary one", async () => {
      const { main } = fixture;
      const { id } = await made();
      const response = await setDefault(id);
      assert.deepEqual([response.status, actionsOf(response)], [200, []]);
      const { branch } = response.body;
      assertMembers(branch, { id, default: true });
      assert.equal((await get(main.id)).default, false);
      assert.equal((await setDefault(id)).body.branch.updated_at, branch.updated_at);
      assertError(await remove(id), 422, /default/);
      assertError(await remove(main.id), 422, /root branch/);
      await setDefault(main.id);
    });

    it("rejects a branch that expires", async () => {
      assertError(await setDefault((await made({ expires_at: time(day) })).id), 422, /expires/);
    });
  });

  describe("schema and compare_schema", () => {
    it("return an empty schema, as SQL or JSON, at every point of the history", async () => {
      const { id } = await made();
      const schema = async (query: string) => (await call("GET", `/${id}/schema?${query}`)).body;
      const body = await schema("db_name=neondb");
      assert.match(body.sql, /^--\n-- PostgreSQL database dump\n/);
      assert.equal(body.json, undefined);
      assert.deepEqual(await schema("db_name=neondb&format=sql"), body);
      assert.deepEqual(await schema(`db_name=neondb&format=json&timestamp=${time()}`), { json: { tables: [] } });
      assert.deepEqual((await call("GET", `/${id}/compare_schema?db_name=neondb`)).body, { diff: "" });
    });

    it("reject a missing or unknown database, branch or point in the history", async () => {
      const { branch } = await fixture.branch({ endpoints: [{ type: "read_write" }] });
      const { id, parent_lsn: lsn = "" } = branch;
      for (const [query, status, message] of [
        ["", 400, /db_name/],
        ["db_name=nosuch", 404, /database not found/],
        [`db_name=neondb&lsn=${lsn}&timestamp=${time()}`, 400, /exclude each other/],
        ["db_name=neondb&lsn=7", 400, /lsn/],
        ["db_name=neondb&timestamp=2001-01-01T00:00:00Z", 422, /before the start of the history/],
      ] as const) {
        for (const route of ["schema", "compare_schema"]) {
          assertError(await call("GET", `/${id}/${route}?${query}`), status, message, "", `${route} ${query}`);
        }
      }
      const database = { name: "extra", owner_name: "neondb_owner" };
      await fixture.done("POST", `/branches/${id}/databases`, { database });
      for (const [path, status, message] of [
        [`/${id}/compare_schema?db_name=neondb&base_branch_id=br-no-such-one`, 404, /branch not found/],
        [`/${id}/compare_schema?db_name=neondb&base_timestamp=2001-01-01T00:00:00Z`, 422, /base_timestamp/],
        [`/${id}/compare_schema?db_name=extra`, 404, /database not found/],
        [`/${fixture.main.id}/compare_schema?db_name=neondb`, 400, /base_branch_id/],
      ] as const) {
        assertError(await call("GET", path), status, message, "", path);
      }
    });
  });

  it("an expired branch is deleted with its computes, after the operations in progress", async () => {
    const other = await project();
    const { branch } = await other.branch({
      branch: { expires_at: time(3600 * second) },
      endpoints: [{ type: "read_write" }],
    });
    const status = async () => (await other.call("GET", `/branches/${branch.id}`)).status;
    clock.advance(3600 * second - 20 * second);
    await platform().fault({ action: "create_branch", end: "stuck" });
    await other.branch();
    clock.advance(3600 * second);
    assert.equal(await status(), 200);
    await platform().clearFaults();
    clock.advance(second);
    assert.equal(await status(), 404);
    finish();
    const { branches } = (await other.call("GET", "/branches?include_deleted=true")).body;
    assert.equal(branches.find(({ id }) => id === branch.id)?.recovery?.deletion_method, "ttl");
  });

  it("a branch with a child that could not be deleted expires once the child is gone", async () => {
    const other = await project();
    const { branch: parent } = await other.branch();
    const { branch: child } = await other.branch({ branch: { parent_id: parent.id } });
    await platform().fault({ action: "delete_timeline", end: "error" });
    await other.call("DELETE", `/branches/${child.id}`);
    await other.call("PATCH", `/branches/${parent.id}`, { branch: { expires_at: time(60 * second) } });
    clock.advance(120 * second);
    assert.equal((await other.call("GET", `/branches/${parent.id}`)).status, 200);
    await other.send("DELETE", `/branches/${child.id}`);
    finish();
    assert.equal((await other.call("GET", `/branches/${parent.id}`)).status, 404);
  });
});

describe("local platform: list of branches", () => {
  const platform = suitePlatform({ operationTime: "0" });
  const names = ["delta", "Alpha", "charlie", "bravo", "echo"];
  let path: string;
  before(async () => {
    const { project } = await platform().project();
    path = `/projects/${project.id}/branches`;
    for (const name of names) {
      assert.equal((await platform().call("POST", path, { branch: { name } })).status, 201);
    }
  });
  const list = async (query: string) => (await platform().call("GET", `${path}${query}`)).body;
  const all = async (query: string, limit: number) => {
    const pages = await pagesOf(
      (cursor) => list(`?limit=${limit}&${query}${cursor}`),
      ({ pagination }) => pagination?.next,
    );
    return namesOf(pages.flatMap(({ branches }) => branches));
  };

  it("has the requested order across pages", async () => {
    const byAge = ["main", ...names];
    for (const limit of [1, 2, 4, 6, 10_000]) {
      assert.deepEqual(await all("sort_by=created_at&sort_order=asc", limit), byAge);
      assert.deepEqual(await all("sort_by=created_at", limit), [...byAge].reverse());
      assert.deepEqual(await all("sort_by=name&sort_order=asc", limit), [...byAge].sort());
      assert.deepEqual(new Set(await all("", limit)), new Set(byAge));
    }
  });

  it("is sorted by the latest change by default", async () => {
    const { branches } = await list("?search=delta");
    await platform().call("PATCH", `${path}/${branches[0]?.id ?? ""}`, { branch: { protected: true } });
    const { branches: after, pagination } = await list("?limit=1");
    assert.equal(after[0]?.name, "delta");
    assert.deepEqual({ ...pagination, next: "" }, { next: "", sort_by: "updated_at", sort_order: "DESC" });
  });

  it("finds and counts branches by a part of the name", async () => {
    assert.deepEqual(namesOf((await list("?search=ALPH")).branches), ["Alpha"]);
    assert.equal((await list("/count")).count, 6);
    assert.equal((await list("/count?search=a")).count, 5);
  });

  it("rejects a cursor of no list, and of a list in another order", async () => {
    const { pagination } = await list("?limit=1&sort_by=name");
    for (const cursor of ["AAAA", pagination?.next ?? ""]) {
      assertError(await platform().call("GET", `${path}?sort_by=created_at&cursor=${cursor}`), 400, /cursor/);
    }
  });
});
