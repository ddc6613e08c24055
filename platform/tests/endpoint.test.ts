import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "mocha";
import { suitePlatform, type Answer, type AnswerBody } from "../../tests/support/platform";

describe("platform: computes", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let projectId: string;
  let branchId: string;
  let endpointId: string;
  before(async () => {
    const { project } = await platform().project();
    projectId = project.id;
  });
  beforeEach(async () => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, {
      endpoints: [{ type: "read_write" }],
    });
    branchId = body.branch.id;
    endpointId = body.endpoints[0]?.id ?? "";
    await platform().settled(projectId);
  });
  const call = (method: string, path = "", body?: unknown) =>
    platform().call(method, `/projects/${projectId}/endpoints${path}`, body);
  const actions = ({ body }: Answer) => body.operations.map(({ action }) => action);
  const refused = ({ status, body }: Answer, expected: number, message: RegExp) => {
    assert.equal(status, expected);
    assert.match(body.message, message);
  };
  /** Changes a compute, waits, and tells what the request answered. */
  const change = async (asked: object, id = endpointId): Promise<Answer> => {
    const answer = await call("PATCH", `/${id}`, { endpoint: asked });
    await platform().settled(projectId);
    return answer;
  };
  const act = async (action: string, id = endpointId): Promise<Answer> => {
    const answer = await call("POST", `/${id}/${action}`);
    await platform().settled(projectId);
    return answer;
  };
  const state = async (id = endpointId): Promise<AnswerBody["endpoint"]> => (await call("GET", `/${id}`)).body.endpoint;

  describe("a new one", () => {
    it("of the read-only type starts by one operation and reports what it was asked for", async () => {
      const asked = {
        branch_id: branchId,
        type: "read_only",
        name: "replica",
        autoscaling_limit_min_cu: 1,
        autoscaling_limit_max_cu: 2,
        suspend_timeout_seconds: 120,
        provisioner: "k8s-pod",
        settings: { pg_settings: { work_mem: "4MB" }, preload_libraries: { use_defaults: true } },
        pooler_enabled: true,
        pooler_mode: "transaction",
        passwordless_access: false,
        disabled: false,
      };
      const answer = await call("POST", "", { endpoint: { ...asked, region_id: "aws-us-east-2" } });
      assert.equal(answer.status, 201);
      assert.deepEqual(actions(answer), ["start_compute"]);
      assert.equal(answer.body.operations[0]?.status, "running");
      const { endpoint } = answer.body;
      for (const [name, value] of Object.entries(asked)) {
        assert.deepEqual(endpoint[name as keyof typeof endpoint], value, name);
      }
      assert.equal(endpoint.host, `${endpoint.id}.${endpoint.proxy_host}`);
      await platform().settled(projectId);
      assert.equal((await state(endpoint.id)).current_state, "active");
      assert.ok((await state(endpoint.id)).started_at);
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branchId}/endpoints`);
      assert.deepEqual(new Set(body.endpoints.map(({ id }) => id)), new Set([endpointId, endpoint.id]));
    });

    it("that is disabled rests", async () => {
      const answer = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only", disabled: true } });
      assert.deepEqual(actions(answer), []);
      assert.equal(answer.body.endpoint.current_state, "idle");
    });

    it("is refused as a second read-write one of its branch", async () => {
      refused(await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } }), 409, /already exists/);
    });

    it("can be the read-write one again as soon as the last one is gone for good, and not before", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("DELETE", `/${endpointId}`);
      const asked = { branch_id: branchId, type: "read_write" };
      refused(await call("POST", "", { endpoint: asked }), 423, /still being deleted/);
      refused(await call("POST", "", { endpoint: { ...asked, disabled: true } }), 423, /still being deleted/);
      await platform().clearFaults();
      await platform().settled(projectId);
      assert.equal((await call("POST", "", { endpoint: asked })).status, 201);
      await platform().settled(projectId);
    });

    it("is one of as many read-only ones as its branch is asked for", async () => {
      for (let made = 0; made < 4; made += 1) {
        assert.equal((await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only" } })).status, 201);
        await platform().settled(projectId);
      }
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branchId}/endpoints`);
      assert.equal(body.endpoints.length, 5);
    });

    it("is refused on a branch whose making has failed", async () => {
      await platform().fault({ action: "create_branch", end: "error" });
      const { body } = await platform().call("POST", `/projects/${projectId}/branches`, {});
      await platform().settled(projectId);
      const asked = { branch_id: body.branch.id, type: "read_write" };
      refused(await call("POST", "", { endpoint: asked }), 422, /is not ready yet/);
    });

    it("is refused with settings that leave out pg_settings", async () => {
      const settings = { preload_libraries: { use_defaults: true } };
      refused(
        await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only", settings } }),
        400,
        /settings must not be nil/,
      );
    });

    for (const [what, asked, status] of [
      ["no branch", { type: "read_only" }, 400],
      ["a branch that is not there", { branch_id: "br-no-such-one", type: "read_only" }, 404],
      ["another region", { type: "read_only", region_id: "aws-eu-west-2" }, 400],
      ["an unknown type", { type: "write_only" }, 400],
      ["too long a name", { type: "read_only", name: "x".repeat(65) }, 400],
      ["an empty name", { type: "read_only", name: "" }, 400],
      ["too short a timeout", { type: "read_only", suspend_timeout_seconds: 59 }, 400],
      ["too wide a range", { type: "read_only", autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 16 }, 400],
      ["an unknown provisioner", { type: "read_only", provisioner: "abacus" }, 400],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        const asking = { ...(what === "no branch" ? {} : { branch_id: branchId }), ...asked };
        assert.equal((await call("POST", "", { endpoint: asking })).status, status);
      });
    }
  });

  describe("changing one", () => {
    it("that is active applies the new configuration by an operation", async () => {
      const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4, suspend_timeout_seconds: -1 };
      const answer = await change({ ...sizes, settings: { pg_settings: { a: "b" } } });
      assert.deepEqual(actions(answer), ["apply_config"]);
      assert.equal(answer.body.endpoint.autoscaling_limit_max_cu, 4);
      assert.equal(answer.body.endpoint.suspend_timeout_seconds, -1);
      assert.deepEqual(answer.body.endpoint.settings, { pg_settings: { a: "b" } });
    });

    it("that is idle needs none", async () => {
      await act("suspend");
      const answer = await change({ autoscaling_limit_max_cu: 4 });
      assert.deepEqual(actions(answer), []);
      assert.equal((await state()).autoscaling_limit_max_cu, 4);
    });

    it("to another name, or to what it is, needs none", async () => {
      assert.deepEqual(actions(await change({ name: "reporting" })), []);
      assert.equal((await state()).name, "reporting");
      const { updated_at } = await state();
      assert.deepEqual(actions(await change({ name: "reporting", disabled: false })), []);
      assert.equal((await state()).updated_at, updated_at);
    });

    it("keeps what was asked for, even if applying it fails", async () => {
      await platform().fault({ action: "apply_config", end: "error" });
      await change({ autoscaling_limit_max_cu: 4 });
      assert.equal((await state()).autoscaling_limit_max_cu, 4);
      assert.equal((await state()).current_state, "active");
    });

    it("to disabled suspends it, and then it cannot be started", async () => {
      assert.deepEqual(actions(await change({ disabled: true })), ["suspend_compute"]);
      assert.equal((await state()).current_state, "idle");
      refused(await act("start"), 422, /disabled/);
      refused(await act("restart"), 422, /disabled/);
      await change({ disabled: false });
      assert.equal((await act("start")).status, 200);
    });

    it("checks both ends of a range of which one is given", async () => {
      refused(await change({ autoscaling_limit_min_cu: 4 }), 400, /minimum of 4 CU is above the maximum of 2 CU/);
    });

    it("moves it to a branch that has no read-write one", async () => {
      const { body } = await platform().call("POST", `/projects/${projectId}/branches`, {});
      await platform().settled(projectId);
      assert.deepEqual(actions(await change({ branch_id: body.branch.id })), ["apply_config"]);
      assert.equal((await state()).branch_id, body.branch.id);
      const { body: other } = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } });
      await platform().settled(projectId);
      refused(await change({ branch_id: body.branch.id }, other.endpoint.id), 409, /already exists/);
    });
  });

  describe("starting, suspending and restarting one", () => {
    it("takes it from active to idle and back", async () => {
      const suspended = await act("suspend");
      assert.deepEqual(actions(suspended), ["suspend_compute"]);
      assert.equal(suspended.body.endpoint.current_state, "active");
      assert.equal(suspended.body.endpoint.pending_state, "idle");
      assert.equal((await state()).current_state, "idle");
      assert.ok((await state()).suspended_at);
      assert.deepEqual(actions(await act("suspend")), []);
      assert.deepEqual(actions(await act("start")), ["start_compute"]);
      assert.equal((await state()).current_state, "active");
      assert.deepEqual(actions(await act("start")), []);
      assert.deepEqual(actions(await act("restart")), ["suspend_compute", "start_compute"]);
      assert.equal((await state()).current_state, "active");
      assert.equal((await state()).pending_state, undefined);
    });

    it("that is on its way somewhere cannot be suspended", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("POST", `/${endpointId}/restart`);
      refused(await call("POST", `/${endpointId}/suspend`), 423, /transitive state, could not suspend/);
      refused(await call("PATCH", `/${endpointId}`, { endpoint: { disabled: true } }), 423, /conflicting operations/);
      await platform().clearFaults();
      await platform().settled(projectId);
    });

    it("that is being suspended cannot be started until it is", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("POST", `/${endpointId}/suspend`);
      refused(await call("POST", `/${endpointId}/start`), 423, /transitive state, could not start/);
      await platform().clearFaults();
      await platform().settled(projectId);
      assert.deepEqual(actions(await act("start")), ["start_compute"]);
    });

    it("that never started starts again after an error", async () => {
      await platform().fault({ action: "start_compute", end: "error" });
      const { body } = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only" } });
      await platform().settled(projectId);
      assert.equal((await state(body.endpoint.id)).current_state, "init");
      assert.deepEqual(actions(await act("start", body.endpoint.id)), ["start_compute"]);
      assert.equal((await state(body.endpoint.id)).current_state, "active");
    });

    it("that was idle is idle after an error", async () => {
      await act("suspend");
      await platform().fault({ action: "start_compute", end: "cancelled" });
      await act("start");
      assert.equal((await state()).current_state, "idle");
      assert.equal((await state()).pending_state, undefined);
    });
  });

  describe("deleting one", () => {
    it("suspends it if it is active, and is 204 the second time", async () => {
      assert.deepEqual(actions(await call("DELETE", `/${endpointId}`)), ["suspend_compute"]);
      assert.equal((await call("GET", `/${endpointId}`)).status, 404);
      await platform().settled(projectId);
      assert.equal((await call("DELETE", `/${endpointId}`)).status, 204);
      const again = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } });
      assert.equal(again.status, 201);
      await platform().settled(projectId);
    });

    it("that is idle needs no operation", async () => {
      await act("suspend");
      assert.deepEqual(actions(await call("DELETE", `/${endpointId}`)), []);
    });

    it("that ends without success brings it back", async () => {
      await platform().fault({ action: "suspend_compute", end: "error" });
      await call("DELETE", `/${endpointId}`);
      await platform().settled(projectId);
      assert.equal((await state()).current_state, "active");
    });

    it("is refused on a protected branch", async () => {
      await platform().call("PATCH", `/projects/${projectId}/branches/${branchId}`, { branch: { protected: true } });
      refused(await call("DELETE", `/${endpointId}`), 422, /protected/);
    });
  });
});

describe("platform: the limit on active computes", () => {
  const platform = suitePlatform({ operationTime: "0", computeLimit: true });

  it("refuses to start one more, until another one is suspended", async () => {
    const { project, branch, endpoints } = await platform().project();
    const path = `/projects/${project.id}/endpoints`;
    const another = () => platform().call("POST", path, { endpoint: { branch_id: branch.id, type: "read_only" } });
    for (let active = 1; active < 20; active += 1) {
      assert.equal((await another()).status, 201);
      await platform().settled(project.id);
    }
    const refused = await another();
    assert.equal(refused.status, 422);
    assert.equal(refused.body.code, "ACTIVE_ENDPOINTS_LIMIT_EXCEEDED");
    assert.equal((await platform().call("GET", path)).body.endpoints.length, 20);

    const first = `${path}/${endpoints[0]?.id ?? ""}`;
    const restarted = await platform().call("POST", `${first}/restart`);
    assert.equal(restarted.status, 200, "one that is active takes no more room");
    await platform().settled(project.id);
    await platform().call("POST", `${first}/suspend`);
    await platform().settled(project.id);
    assert.equal((await another()).status, 201);
    await platform().settled(project.id);
    for (const action of ["start", "restart"]) {
      assert.equal((await platform().call("POST", `${first}/${action}`)).body.code, refused.body.code);
    }
  });
});

describe("platform: roles, databases and connection URIs", () => {
  const platform = suitePlatform({ operationTime: "0" });
  const roleName = "o/n e%";
  let created: AnswerBody;
  let path: string;
  before(async () => {
    created = await platform().project({ branch: { role_name: roleName, database_name: "db?#" } });
    path = `/projects/${created.project.id}`;
  });

  it("are listed and read, a role never with its password", async () => {
    const branch = `${path}/branches/${created.branch.id}`;
    const { body: roles } = await platform().call("GET", `${branch}/roles`);
    assert.deepEqual(
      roles.roles.map(({ name, password }) => [name, password]),
      [[roleName, undefined]],
    );
    const { body: role } = await platform().call("GET", `${branch}/roles/${encodeURIComponent(roleName)}`);
    assert.equal(role.role.name, roleName);
    assert.equal(role.role.password, undefined);
    const { body: databases } = await platform().call("GET", `${branch}/databases`);
    assert.equal(databases.databases[0]?.owner_name, roleName);
    const { body: database } = await platform().call("GET", `${branch}/databases/db%3F%23`);
    assert.equal(database.database.id, created.databases[0]?.id);
    assert.equal((await platform().call("GET", `${branch}/roles/nobody`)).status, 404);
    assert.equal((await platform().call("GET", `${branch}/databases/none`)).status, 404);
  });

  const uri = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ role_name: roleName, database_name: "db?#", ...query });
    return await platform().call("GET", `${path}/connection_uri?${search.toString()}`);
  };

  it("the URI is that of the default branch's read-write compute", async () => {
    const { body } = await uri({});
    assert.equal(body.uri, created.connection_uris[0]?.connection_uri);
    const parsed = new URL(body.uri);
    assert.equal(decodeURIComponent(parsed.username), roleName);
    assert.equal(decodeURIComponent(parsed.pathname), "/db?#");
    assert.equal(parsed.hostname, created.endpoints[0]?.host);
  });

  it("the URI of a pooled connection has the pooler's host", async () => {
    const { body } = await uri({ pooled: "true" });
    assert.equal(new URL(body.uri).hostname, created.connection_uris[0]?.connection_parameters.pooler_host);
  });

  it("the URI is not there without a compute, role or database of those names on the branch", async () => {
    const { body: child } = await platform().call("POST", `${path}/branches`, {});
    for (const [query, message] of [
      [{ branch_id: child.branch.id }, /read-write endpoint of the branch not found/],
      [{ endpoint_id: "ep-no-such-one" }, /endpoint on the branch not found/],
      [{ branch_id: "br-no-such-one" }, /branch not found/],
      [{ role_name: "nobody" }, /role not found/],
      [{ database_name: "none" }, /database not found/],
    ] as const) {
      const { status, body } = await uri(query);
      assert.equal(status, 404);
      assert.match(body.message, message);
    }
  });

  it("the URI needs a role and a database", async () => {
    assert.equal((await platform().call("GET", `${path}/connection_uri?role_name=x`)).status, 400);
    assert.equal((await uri({ pooled: "maybe" })).status, 400);
  });
});
