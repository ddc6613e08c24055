import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import { suitePlatform, type Answer, type AnswerBody } from "../../tests/support/platform";

describe("platform: branches", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let created: AnswerBody;
  let projectId: string;
  before(async () => {
    created = await platform().project();
    projectId = created.project.id;
  });
  const call = (method: string, path = "", body?: unknown) =>
    platform().call(method, `/projects/${projectId}/branches${path}`, body);
  /** Makes a branch and waits until it can be used. */
  const branch = async (body: object = {}): Promise<AnswerBody> => {
    const answer = await call("POST", "", body);
    assert.equal(answer.status, 201, answer.body.message);
    await platform().settled(projectId);
    return answer.body;
  };
  const after = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const refused = ({ status, body }: Answer, expected: number, message: RegExp) => {
    assert.equal(status, expected);
    assert.match(body.message, message);
  };

  describe("a new branch", () => {
    it("without a body is a child of the default branch, without a compute, named by its id", async () => {
      const answer = await call("POST");
      assert.equal(answer.status, 201);
      const { branch: made, endpoints, operations, roles, databases } = answer.body;
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
      assert.equal(answer.body.connection_uris, undefined);
      await platform().settled(projectId);
    });

    it("gets the compute it is asked for, and the URI to connect with", async () => {
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
        made.operations.map(({ action, endpoint_id }) => [action, endpoint_id]),
        [
          ["create_branch", undefined],
          ["start_compute", made.endpoints[0].id],
        ],
      );
      const { body } = await call("GET", `/${made.branch.id}`);
      assert.equal(body.branch.current_state, "ready");
      assert.deepEqual(body.annotation.value, { commit: "abc" });
      const { body: listed } = await call("GET");
      assert.deepEqual(listed.annotations[made.branch.id]?.value, { commit: "abc" });
      assert.equal(listed.annotations[created.branch.id], undefined);
    });

    it("can begin at an earlier point of its parent's history", async () => {
      const { branch: made } = await branch({ branch: { parent_lsn: "0/1DE2850" } });
      assert.equal(made.parent_lsn, "0/1DE2850");
      refused(await call("POST", "", { branch: { parent_timestamp: after(1) } }), 400, /future/);
      refused(await call("POST", "", { branch: { parent_timestamp: after(-3) } }), 422, /history/);
      refused(await call("POST", "", { branch: { parent_timestamp: "yesterday" } }), 400, /parent_timestamp/);
    });

    it("with the schema only is a root branch", async () => {
      const { branch: made } = await branch({ branch: { init_source: "schema-only" } });
      assert.equal(made.parent_id, undefined);
      assert.equal(made.init_source, "schema-only");
    });

    it("can be archived from the beginning", async () => {
      const { branch: made } = await branch({ branch: { archived: true } });
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

    it("of a protected parent has passwords of its own", async () => {
      const parent = await branch({ branch: { protected: true } });
      const child = await branch({ branch: { parent_id: parent.branch.id } });
      assert.notEqual(child.roles[0]?.password, parent.roles[0]?.password);
      assert.match(child.roles[0]?.password ?? "", /^npg_/);
    });

    it("is refused a name that is taken", async () => {
      await branch({ branch: { name: "taken" } });
      refused(await call("POST", "", { branch: { name: "taken" } }), 409, /"taken" already exists/);
    });

    it("is refused a parent that is not there, that expires, or that never became ready", async () => {
      refused(await call("POST", "", { branch: { parent_id: "br-no-such-one" } }), 404, /branch not found/);
      const expiring = await branch({ branch: { expires_at: after(1) } });
      refused(await call("POST", "", { branch: { parent_id: expiring.branch.id } }), 422, /expires/);
      await platform().fault({ action: "create_branch", end: "error" });
      const broken = await branch();
      refused(await call("POST", "", { branch: { parent_id: broken.branch.id } }), 422, /not ready yet/);
    });

    it("is refused more annotations than there may be", async () => {
      const annotation_value = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, ""]));
      refused(await call("POST", "", { annotation_value }), 400, /at most 50 annotations/);
    });
  });

  describe("changing a branch", () => {
    it("renames and protects it without an operation", async () => {
      const { branch: made } = await branch();
      const { status, body } = await call("PATCH", `/${made.id}`, { branch: { name: "new name", protected: true } });
      assert.equal(status, 200);
      assert.deepEqual(body.operations, []);
      assert.equal(body.branch.name, "new name");
      assert.equal(body.branch.protected, true);
      assert.ok(body.branch.updated_at > made.updated_at);
    });

    it("is refused for the name it has, and for one that is taken", async () => {
      const { branch: made } = await branch({ branch: { name: "mine" } });
      refused(await call("PATCH", `/${made.id}`, { branch: { name: "mine" } }), 400, /same name/);
      refused(await call("PATCH", `/${made.id}`, { branch: { name: "main" } }), 409, /already exists/);
    });

    it("sets, keeps and clears its expiry", async () => {
      const { branch: made } = await branch();
      const set = await call("PATCH", `/${made.id}`, { branch: { expires_at: "2999-01-01T00:00:00Z" } });
      refused(set, 400, /at most 30 days/);
      const soon = after(2);
      const { body } = await call("PATCH", `/${made.id}`, { branch: { expires_at: soon } });
      assert.equal(body.branch.expires_at, `${soon.slice(0, 19)}Z`);
      assert.ok(Math.abs((body.branch.ttl_interval_seconds ?? 0) - 2 * 86_400) <= 1);
      const kept = await call("PATCH", `/${made.id}`, { branch: { name: "kept" } });
      assert.equal(kept.body.branch.expires_at, body.branch.expires_at);
      const cleared = await call("PATCH", `/${made.id}`, { branch: { expires_at: null } });
      assert.equal(cleared.body.branch.expires_at, undefined);
    });

    it("is refused an expiry in the past, on protected, default and parent branches", async () => {
      const parent = await branch();
      await branch({ branch: { parent_id: parent.branch.id } });
      const expire = (id: string, expires_at = after(1)) => call("PATCH", `/${id}`, { branch: { expires_at } });
      refused(await expire(parent.branch.id, after(-1)), 400, /future/);
      refused(await expire(parent.branch.id), 422, /children/);
      refused(await expire(created.branch.id), 422, /default/);
      const { branch: guarded } = await branch({ branch: { protected: true } });
      refused(await expire(guarded.id), 422, /protected/);
      const { branch: expiring } = await branch({ branch: { expires_at: after(1) } });
      refused(await call("PATCH", `/${expiring.id}`, { branch: { protected: true } }), 422, /protected/);
      refused(await call("POST", "", { branch: { protected: true, expires_at: after(1) } }), 422, /protected/);
    });

    it("needs its member", async () => {
      refused(await call("PATCH", `/${created.branch.id}`, { name: "x" }), 400, /branch/);
    });
  });

  describe("deleting a branch", () => {
    it("suspends its compute and takes everything on it away, at once for clients", async () => {
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

    it("again, or of one that never was, is 204", async () => {
      const { branch: made } = await branch();
      assert.equal((await call("DELETE", `/${made.id}`)).status, 200);
      for (const id of [made.id, "br-no-such-one"]) {
        const again = await call("DELETE", `/${id}`);
        assert.equal(again.status, 204);
        assert.equal(again.body, undefined);
      }
      await platform().settled(projectId);
    });

    it("is refused for the first, the default, a protected and a parent branch", async () => {
      refused(await call("DELETE", `/${created.branch.id}`), 422, /default/);
      const parent = await branch();
      const child = await branch({ branch: { parent_id: parent.branch.id } });
      refused(await call("DELETE", `/${parent.branch.id}`), 422, /children/);
      await call("DELETE", `/${child.branch.id}`);
      await platform().settled(projectId);
      assert.equal((await call("DELETE", `/${parent.branch.id}`)).status, 200);
      await platform().settled(projectId);
      const { branch: guarded } = await branch({ branch: { protected: true } });
      refused(await call("DELETE", `/${guarded.id}`), 422, /protected/);
    });

    it("that ends without success brings it back", async () => {
      const made = await branch({ branch: { name: "phoenix" }, endpoints: [{ type: "read_write" }] });
      await platform().fault({ action: "delete_timeline", end: "error" });
      await call("DELETE", `/${made.branch.id}`);
      refused(await call("PATCH", `/${created.branch.id}`, { branch: { name: "phoenix" } }), 409, /phoenix/);
      await platform().settled(projectId);
      const { body } = await call("GET", `/${made.branch.id}`);
      assert.equal(body.branch.name, "phoenix");
      const { body: endpoints } = await call("GET", `/${made.branch.id}/endpoints`);
      assert.equal(endpoints.endpoints[0]?.current_state, "idle");
    });

    it("keeps it for some days, unless it is for good", async () => {
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

describe("platform: the list of branches", () => {
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

  it("is in the order asked for, page by page", async () => {
    const byAge = ["main", ...names];
    for (const limit of [1, 2, 4, 6, 10_000]) {
      assert.deepEqual(await all("sort_by=created_at&sort_order=asc", limit), byAge);
      assert.deepEqual(await all("sort_by=created_at", limit), [...byAge].reverse());
      assert.deepEqual(await all("sort_by=name&sort_order=asc", limit), [...byAge].sort());
      assert.deepEqual(new Set(await all("", limit)), new Set(byAge));
    }
  });

  it("is by the latest change unless asked otherwise", async () => {
    const { branches } = await list("?search=delta");
    await platform().call("PATCH", `${path}/${branches[0]?.id ?? ""}`, { branch: { protected: true } });
    const { branches: after, pagination } = await list("?limit=1");
    assert.equal(after[0]?.name, "delta");
    assert.deepEqual({ ...pagination, next: "" }, { next: "", sort_by: "updated_at", sort_order: "desc" });
  });

  it("finds and counts part of a name", async () => {
    assert.deepEqual(
      (await list("?search=ALPH")).branches.map(({ name }) => name),
      ["Alpha"],
    );
    assert.equal((await list("/count")).count, 6);
    assert.equal((await list("/count?search=a")).count, 5);
  });

  for (const query of ["limit=0", "limit=10001", "sort_by=size", "sort_order=up", "cursor=AAAA", "include_deleted=1"]) {
    it(`refuses ${query}`, async () => {
      const { status, body } = await platform().call("GET", `${path}?${query}`);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(query.split("=", 1)[0] ?? ""));
    });
  }

  it("refuses a cursor of a list in another order", async () => {
    const { pagination } = await list("?limit=1&sort_by=name");
    const { status } = await platform().call("GET", `${path}?sort_by=created_at&cursor=${pagination?.next ?? ""}`);
    assert.equal(status, 400);
  });
});
