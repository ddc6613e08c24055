import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type AnswerBody, suitePlatform } from "../../tests/support/platform";
import { assertError } from "./support/responses";

describe("local platform: branches", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let created: AnswerBody;
  let projectId: string;
  before(async () => {
    created = await platform().project();
    projectId = created.project.id;
  });
  const call = (method: string, path = "", body?: unknown) =>
    platform().call(method, `/projects/${projectId}/branches${path}`, body);
  /** Creates a branch and waits until it is ready. */
  const branch = async (body: object = {}): Promise<AnswerBody> => {
    const response = await call("POST", "", body);
    assert.equal(response.status, 201, response.body.message);
    await platform().settled(projectId);
    return response.body;
  };
  const after = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  describe("create", () => {
    it("without a body creates a child of the default branch, without a compute, named after its id", async () => {
      const response = await call("POST");
      assert.equal(response.status, 201);
      const { branch: made, endpoints, operations, roles, databases } = response.body;
      assert.equal(made.name, made.id);
      assert.equal(made.parent_id, created.branch.id);
      assert.match(made.parent_lsn ?? "", /^0\/[0-9A-F]+$/);
      assert.equal(made.default, false);
      assert.deepEqual(endpoints, []);
      assert.deepEqual(
        operations.map(({ action }) => action),
        ["create_branch"],
      );
      assert.equal(roles[0]?.password, created.roles[0]?.password);
      assert.equal(databases[0]?.name, "neondb");
      assert.notEqual(databases[0].id, created.databases[0]?.id);
      assert.equal(response.body.connection_uris, undefined);
      await platform().settled(projectId);
    });

    it("creates the requested compute and returns the connection URI", async () => {
      const made = await branch({
        branch: { name: "with compute" },
        endpoints: [{ type: "read_write", autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 1 }],
        annotation_value: { commit: "abc" },
      });
      assert.equal(made.branch.name, "with compute");
      assert.equal(made.endpoints[0]?.autoscaling_limit_min_cu, 0.5);
      assert.equal(made.endpoints[0].pending_state, "active");
      assert.equal(made.connection_uris.length, 1);
      assert.equal(made.connection_uris[0]?.connection_parameters.host, made.endpoints[0].host);
      assert.deepEqual(
        made.operations.map(({ action, status, branch_id, endpoint_id }) => [action, status, branch_id, endpoint_id]),
        [
          ["create_branch", "running", made.branch.id, undefined],
          ["start_compute", "scheduling", made.branch.id, made.endpoints[0].id],
        ],
      );
      const { body } = await call("GET", `/${made.branch.id}`);
      assert.equal(body.branch.current_state, "ready");
      assert.deepEqual(body.annotation.value, { commit: "abc" });
      const { body: listed } = await call("GET");
      assert.deepEqual(listed.annotations[made.branch.id]?.value, { commit: "abc" });
      assert.equal(listed.annotations[created.branch.id], undefined);
    });

    it("accepts an earlier point in the parent's history", async () => {
      const { branch: made } = await branch({ branch: { parent_lsn: "0/1DE2850" } });
      assert.equal(made.parent_lsn, "0/1DE2850");
      assertError(await call("POST", "", { branch: { parent_timestamp: after(1) } }), 400, /future/);
      assertError(await call("POST", "", { branch: { parent_timestamp: after(-3) } }), 422, /history/);
      assertError(await call("POST", "", { branch: { parent_timestamp: "yesterday" } }), 400, /parent_timestamp/);
    });

    it("with init_source schema-only creates a root branch", async () => {
      const { branch: made } = await branch({ branch: { init_source: "schema-only" } });
      assert.equal(made.parent_id, undefined);
      assert.equal(made.init_source, "schema-only");
    });

    it("with archived creates an archived branch", async () => {
      const { branch: made, operations: begun } = await branch({ branch: { archived: true } });
      assert.ok(
        begun.some(({ action, branch_id }) => `${action} ${branch_id ?? ""}` === `timeline_archive ${made.id}`),
      );
      const { body } = await call("GET", `/${made.id}`);
      assert.equal(body.branch.current_state, "archived");
      await platform().call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: made.id, type: "read_write" },
      });
      const operations = await platform().settled(projectId);
      assert.deepEqual(
        operations.slice(0, 2).map(({ action }) => action),
        ["start_compute", "timeline_unarchive"],
      );
      assert.equal((await call("GET", `/${made.id}`)).body.branch.current_state, "ready");
    });

    it("of a protected parent creates new passwords", async () => {
      const parent = await branch({ branch: { protected: true } });
      const child = await branch({ branch: { parent_id: parent.branch.id } });
      assert.notEqual(child.roles[0]?.password, parent.roles[0]?.password);
      assert.match(child.roles[0]?.password ?? "", /^npg_/);
    });

    it("rejects a name that is in use", async () => {
      await branch({ branch: { name: "taken" } });
      assertError(await call("POST", "", { branch: { name: "taken" } }), 409, /"taken" already exists/);
    });

    it("rejects a parent that does not exist, expires or never became ready", async () => {
      assertError(await call("POST", "", { branch: { parent_id: "br-no-such-one" } }), 404, /branch not found/);
      const expiring = await branch({ branch: { expires_at: after(1) } });
      assertError(await call("POST", "", { branch: { parent_id: expiring.branch.id } }), 422, /expires/);
      await platform().fault({ action: "create_branch", end: "error" });
      const broken = await branch();
      assertError(await call("POST", "", { branch: { parent_id: broken.branch.id } }), 422, /not ready yet/);
    });

    it("rejects more annotations than the limit", async () => {
      const annotation_value = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, ""]));
      assertError(await call("POST", "", { annotation_value }), 400, /at most 50 annotations/);
    });
  });

  describe("update", () => {
    it("changes name and protection without an operation", async () => {
      const { branch: made } = await branch();
      const { status, body } = await call("PATCH", `/${made.id}`, { branch: { name: "new name", protected: true } });
      assert.equal(status, 200);
      assert.deepEqual(body.operations, []);
      assert.equal(body.branch.name, "new name");
      assert.equal(body.branch.protected, true);
      assert.ok(body.branch.updated_at > made.updated_at);
    });

    it("rejects the current name and one that is in use", async () => {
      const { branch: made } = await branch({ branch: { name: "mine" } });
      assertError(await call("PATCH", `/${made.id}`, { branch: { name: "mine" } }), 400, /same name/);
      assertError(await call("PATCH", `/${made.id}`, { branch: { name: "main" } }), 409, /already exists/);
    });

    it("sets, keeps and clears the expiry", async () => {
      const { branch: made } = await branch();
      const set = await call("PATCH", `/${made.id}`, { branch: { expires_at: "2999-01-01T00:00:00Z" } });
      assertError(set, 400, /at most 30 days/);
      const soon = after(2);
      const { body } = await call("PATCH", `/${made.id}`, { branch: { expires_at: soon } });
      assert.equal(body.branch.expires_at, `${soon.slice(0, 19)}Z`);
      assert.ok(Math.abs((body.branch.ttl_interval_seconds ?? 0) - 2 * 86_400) <= 1);
      const kept = await call("PATCH", `/${made.id}`, { branch: { name: "kept" } });
      assert.equal(kept.body.branch.expires_at, body.branch.expires_at);
      const cleared = await call("PATCH", `/${made.id}`, { branch: { expires_at: null } });
      assert.equal(cleared.body.branch.expires_at, undefined);
    });

    it("rejects an expiry in the past, and any expiry of protected, default and parent branches", async () => {
      const parent = await branch();
      await branch({ branch: { parent_id: parent.branch.id } });
      const expire = (id: string, expires_at = after(1)) => call("PATCH", `/${id}`, { branch: { expires_at } });
      assertError(await expire(parent.branch.id, after(-1)), 400, /future/);
      assertError(await expire(parent.branch.id), 422, /children/);
      assertError(await expire(created.branch.id), 422, /default/);
      const { branch: guarded } = await branch({ branch: { protected: true } });
      assertError(await expire(guarded.id), 422, /protected/);
      const { branch: expiring } = await branch({ branch: { expires_at: after(1) } });
      assertError(await call("PATCH", `/${expiring.id}`, { branch: { protected: true } }), 422, /protected/);
      assertError(await call("POST", "", { branch: { protected: true, expires_at: after(1) } }), 422, /protected/);
    });

    it("rejects a body without branch", async () => {
      assertError(await call("PATCH", `/${created.branch.id}`, { name: "x" }), 400, /branch/);
    });
  });

  describe("delete", () => {
    it("suspends the compute and hides the branch and its computes at once", async () => {
      const made = await branch({ endpoints: [{ type: "read_write" }] });
      const { status, body } = await call("DELETE", `/${made.branch.id}`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.operations.map(({ action }) => action),
        ["suspend_compute", "delete_timeline"],
      );
      assert.equal((await call("GET", `/${made.branch.id}`)).status, 404);
      assert.equal((await call("GET", `/${made.branch.id}/roles`)).status, 404);
      const endpoint = `/projects/${projectId}/endpoints/${made.endpoints[0]?.id ?? ""}`;
      assert.equal((await platform().call("GET", endpoint)).status, 404);
      await platform().settled(projectId);
    });

    it("returns 204 for a branch that is deleted or never existed", async () => {
      const { branch: made } = await branch();
      assert.equal((await call("DELETE", `/${made.id}`)).status, 200);
      for (const id of [made.id, "br-no-such-one"]) {
        const again = await call("DELETE", `/${id}`);
        assert.equal(again.status, 204);
        assert.equal(again.body, undefined);
      }
      await platform().settled(projectId);
    });

    it("rejects the first, the default, a protected and a parent branch", async () => {
      assertError(await call("DELETE", `/${created.branch.id}`), 422, /default/);
      const parent = await branch();
      const child = await branch({ branch: { parent_id: parent.branch.id } });
      assertError(await call("DELETE", `/${parent.branch.id}`), 422, /children/);
      await call("DELETE", `/${child.branch.id}`);
      await platform().settled(projectId);
      assert.equal((await call("DELETE", `/${parent.branch.id}`)).status, 200);
      await platform().settled(projectId);
      const { branch: guarded } = await branch({ branch: { protected: true } });
      assertError(await call("DELETE", `/${guarded.id}`), 422, /protected/);
    });

    it("makes the branch visible again when the operation fails", async () => {
      const made = await branch({ branch: { name: "phoenix" }, endpoints: [{ type: "read_write" }] });
      await platform().fault({ action: "delete_timeline", end: "error" });
      await call("DELETE", `/${made.branch.id}`);
      assertError(await call("PATCH", `/${created.branch.id}`, { branch: { name: "phoenix" } }), 409, /phoenix/);
      await platform().settled(projectId);
      const { body } = await call("GET", `/${made.branch.id}`);
      assert.equal(body.branch.name, "phoenix");
      const { body: endpoints } = await call("GET", `/${made.branch.id}/endpoints`);
      assert.equal(endpoints.endpoints[0]?.current_state, "idle");
    });

    it("allows recovery for 7 days unless it is a hard delete", async () => {
      const soft = await branch();
      const hard = await branch();
      await call("DELETE", `/${soft.branch.id}`);
      await platform().settled(projectId);
      await call("DELETE", `/${hard.branch.id}?hard_delete=true`);
      await platform().settled(projectId);
      const { body } = await call("GET", "?include_deleted=true");
      const found = body.branches.find(({ id }) => id === soft.branch.id);
      assert.equal(found?.recovery?.deletion_method, "user");
      assert.ok(!body.branches.some(({ id }) => id === hard.branch.id));
      assert.ok(!(await call("GET")).body.branches.some(({ id }) => id === soft.branch.id));
    });
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
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const more: string = next === undefined ? "" : `&cursor=${encodeURIComponent(next)}`;
      const { branches, pagination } = await list(`?limit=${limit}&${query}${more}`);
      seen.push(...branches.map(({ name }) => name));
      next = pagination?.next;
    } while (next !== undefined);
    return seen;
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
    assert.deepEqual({ ...pagination, next: "" }, { next: "", sort_by: "updated_at", sort_order: "desc" });
  });

  it("finds and counts branches by a part of the name", async () => {
    assert.deepEqual(
      (await list("?search=ALPH")).branches.map(({ name }) => name),
      ["Alpha"],
    );
    assert.equal((await list("/count")).count, 6);
    assert.equal((await list("/count?search=a")).count, 5);
  });

  for (const query of ["limit=0", "limit=10001", "sort_by=size", "sort_order=up", "cursor=AAAA", "include_deleted=1"]) {
    it(`rejects the query ${query}`, async () => {
      const { status, body } = await platform().call("GET", `${path}?${query}`);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(query.split("=", 1)[0] ?? ""));
    });
  }

  it("rejects a cursor of a list in another order", async () => {
    const { pagination } = await list("?limit=1&sort_by=name");
    const { status } = await platform().call("GET", `${path}?sort_by=created_at&cursor=${pagination?.next ?? ""}`);
    assert.equal(status, 400);
  });
});
