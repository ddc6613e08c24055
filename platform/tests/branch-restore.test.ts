import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type Answer, type AnswerBody, startTestPlatform, type TestPlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

const second = 1000;
const day = 86_400 * second;

describe("platform: what becomes of a branch", () => {
  const clock = new ManualPlatformClock();
  let platform: TestPlatform;
  before(async () => {
    platform = await startTestPlatform({ clock, operationTime: "1s" });
  });
  after(async () => {
    await platform.close();
  });

  /** A project that is ready, and how its branches are talked to. */
  const project = async (asked: object = {}) => {
    const { body: created } = await platform.call("POST", "/projects", { project: asked });
    clock.advance(10 * second);
    const { id } = created.project;
    const call = (method: string, path = "", body?: unknown) =>
      platform.call(method, `/projects/${id}/branches${path}`, body);
    return {
      id,
      main: created.branch,
      call,
      /** Makes a branch that is ready. */
      branch: async (body: object = {}): Promise<AnswerBody> => {
        const answer = await call("POST", "", body);
        assert.equal(answer.status, 201, answer.body.message);
        clock.advance(10 * second);
        return answer.body;
      },
      get: async (branchId: string) => (await call("GET", `/${branchId}`)).body.branch,
      named: async (name: string) =>
        (await call("GET", `?search=${name}`)).body.branches.find((one) => one.name === name),
      actions: ({ body }: Answer) => body.operations.map(({ action, branch_id }) => `${action} ${branch_id ?? ""}`),
    };
  };
  const refused = ({ status, body }: Answer, expected: number, message: RegExp) => {
    assert.equal(status, expected, JSON.stringify(body));
    assert.match(body.message, message);
  };
  const now = () => new Date(clock.now()).toISOString();

  describe("restoring it", () => {
    it("from its parent takes the time of an operation, in which it is resetting and keeps where it began", async () => {
      const { id, main, call, branch, get, actions } = await project();
      const { branch: made, endpoints } = await branch({ endpoints: [{ type: "read_write" }] });
      const host = endpoints[0]?.host;
      clock.advance(60 * second);
      const answer = await call("POST", `/${made.id}/restore`, { source_branch_id: main.id });
      assert.equal(answer.status, 200);
      assert.deepEqual(actions(answer), [
        `suspend_compute ${made.id}`,
        `create_branch ${made.id}`,
        `start_compute ${made.id}`,
      ]);
      assert.equal(answer.body.branch.current_state, "resetting");
      assert.equal(answer.body.branch.pending_state, "ready");
      assert.equal(answer.body.branch.parent_lsn, made.parent_lsn);
      assert.equal(answer.body.branch.last_reset_at, undefined);
      refused(await call("POST", "", { branch: { parent_id: made.id } }), 423, /conflicting operations/);
      clock.advance(10 * second);

      const restored = await get(made.id);
      assert.equal(restored.current_state, "ready");
      assert.equal(restored.pending_state, undefined);
      assert.equal(restored.parent_id, main.id);
      assert.notEqual(restored.parent_lsn, made.parent_lsn);
      assert.ok((restored.parent_timestamp ?? "") > (made.parent_timestamp ?? ""));
      assert.ok((restored.last_reset_at ?? "") > made.created_at);
      const { body } = await platform.call("GET", `/projects/${id}/branches/${made.id}/endpoints`);
      assert.deepEqual(
        body.endpoints.map((endpoint) => [endpoint.host, endpoint.current_state]),
        [[host, "active"]],
      );
    });

    it("makes it the child of another source, with that one's roles and databases", async () => {
      const { id, main, call, branch, get } = await project();
      const source = await branch({ branch: { init_source: "schema-only" } });
      const { branch: made } = await branch({ branch: { name: "copy" } });
      const roles = async (branchId: string) =>
        (await platform.call("GET", `/projects/${id}/branches/${branchId}/roles`)).body.roles.map(({ name }) => name);
      const role = { name: "reader" };
      assert.equal((await call("POST", `/${source.branch.id}/roles`, { role })).status, 201);
      clock.advance(10 * second);
      assert.equal((await call("POST", `/${made.id}/restore`, { source_branch_id: source.branch.id })).status, 200);
      clock.advance(10 * second);
      const restored = await get(made.id);
      assert.equal(restored.parent_id, source.branch.id);
      assert.deepEqual(await roles(made.id), ["neondb_owner", "reader"]);
      assert.deepEqual(await roles(main.id), ["neondb_owner"]);
      const { body } = await platform.call("GET", `/projects/${id}/branches/${made.id}/databases`);
      assert.deepEqual(
        body.databases.map(({ name, branch_id }) => [name, branch_id]),
        [["neondb", made.id]],
      );
    });

    it("keeps what it held under a name, to which its children move", async () => {
      const { main, call, branch, get, named } = await project();
      const { branch: made } = await branch({ branch: { name: "staging" } });
      const { branch: child } = await branch({ branch: { parent_id: made.id } });
      const body = { source_branch_id: main.id };
      refused(await call("POST", `/${made.id}/restore`, body), 422, /preserve_under_name .* children/);
      refused(await call("POST", `/${made.id}/restore`, { ...body, preserve_under_name: "" }), 422, /children/);
      refused(await call("POST", `/${made.id}/restore`, { ...body, preserve_under_name: "main" }), 409, /"main"/);
      const answer = await call("POST", `/${made.id}/restore`, { ...body, preserve_under_name: "staging-before" });
      assert.equal(answer.status, 200);
      clock.advance(10 * second);
      const kept = await named("staging-before");
      assert.ok(kept);
      assert.equal(kept.current_state, "ready");
      assert.deepEqual([kept.parent_id, kept.parent_lsn], [main.id, made.parent_lsn]);
      assert.equal((await get(child.id)).parent_id, kept.id);
      assert.equal((await get(made.id)).parent_id, main.id);
    });

    it("from its own history needs a point and a name, and makes what is kept its parent", async () => {
      const { main, call, branch, get, named } = await project();
      const { branch: made } = await branch({ branch: { name: "dev" } });
      const source_timestamp = now();
      clock.advance(60 * second);
      const own = { source_branch_id: made.id };
      const preserve_under_name = "dev-before";
      const restore = (body: object) => call("POST", `/${made.id}/restore`, { ...own, ...body });
      refused(await restore({ preserve_under_name }), 400, /source_lsn or source_timestamp is required/);
      refused(await restore({ source_timestamp }), 400, /preserve_under_name is required/);
      assert.equal((await restore({ source_timestamp, preserve_under_name })).status, 200);
      clock.advance(10 * second);
      const kept = await named("dev-before");
      const restored = await get(made.id);
      assert.equal(restored.parent_id, kept?.id);
      assert.equal(restored.parent_timestamp, `${source_timestamp.slice(0, 19)}Z`);
      assert.equal(kept?.parent_id, main.id);

      const root = { source_branch_id: main.id, source_timestamp, preserve_under_name: "main-before" };
      assert.equal((await call("POST", `/${main.id}/restore`, root)).status, 200);
      clock.advance(10 * second);
      const again = await get(main.id);
      assert.deepEqual([again.parent_id, again.parent_lsn, again.default], [undefined, undefined, true]);
      assert.equal((await named("main-before"))?.parent_id, undefined);
      assert.equal((await named("dev-before"))?.parent_id, (await named("main-before"))?.id);
    });

    it("takes a point in the history that is kept only", async () => {
      const { main, call, branch, get } = await project({ history_retention_seconds: 3600 });
      const { branch: early } = await branch();
      clock.advance(2 * 3600 * second);
      const { branch: made } = await branch();
      const restore = (body: object) => call("POST", `/${made.id}/restore`, { source_branch_id: main.id, ...body });
      const source_timestamp = now();
      refused(await restore({ source_lsn: "0/1", source_timestamp }), 400, /exclude each other/);
      refused(await restore({ source_lsn: "yesterday" }), 400, /source_lsn/);
      refused(await restore({ source_timestamp: "yesterday" }), 400, /source_timestamp/);
      refused(await restore({ source_timestamp: new Date(clock.now() + 1000).toISOString() }), 400, /future/);
      refused(await restore({ source_timestamp: early.created_at }), 422, /before the start of the history/);
      refused(await restore({ source_lsn: early.parent_lsn }), 422, /before the start of the history/);
      refused(await restore({ source_lsn: "FFFF/0" }), 422, /after the end of the history/);
      refused(await restore({ source_branch_id: "br-no-such-one" }), 404, /branch not found/);
      refused(await restore({ source_branch_id: undefined }), 400, /source_branch_id/);
      clock.advance(60 * second);
      assert.equal((await restore({ source_lsn: made.parent_lsn })).status, 200);
      clock.advance(10 * second);
      const restored = await get(made.id);
      assert.deepEqual([restored.parent_lsn, restored.parent_timestamp], [made.parent_lsn, undefined]);
    });

    it("is refused for a protected branch, and from one that expires", async () => {
      const { main, call, branch } = await project();
      const { branch: guarded } = await branch({ branch: { protected: true } });
      refused(await call("POST", `/${guarded.id}/restore`, { source_branch_id: main.id }), 422, /protected/);
      const { branch: expiring } = await branch({
        branch: { expires_at: new Date(clock.now() + day).toISOString() },
      });
      const { branch: made } = await branch();
      refused(await call("POST", `/${made.id}/restore`, { source_branch_id: expiring.id }), 422, /expires/);
    });

    it("from its parent lets a branch that expires live for as long again", async () => {
      const { main, call, branch, get } = await project();
      const { branch: made } = await branch({ branch: { expires_at: new Date(clock.now() + day).toISOString() } });
      clock.advance(3600 * second);
      assert.equal((await call("POST", `/${made.id}/restore`, { source_branch_id: main.id })).status, 200);
      const expected = `${new Date(clock.now() + day).toISOString().slice(0, 19)}Z`;
      clock.advance(10 * second);
      assert.equal((await get(made.id)).expires_at, expected);
    });

    it("that ends badly leaves it resetting until another one ends well", async () => {
      const { main, call, branch, get } = await project();
      const { branch: made } = await branch({ endpoints: [{ type: "read_write" }] });
      await platform.fault({ action: "create_branch", end: "error" });
      await call("POST", `/${made.id}/restore`, { source_branch_id: main.id });
      clock.advance(10 * second);
      const left = await get(made.id);
      assert.deepEqual(
        [left.current_state, left.pending_state, left.last_reset_at],
        ["resetting", undefined, undefined],
      );
      refused(await call("POST", "", { branch: { parent_id: made.id } }), 422, /not ready yet/);
      const keeping = { source_branch_id: main.id, preserve_under_name: "too-late" };
      refused(await call("POST", `/${made.id}/restore`, keeping), 422, /nothing to preserve/);
      assert.equal((await call("POST", `/${made.id}/restore`, { source_branch_id: main.id })).status, 200);
      clock.advance(10 * second);
      assert.equal((await get(made.id)).current_state, "ready");
    });
  });

  describe("letting one that came from a snapshot take its place", () => {
    it("gives that one its computes, its name and the default mark", async () => {
      const { id, main, call, get, named, actions } = await project();
      const taken = await call("POST", `/${main.id}/snapshot?name=nightly`);
      assert.equal(taken.status, 200, taken.body.message);
      clock.advance(10 * second);
      const { snapshot } = taken.body as unknown as { snapshot: { id: string } };
      const restored = await platform.call("POST", `/projects/${id}/snapshots/${snapshot.id}/restore`, {
        name: "restored",
        finalize_restore: false,
      });
      assert.equal(restored.status, 200, restored.body.message);
      clock.advance(10 * second);
      const made = restored.body.branch;
      const computes = async (branchId: string) =>
        (await call("GET", `/${branchId}/endpoints`)).body.endpoints.map((endpoint) => endpoint.id);
      const [compute] = await computes(main.id);
      refused(await call("POST", `/${made.id}/finalize_restore`, { name: 7 }), 400, /name/);

      const answer = await call("POST", `/${made.id}/finalize_restore`);
      assert.equal(answer.status, 200, answer.body.message);
      assert.deepEqual(actions(answer), [`suspend_compute ${made.id}`, `start_compute ${made.id}`]);
      clock.advance(10 * second);
      const now = await get(made.id);
      assert.deepEqual([now.name, now.default, now.restore_status], ["main", true, "finalized"]);
      assert.deepEqual([now.restored_from, now.restored_as], [snapshot.id, main.id]);
      const former = await get(main.id);
      assert.deepEqual([former.name, former.default], [(await named(former.name))?.name, false]);
      assert.deepEqual([await computes(made.id), await computes(main.id)], [[compute], []]);
      refused(await call("POST", `/${made.id}/finalize_restore`), 422, /not finalized yet/);
    });

    it("is refused for a branch that came from no snapshot", async () => {
      const { call, branch } = await project();
      const { branch: made } = await branch();
      refused(await call("POST", `/${made.id}/finalize_restore`), 422, /restored from a snapshot/);
    });
  });

  describe("making it the default one", () => {
    it("takes the mark from the one that has it, and answers only one of the two", async () => {
      const { main, call, branch, get } = await project();
      const { branch: made } = await branch();
      const { status, body } = await call("POST", `/${made.id}/set_as_default`);
      assert.equal(status, 200);
      assert.deepEqual(body.operations, []);
      assert.deepEqual([body.branch.id, body.branch.default], [made.id, true]);
      assert.equal((await get(main.id)).default, false);
      assert.equal((await call("POST", `/${made.id}/set_as_default`)).body.branch.updated_at, body.branch.updated_at);
      refused(await call("DELETE", `/${made.id}`), 422, /default/);
      refused(await call("DELETE", `/${main.id}`), 422, /root branch/);
    });

    it("is refused for one that expires", async () => {
      const { call, branch } = await project();
      const { branch: made } = await branch({ branch: { expires_at: new Date(clock.now() + day).toISOString() } });
      refused(await call("POST", `/${made.id}/set_as_default`), 422, /expires/);
      refused(await call("POST", "/br-no-such-one/set_as_default"), 404, /branch not found/);
    });
  });

  describe("recovering it", () => {
    it("within seven days brings it back with its computes suspended and without an expiry", async () => {
      const { call, branch, get } = await project();
      const { branch: made, endpoints } = await branch({
        branch: { name: "phoenix", expires_at: new Date(clock.now() + day).toISOString() },
        endpoints: [{ type: "read_write" }],
      });
      refused(await call("POST", `/${made.id}/recover`), 422, /not deleted/);
      await call("DELETE", `/${made.id}`);
      refused(await call("POST", `/${made.id}/recover`), 423, /under way/);
      clock.advance(6 * day);
      const { status, body } = await call("POST", `/${made.id}/recover`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.endpoints.map(({ id, host, current_state }) => [id, host, current_state]),
        [[endpoints[0]?.id, endpoints[0]?.host, "idle"]],
      );
      const back = await get(made.id);
      assert.deepEqual([back.name, back.expires_at, back.recovery], ["phoenix", undefined, undefined]);
      clock.advance(2 * day);
      assert.equal((await get(made.id)).id, made.id);
    });

    it("is refused when its name is taken, its parent gone, or its time over", async () => {
      const { call, branch } = await project();
      const { branch: parent } = await branch({ branch: { name: "parent" } });
      const { branch: made } = await branch({ branch: { name: "child", parent_id: parent.id } });
      for (const { id } of [made, parent]) {
        assert.equal((await call("DELETE", `/${id}`)).status, 200);
        clock.advance(10 * second);
      }
      refused(await call("POST", `/${made.id}/recover`), 422, /recover it first/);
      await branch({ branch: { name: "parent" } });
      refused(await call("POST", `/${parent.id}/recover`), 409, /"parent"/);
      clock.advance(8 * day);
      refused(await call("POST", `/${parent.id}/recover`), 404, /branch not found/);
    });
  });

  describe("its schema", () => {
    it("is that of a database without tables, as SQL or as JSON, at every point of its history", async () => {
      const { call, branch } = await project();
      const { branch: made } = await branch();
      const schema = (query: string) => call("GET", `/${made.id}/schema?${query}`);
      const { body } = await schema("db_name=neondb");
      assert.match(body.sql, /^--\n-- PostgreSQL database dump\n/);
      assert.equal(body.json, undefined);
      assert.deepEqual((await schema("db_name=neondb&format=sql")).body, body);
      assert.deepEqual((await schema(`db_name=neondb&format=json&timestamp=${now()}`)).body, { json: { tables: [] } });
      const { body: compared } = await call("GET", `/${made.id}/compare_schema?db_name=neondb`);
      assert.deepEqual(compared, { diff: "" });
    });

    it("is refused without a database, for one that is not there, and for a point that cannot be", async () => {
      const { id, main, call, branch } = await project();
      const { branch: made } = await branch();
      for (const route of ["schema", "compare_schema"]) {
        const get = (query: string) => call("GET", `/${made.id}/${route}?${query}`);
        refused(await get(""), 400, /db_name/);
        refused(await get("db_name=nosuch"), 404, /database not found/);
        refused(await get(`db_name=neondb&lsn=${made.parent_lsn ?? ""}&timestamp=${now()}`), 400, /exclude each other/);
        refused(await get("db_name=neondb&lsn=7"), 400, /lsn/);
        refused(await get("db_name=neondb&timestamp=2001-01-01T00:00:00Z"), 422, /before the start of the history/);
        refused(await call("GET", `/br-no-such-one/${route}?db_name=neondb`), 404, /branch not found/);
      }
      refused(await call("GET", `/${made.id}/schema?db_name=neondb&format=xml`), 400, /format/);
      const compare = (query: string) => call("GET", `/${made.id}/compare_schema?db_name=neondb&${query}`);
      refused(await compare("base_branch_id=br-no-such-one"), 404, /branch not found/);
      refused(await compare("base_timestamp=2001-01-01T00:00:00Z"), 422, /base_timestamp/);
      refused(await call("GET", `/${main.id}/compare_schema?db_name=neondb`), 400, /base_branch_id/);
      const database = { name: "extra", owner_name: "neondb_owner" };
      await platform.call("POST", `/projects/${id}/branches/${made.id}/databases`, { database });
      clock.advance(10 * second);
      refused(await call("GET", `/${made.id}/compare_schema?db_name=extra`), 404, /database not found/);
    });
  });

  it("the libraries that a project can load depend on its Postgres", async () => {
    const libraries = async (pg_version: number) => {
      const { id } = await project({ pg_version });
      const { status, body } = await platform.call("GET", `/projects/${id}/available_preload_libraries`);
      assert.equal(status, 200);
      return body.libraries.map(({ library_name }) => library_name);
    };
    assert.ok((await libraries(17)).includes("timescaledb"));
    assert.ok((await libraries(17)).includes("pg_cron"));
    assert.ok(!(await libraries(18)).includes("timescaledb"));
  });

  describe("how many there may be", () => {
    it("ends at five protected ones and 25 roots", async () => {
      const { call, branch } = await project();
      for (let made = 0; made < 5; made += 1) await branch({ branch: { protected: true } });
      const { branch: sixth } = await branch();
      const over = await call("PATCH", `/${sixth.id}`, { branch: { protected: true } });
      refused(over, 422, /limit of 5 protected branches/);
      assert.equal(over.body.code, "BRANCHES_PROTECTED_LIMIT_EXCEEDED");
      refused(await call("POST", "", { branch: { protected: true } }), 422, /limit of 5/);
      for (let roots = 1; roots < 25; roots += 1) await branch({ branch: { init_source: "schema-only" } });
      const root = await call("POST", "", { branch: { init_source: "schema-only" } });
      refused(root, 422, /limit of 25 root branches/);
      assert.equal(root.body.code, "ROOT_BRANCHES_LIMIT_EXCEEDED");
    });
  });
});
