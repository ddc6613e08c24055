import { before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type Answer, type AnswerBody, suitePlatform } from "../../tests/support/platform";
import { actionsOf, assertError } from "./support/responses";

describe("local platform: computes", () => {
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
  /** Changes a compute, waits for the operations and returns the response. */
  const change = async (input: object, id = endpointId): Promise<Answer> => {
    const response = await call("PATCH", `/${id}`, { endpoint: input });
    await platform().settled(projectId);
    return response;
  };
  const act = async (action: string, id = endpointId): Promise<Answer> => {
    const response = await call("POST", `/${id}/${action}`);
    await platform().settled(projectId);
    return response;
  };
  const state = async (id = endpointId): Promise<AnswerBody["endpoint"]> => (await call("GET", `/${id}`)).body.endpoint;

  describe("create", () => {
    it("starts a read-only compute in one operation with the requested values", async () => {
      const input = {
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
      const response = await call("POST", "", { endpoint: { ...input, region_id: "aws-us-east-2" } });
      assert.equal(response.status, 201);
      assert.deepEqual(actionsOf(response), ["start_compute"]);
      assert.equal(response.body.operations[0]?.status, "running");
      const { endpoint } = response.body;
      for (const [name, value] of Object.entries(input)) {
        assert.deepEqual(endpoint[name as keyof typeof endpoint], value, name);
      }
      assert.equal(endpoint.host, `${endpoint.id}.${endpoint.proxy_host}`);
      await platform().settled(projectId);
      assert.equal((await state(endpoint.id)).current_state, "active");
      assert.ok((await state(endpoint.id)).started_at);
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branchId}/endpoints`);
      assert.deepEqual(new Set(body.endpoints.map(({ id }) => id)), new Set([endpointId, endpoint.id]));
    });

    it("does not start a disabled compute", async () => {
      const response = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only", disabled: true } });
      assert.deepEqual(actionsOf(response), []);
      assert.equal(response.body.endpoint.current_state, "idle");
    });

    it("rejects a second read-write compute on a branch", async () => {
      assertError(
        await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } }),
        409,
        /already exists/,
      );
    });

    it("accepts a read-write compute after the deletion of the previous one has finished", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("DELETE", `/${endpointId}`);
      const input = { branch_id: branchId, type: "read_write" };
      assertError(await call("POST", "", { endpoint: input }), 423, /still being deleted/);
      assertError(await call("POST", "", { endpoint: { ...input, disabled: true } }), 423, /still being deleted/);
      await platform().clearFaults();
      await platform().settled(projectId);
      assert.equal((await call("POST", "", { endpoint: input })).status, 201);
      await platform().settled(projectId);
    });

    it("accepts several read-only computes on a branch", async () => {
      for (let created = 0; created < 4; created += 1) {
        assert.equal((await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only" } })).status, 201);
        await platform().settled(projectId);
      }
      const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branchId}/endpoints`);
      assert.equal(body.endpoints.length, 5);
    });

    it("rejects a branch whose creation has failed", async () => {
      await platform().fault({ action: "create_branch", end: "error" });
      const { body } = await platform().call("POST", `/projects/${projectId}/branches`, {});
      await platform().settled(projectId);
      const input = { branch_id: body.branch.id, type: "read_write" };
      assertError(await call("POST", "", { endpoint: input }), 422, /is not ready yet/);
    });

    it("rejects settings without pg_settings", async () => {
      const settings = { preload_libraries: { use_defaults: true } };
      assertError(
        await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only", settings } }),
        400,
        /settings must not be nil/,
      );
    });

    for (const [what, input, status] of [
      ["no branch", { type: "read_only" }, 400],
      ["an unknown branch", { branch_id: "br-no-such-one", type: "read_only" }, 404],
      ["another region", { type: "read_only", region_id: "aws-eu-west-2" }, 400],
      ["an unknown type", { type: "write_only" }, 400],
      ["a name that is too long", { type: "read_only", name: "x".repeat(65) }, 400],
      ["an empty name", { type: "read_only", name: "" }, 400],
      ["a suspend timeout that is too short", { type: "read_only", suspend_timeout_seconds: 59 }, 400],
      [
        "an autoscaling range that is too wide",
        { type: "read_only", autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 16 },
        400,
      ],
      ["an unknown provisioner", { type: "read_only", provisioner: "abacus" }, 400],
    ] as const) {
      it(`rejects ${what}`, async () => {
        const asking = { ...(what === "no branch" ? {} : { branch_id: branchId }), ...input };
        assert.equal((await call("POST", "", { endpoint: asking })).status, status);
      });
    }
  });

  describe("update", () => {
    it("applies the new configuration of an active compute in an operation", async () => {
      const sizes = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4, suspend_timeout_seconds: -1 };
      const response = await change({ ...sizes, settings: { pg_settings: { a: "b" } } });
      assert.deepEqual(actionsOf(response), ["apply_config"]);
      assert.equal(response.body.endpoint.autoscaling_limit_max_cu, 4);
      assert.equal(response.body.endpoint.suspend_timeout_seconds, -1);
      assert.deepEqual(response.body.endpoint.settings, { pg_settings: { a: "b" } });
    });

    it("needs no operation for an idle compute", async () => {
      await act("suspend");
      const response = await change({ autoscaling_limit_max_cu: 4 });
      assert.deepEqual(actionsOf(response), []);
      assert.equal((await state()).autoscaling_limit_max_cu, 4);
    });

    it("needs no operation for another name or for the current values", async () => {
      assert.deepEqual(actionsOf(await change({ name: "reporting" })), []);
      assert.equal((await state()).name, "reporting");
      const { updated_at } = await state();
      assert.deepEqual(actionsOf(await change({ name: "reporting", disabled: false })), []);
      assert.equal((await state()).updated_at, updated_at);
    });

    it("keeps the requested values even if the operation fails", async () => {
      await platform().fault({ action: "apply_config", end: "error" });
      await change({ autoscaling_limit_max_cu: 4 });
      assert.equal((await state()).autoscaling_limit_max_cu, 4);
      assert.equal((await state()).current_state, "active");
    });

    it("to disabled suspends the compute, which then cannot be started", async () => {
      assert.deepEqual(actionsOf(await change({ disabled: true })), ["suspend_compute"]);
      assert.equal((await state()).current_state, "idle");
      assertError(await act("start"), 422, /disabled/);
      assertError(await act("restart"), 422, /disabled/);
      await change({ disabled: false });
      assert.equal((await act("start")).status, 200);
    });

    it("checks the autoscaling range when only one limit is given", async () => {
      assertError(await change({ autoscaling_limit_min_cu: 4 }), 400, /minimum of 4 CU is above the maximum of 2 CU/);
    });

    it("moves the compute to a branch without a read-write compute", async () => {
      const { body } = await platform().call("POST", `/projects/${projectId}/branches`, {});
      await platform().settled(projectId);
      assert.deepEqual(actionsOf(await change({ branch_id: body.branch.id })), ["apply_config"]);
      assert.equal((await state()).branch_id, body.branch.id);
      const { body: other } = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } });
      await platform().settled(projectId);
      assertError(await change({ branch_id: body.branch.id }, other.endpoint.id), 409, /already exists/);
    });
  });

  describe("start, suspend and restart", () => {
    it("change the state between active and idle", async () => {
      const suspended = await act("suspend");
      assert.deepEqual(actionsOf(suspended), ["suspend_compute"]);
      assert.equal(suspended.body.endpoint.current_state, "active");
      assert.equal(suspended.body.endpoint.pending_state, "idle");
      assert.equal((await state()).current_state, "idle");
      assert.ok((await state()).suspended_at);
      assert.deepEqual(actionsOf(await act("suspend")), []);
      assert.deepEqual(actionsOf(await act("start")), ["start_compute"]);
      assert.equal((await state()).current_state, "active");
      assert.deepEqual(actionsOf(await act("start")), []);
      assert.deepEqual(actionsOf(await act("restart")), ["suspend_compute", "start_compute"]);
      assert.equal((await state()).current_state, "active");
      assert.equal((await state()).pending_state, undefined);
    });

    it("suspend reports 423 while the state is changing", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("POST", `/${endpointId}/restart`);
      assertError(await call("POST", `/${endpointId}/suspend`), 423, /transitive state, could not suspend/);
      assertError(
        await call("PATCH", `/${endpointId}`, { endpoint: { disabled: true } }),
        423,
        /conflicting operations/,
      );
      await platform().clearFaults();
      await platform().settled(projectId);
    });

    it("start reports 423 while the compute is being suspended", async () => {
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      await call("POST", `/${endpointId}/suspend`);
      assertError(await call("POST", `/${endpointId}/start`), 423, /transitive state, could not start/);
      await platform().clearFaults();
      await platform().settled(projectId);
      assert.deepEqual(actionsOf(await act("start")), ["start_compute"]);
    });

    it("start works after the first start has failed", async () => {
      await platform().fault({ action: "start_compute", end: "error" });
      const { body } = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_only" } });
      await platform().settled(projectId);
      assert.equal((await state(body.endpoint.id)).current_state, "init");
      assert.deepEqual(actionsOf(await act("start", body.endpoint.id)), ["start_compute"]);
      assert.equal((await state(body.endpoint.id)).current_state, "active");
    });

    it("the compute stays idle when start fails", async () => {
      await act("suspend");
      await platform().fault({ action: "start_compute", end: "cancelled" });
      await act("start");
      assert.equal((await state()).current_state, "idle");
      assert.equal((await state()).pending_state, undefined);
    });
  });

  describe("delete", () => {
    it("suspends an active compute, and returns 204 the second time", async () => {
      assert.deepEqual(actionsOf(await call("DELETE", `/${endpointId}`)), ["suspend_compute"]);
      assert.equal((await call("GET", `/${endpointId}`)).status, 404);
      await platform().settled(projectId);
      assert.equal((await call("DELETE", `/${endpointId}`)).status, 204);
      const again = await call("POST", "", { endpoint: { branch_id: branchId, type: "read_write" } });
      assert.equal(again.status, 201);
      await platform().settled(projectId);
    });

    it("needs no operation for an idle compute", async () => {
      await act("suspend");
      assert.deepEqual(actionsOf(await call("DELETE", `/${endpointId}`)), []);
    });

    it("makes the compute visible again when the operation fails", async () => {
      await platform().fault({ action: "suspend_compute", end: "error" });
      await call("DELETE", `/${endpointId}`);
      await platform().settled(projectId);
      assert.equal((await state()).current_state, "active");
    });

    it("rejects the compute of a protected branch", async () => {
      await platform().call("PATCH", `/projects/${projectId}/branches/${branchId}`, { branch: { protected: true } });
      assertError(await call("DELETE", `/${endpointId}`), 422, /protected/);
    });
  });
});

describe("local platform: limit of active computes", () => {
  const platform = suitePlatform({ operationTime: "0", computeLimit: true });

  it("rejects the 21st active compute until another one is suspended", async () => {
    const { project, branch, endpoints } = await platform().project();
    const path = `/projects/${project.id}/endpoints`;
    const another = () => platform().call("POST", path, { endpoint: { branch_id: branch.id, type: "read_only" } });
    for (let active = 1; active < 20; active += 1) {
      assert.equal((await another()).status, 201);
      await platform().settled(project.id);
    }
    const rejected = await another();
    assertError(rejected, 422, /limit of 20 computes/, "ACTIVE_ENDPOINTS_LIMIT_EXCEEDED");
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
      assert.equal((await platform().call("POST", `${first}/${action}`)).body.code, rejected.body.code);
    }
  });
});
