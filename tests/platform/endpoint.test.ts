import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../support/platform";
import { suiteComputes } from "./support/project";
import { actionsOf, assertError, assertMembers, idsOf } from "./support/responses";

describe("local platform: computes", () => {
  const { platform, finish, whileStuck, own } = suiteComputes();
  const call = (method: string, path = "", body?: unknown) => own.fixture.call(method, `/endpoints${path}`, body);
  /** Requests a compute on the branch. */
  const request = (members: object = {}) =>
    call("POST", "", { endpoint: { branch_id: own.branchId, type: "read_only", ...members } });
  // The following let the operations finish.
  const create = async (members?: object) => {
    const response = await request(members);
    finish();
    return response;
  };
  const change = (members: object, id = own.endpointId) =>
    own.fixture.send("PATCH", `/endpoints/${id}`, { endpoint: members });
  const act = (action: string, id = own.endpointId) => own.fixture.send("POST", `/endpoints/${id}/${action}`);
  const state = (id = own.endpointId) => own.fixture.getEndpoint(id);

  describe("create", () => {
    it("leaves a read-only compute with the requested values idle, until it is started", async () => {
      const input = {
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
      const response = await create({ ...input, region_id: "aws-us-east-2" });
      assert.equal(response.status, 201);
      assert.deepEqual(actionsOf(response), []);
      const { endpoint } = response.body;
      for (const [name, value] of Object.entries({ ...input, branch_id: own.branchId, type: "read_only" })) {
        assert.deepEqual(endpoint[name as keyof typeof endpoint], value, name);
      }
      assert.equal(endpoint.host, `${endpoint.id}.${endpoint.proxy_host}`);
      assertMembers(await state(endpoint.id), {
        current_state: "idle",
        pending_state: undefined,
        started_at: undefined,
      });
      assert.deepEqual(actionsOf(await act("start", endpoint.id)), ["start_compute"]);
      assert.equal((await state(endpoint.id)).current_state, "active");
      const { body } = await own.fixture.call("GET", `/branches/${own.branchId}/endpoints`);
      assert.deepEqual(new Set(idsOf(body.endpoints)), new Set([own.endpointId, endpoint.id]));
    });

    it("does not start a disabled compute", async () => {
      const { branch } = await own.fixture.branch();
      const response = await create({ branch_id: branch.id, type: "read_write", disabled: true });
      assert.deepEqual(actionsOf(response), []);
      assert.equal(response.body.endpoint.current_state, "idle");
    });

    it("accepts a read-write compute after the deletion of the previous one has finished", async () => {
      await whileStuck("suspend_compute", async () => {
        assert.deepEqual(actionsOf(await call("DELETE", `/${own.endpointId}`)), ["suspend_compute"]);
        for (const disabled of [false, true]) {
          assertError(await request({ type: "read_write", disabled }), 423, /still being deleted/);
        }
      });
      assert.equal((await create({ type: "read_write" })).status, 201);
    });

    it("rejects a branch whose creation has failed", async () => {
      await platform().fault({ action: "create_branch", end: "error" });
      const { branch } = await own.fixture.branch();
      assertError(await request({ branch_id: branch.id, type: "read_write" }), 422, /branch not ready yet/);
    });

    for (const [what, input, status, message] of [
      ["settings without pg_settings", { settings: { preload_libraries: {} } }, 400, /settings must not be nil/],
      ["an unknown branch", { branch_id: "br-no-such-one" }, 404, /branch not found/],
      ["another region", { region_id: "aws-eu-west-2" }, 400, /region/],
      ["a range that is too wide", { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 16 }, 400, /CU/],
      ["an unknown provisioner", { provisioner: "abacus" }, 400, /provisioner/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        assertError(await request(input), status, message);
      });
    }
  });

  describe("update", () => {
    it("applies the new configuration of an active compute in an operation [1.5 apply config]", async () => {
      const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4, suspend_timeout_seconds: -1 };
      const response = await change({ ...sizes, settings: { pg_settings: { a: "b" } } });
      assert.deepEqual(actionsOf(response), ["apply_config"]);
      const { autoscaling_limit_max_cu, suspend_timeout_seconds, settings } = response.body.endpoint;
      assert.deepEqual([autoscaling_limit_max_cu, suspend_timeout_seconds], [4, -1]);
      assert.deepEqual(settings, { pg_settings: { a: "b" } });
    });

    it("needs no operation for an idle compute, another name or the current values", async () => {
      await act("suspend");
      assert.deepEqual(actionsOf(await change({ autoscaling_limit_max_cu: 4 })), []);
      assert.equal((await state()).autoscaling_limit_max_cu, 4);
      await act("start");
      assert.deepEqual(actionsOf(await change({ name: "reporting" })), []);
      const before = await state();
      assert.equal(before.name, "reporting");
      assert.deepEqual(actionsOf(await change({ name: "reporting", disabled: false })), []);
      assert.equal((await state()).updated_at, before.updated_at);
    });

    it("keeps the requested values even if the operation fails", async () => {
      await platform().fault({ action: "apply_config", end: "error" });
      await change({ autoscaling_limit_max_cu: 4 });
      assertMembers(await state(), { autoscaling_limit_max_cu: 4, current_state: "active" });
    });

    it("to disabled suspends the compute, which then cannot be started", async () => {
      assert.deepEqual(actionsOf(await change({ disabled: true })), ["suspend_compute"]);
      assert.equal((await state()).current_state, "idle");
      for (const action of ["start", "restart"]) assertError(await act(action), 422, /disabled/);
      await change({ disabled: false });
      assert.equal((await act("start")).status, 200);
    });

    it("checks the autoscaling range when only one limit is given", async () => {
      assertError(await change({ autoscaling_limit_min_cu: 4 }), 400, /minimum of 4 CU is above the maximum of 2 CU/);
    });

    it("moves the compute to a branch without a read-write compute", async () => {
      const { branch } = await own.fixture.branch();
      assert.deepEqual(actionsOf(await change({ branch_id: branch.id })), ["apply_config"]);
      assert.equal((await state()).branch_id, branch.id);
      const { endpoint } = (await create({ type: "read_write" })).body;
      const moved = await change({ branch_id: branch.id }, endpoint.id);
      assertError(moved, 422, /already exists/, "ENDPOINTS_LIMIT_EXCEEDED");
    });
  });

  describe("start, suspend and restart", () => {
    it("change the state between active and idle [1.5 start compute]", async () => {
      const suspended = await act("suspend");
      assert.deepEqual(actionsOf(suspended), ["suspend_compute"]);
      assertMembers(suspended.body.endpoint, { current_state: "active", pending_state: "idle" });
      const idle = await state();
      assert.equal(idle.current_state, "idle");
      assert.ok(idle.suspended_at);
      assert.deepEqual(actionsOf(await act("suspend")), []);
      assert.deepEqual(actionsOf(await act("start")), ["start_compute"]);
      assert.equal((await state()).current_state, "active");
      assert.deepEqual(actionsOf(await act("start")), []);
      assert.deepEqual(actionsOf(await act("restart")), ["suspend_compute", "start_compute"]);
      const active = await state();
      assertMembers(active, { current_state: "active", pending_state: undefined });
    });

    it("report 423 while the state is changing", async () => {
      await whileStuck("suspend_compute", async () => {
        await call("POST", `/${own.endpointId}/restart`);
        assertError(await act("suspend"), 423, /transitive state, could not suspend/);
        assertError(await change({ disabled: true }), 423, /conflicting operations/);
      });
      await whileStuck("suspend_compute", async () => {
        await call("POST", `/${own.endpointId}/suspend`);
        assertError(await act("start"), 423, /transitive state, could not start/);
      });
      assert.deepEqual(actionsOf(await act("start")), ["start_compute"]);
    });

    it("start works after the first start has failed", async () => {
      await platform().fault({ action: "start_compute", end: "error" });
      const { endpoints } = await own.fixture.branch({ endpoints: [{ type: "read_write" }] });
      const id = endpoints[0]?.id;
      assert.equal((await state(id)).current_state, "init");
      assert.deepEqual(actionsOf(await act("start", id)), ["start_compute"]);
      assert.equal((await state(id)).current_state, "active");
    });

    it("the compute stays idle when start fails", async () => {
      await act("suspend");
      await platform().fault({ action: "start_compute", end: "cancelled" });
      await act("start");
      assertMembers(await state(), { current_state: "idle", pending_state: undefined });
    });
  });

  describe("delete", () => {
    it("needs no operation for an idle compute", async () => {
      await act("suspend");
      assert.deepEqual(actionsOf(await call("DELETE", `/${own.endpointId}`)), []);
    });

    it("makes the compute visible again when the operation fails", async () => {
      await platform().fault({ action: "suspend_compute", end: "error" });
      await own.fixture.send("DELETE", `/endpoints/${own.endpointId}`);
      assert.equal((await state()).current_state, "active");
    });

    it("rejects the compute of a protected branch", async () => {
      await own.fixture.done("PATCH", `/branches/${own.branchId}`, { branch: { protected: true } });
      assertError(await call("DELETE", `/${own.endpointId}`), 422, /protected/);
      await own.fixture.done("PATCH", `/branches/${own.branchId}`, { branch: { protected: false } });
    });
  });
});

describe("local platform: limit of active computes", () => {
  const platform = suitePlatform({ operationTime: "0", computeLimit: true });

  it("rejects the 21st active compute until another one is suspended", async () => {
    const { project, branch, endpoints } = await platform().project();
    const path = `/projects/${project.id}/endpoints`;
    const post = async (url: string, body?: object) => {
      const response = await platform().call("POST", path + url, body);
      await platform().settled(project.id);
      return response;
    };
    const another = async () => {
      const { body } = await post("", { endpoint: { branch_id: branch.id, type: "read_only" } });
      return post(`/${body.endpoint.id}/start`);
    };
    for (let active = 1; active < 20; active += 1) assert.equal((await another()).status, 200);
    const rejected = await another();
    assertError(rejected, 422, /limit of 20 computes/, "ACTIVE_ENDPOINTS_LIMIT_EXCEEDED");

    const first = `/${endpoints[0]?.id ?? ""}`;
    assert.equal((await post(`${first}/restart`)).status, 200, "one that is active takes no more room");
    await post(`${first}/suspend`);
    assert.equal((await another()).status, 200);
    for (const action of ["start", "restart"]) {
      assert.equal((await post(`${first}/${action}`)).body.code, rejected.body.code);
    }
  });
});
