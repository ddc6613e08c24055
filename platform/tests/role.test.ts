import { before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnded } from "../../api/operations/status";
import { type Answer, startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";
import { actionsOf, assertError } from "./support/responses";

describe("local platform: roles", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let projectId: string;
  /** A branch with an active compute. */
  let branchId: string;
  let endpointId: string;
  before(async () => {
    projectId = (await platform().project()).project.id;
  });
  beforeEach(async () => {
    const branch = await child({ endpoints: [{ type: "read_write" }] });
    branchId = branch.branch.id;
    endpointId = branch.endpoints[0]?.id ?? "";
  });

  const settled = () => platform().settled(projectId);
  const child = async (input: object) => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, input);
    await settled();
    return body;
  };
  const call = (method: string, path = "", body?: unknown, branch = branchId) =>
    platform().call(method, `/projects/${projectId}/branches/${branch}/roles${path}`, body);
  const create = async (role: object, branch = branchId): Promise<Answer> => {
    const response = await call("POST", "", { role }, branch);
    await settled();
    return response;
  };
  const reveal = async (name: string, branch = branchId) =>
    await call("GET", `/${name}/reveal_password`, undefined, branch);
  const passwordOf = async (name: string, branch = branchId): Promise<string> => {
    const { status, body } = await reveal(name, branch);
    assert.equal(status, 200, body.message);
    return body.password;
  };
  const uri = async (name: string): Promise<URL> => {
    const query = `database_name=neondb&role_name=${encodeURIComponent(name)}&branch_id=${branchId}`;
    const { status, body } = await platform().call("GET", `/projects/${projectId}/connection_uri?${query}`);
    assert.equal(status, 200, body.message);
    return new URL(body.uri);
  };
  const names = async (branch = branchId) =>
    (await call("GET", "", undefined, branch)).body.roles.map(({ name }) => name);
  const state = async () =>
    (await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`)).body.endpoint.current_state;

  describe("create", () => {
    it("returns a password, which otherwise only reveal_password returns, and needs one operation", async () => {
      const response = await call("POST", "", { role: { name: "app" } });
      assert.equal(response.status, 201);
      const [operation, ...others] = response.body.operations;
      assert.deepEqual(others, []);
      assert.equal(operation?.action, "apply_config");
      assert.deepEqual([operation.branch_id, operation.endpoint_id], [branchId, endpointId]);
      const { role } = response.body;
      assert.deepEqual([role.name, role.branch_id, role.authentication_method], ["app", branchId, "password"]);
      assert.match(role.password ?? "", /^npg_\w{16}$/);
      await settled();
      const { password, ...shown } = role;
      assert.deepEqual((await call("GET", "/app")).body.role, shown);
      assert.deepEqual(
        (await call("GET")).body.roles.find(({ name }) => name === "app"),
        shown,
      );
      assert.equal(await passwordOf("app"), password);
      assert.equal((await uri("app")).password, password);
    });

    it("with no_login creates a role whose password cannot be revealed or reset", async () => {
      const { body } = await create({ name: "group", no_login: true });
      assert.deepEqual([body.role.authentication_method, body.role.password], ["no_login", undefined]);
      assertError(await reveal("group"), 422, /"group" cannot log in/);
      assertError(await call("POST", "/group/reset_password"), 422, /"group" cannot log in/);
    });

    it("starts an idle compute and suspends it again", async () => {
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      await platform().fault({ action: "apply_config", end: "stuck" });
      const response = await call("POST", "", { role: { name: "app" } });
      assert.deepEqual(actionsOf(response), ["apply_config", "suspend_compute"]);
      const { body } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.deepEqual([body.endpoint.current_state, body.endpoint.pending_state], ["idle", "active"]);
      await platform().clearFaults();
      await settled();
      const { body: after } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.deepEqual([after.endpoint.current_state, after.endpoint.pending_state], ["idle", undefined]);
      assert.ok((after.endpoint.started_at ?? "") > (body.endpoint.suspended_at ?? ""));
    });

    it("keeps an active compute active", async () => {
      await create({ name: "app" });
      assert.equal(await state(), "active");
    });

    it("needs no operation on a branch without a compute", async () => {
      const { branch } = await child({});
      const response = await call("POST", "", { role: { name: "app" } }, branch.id);
      assert.deepEqual([response.status, actionsOf(response)], [201, []]);
      assert.equal(await passwordOf("app", branch.id), response.body.role.password);
    });

    it("adds the role to its branch only, and new child branches get a copy with its password", async () => {
      await create({ name: "app" });
      const other = (await child({})).branch.id;
      assert.deepEqual(await names(other), ["neondb_owner"]);
      const own = (await child({ branch: { parent_id: branchId } })).branch.id;
      assert.deepEqual(await names(own), ["neondb_owner", "app"]);
      assert.equal(await passwordOf("app", own), await passwordOf("app"));
      assert.equal((await call("DELETE", "/app", undefined, own)).status, 200);
      await settled();
      assert.deepEqual(await names(), ["neondb_owner", "app"]);
    });

    it("accepts any character in the name", async () => {
      for (const name of ["a/b", "50% off", "größe", "%2F", "a b?c#d&e=f", "名前", "'; drop", "..."]) {
        const { status, body } = await create({ name });
        assert.equal(status, 201, body.message);
        const path = `/${encodeURIComponent(name)}`;
        assert.equal((await call("GET", path)).body.role.name, name);
        assert.equal(decodeURIComponent((await uri(name)).username), name);
        const reset = await call("POST", `${path}/reset_password`);
        assert.equal(reset.body.role.name, name);
        await settled();
        assert.equal(await passwordOf(encodeURIComponent(name)), reset.body.role.password);
        assert.equal((await call("DELETE", path)).body.role.name, name);
        await settled();
        assert.equal((await call("GET", path)).status, 404);
      }
    });

    for (const [what, role, status, message] of [
      ["no name", {}, 400, /role\.name/],
      ["an empty name", { name: "" }, 400, /role\.name/],
      ["a name of 64 bytes", { name: "é".repeat(32) }, 400, /63 bytes/],
      ["a name with a NUL", { name: "a\0b" }, 400, /NUL/],
      ["an invalid flag", { name: "app", no_login: "yes" }, 400, /no_login/],
      ["a name that starts with pg", { name: "pgapp" }, 422, /"pgapp" is reserved/],
      ["the name neon_superuser", { name: "neon_superuser" }, 422, /reserved/],
      ["the name cloud_admin", { name: "cloud_admin" }, 422, /reserved/],
      ["the name zenith_admin", { name: "zenith_admin" }, 422, /reserved/],
      ["the name public", { name: "public" }, 422, /reserved/],
      ["the name none", { name: "none" }, 422, /reserved/],
      ["a name in use", { name: "neondb_owner" }, 409, /"neondb_owner" already exists/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        assertError(await create(role), status, message);
        assert.deepEqual(await names(), ["neondb_owner"]);
      });
    }

    it("accepts a name of 63 bytes", async () => {
      assert.equal((await create({ name: `${"é".repeat(31)}x` })).status, 201);
    });

    it("reports 404 for an unknown branch or project", async () => {
      assertError(await create({ name: "app" }, "br-no-such-1"), 404, /branch not found/);
      const { status } = await platform().call("POST", `/projects/no-such-1/branches/${branchId}/roles`, {
        role: { name: "app" },
      });
      assert.equal(status, 404);
    });

    it("rejects more than 500 roles on a branch", async () => {
      const { branch } = await child({});
      for (let index = 1; index < 500; index += 1) {
        const { status } = await call("POST", "", { role: { name: `role-${index}`, no_login: true } }, branch.id);
        assert.equal(status, 201);
      }
      assertError(await create({ name: "one-more" }, branch.id), 422, /limit of 500 roles/, "ROLES_LIMIT_EXCEEDED");
      assert.equal((await call("DELETE", "/role-7", undefined, branch.id)).status, 200);
      assert.equal((await create({ name: "one-more" }, branch.id)).status, 201);
    });
  });

  describe("reset_password", () => {
    it("returns a new password, which replaces the old one when the operation has finished", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "stuck" });
      const reset = await call("POST", "/app/reset_password");
      assert.equal(reset.status, 200);
      assert.deepEqual(actionsOf(reset), ["apply_config"]);
      const { password } = reset.body.role;
      assert.notEqual(password, made.role.password);
      assert.ok(reset.body.role.updated_at > made.role.updated_at);
      assert.equal(reset.body.role.created_at, made.role.created_at);
      assert.equal(await passwordOf("app"), made.role.password);
      assert.equal((await uri("app")).password, made.role.password);
      await platform().clearFaults();
      await settled();
      assert.equal(await passwordOf("app"), password);
      assert.equal((await uri("app")).password, password);
    });

    it("replaces the password after the last of several operations", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      const reset = await call("POST", "/app/reset_password");
      assert.deepEqual(actionsOf(reset), ["apply_config", "suspend_compute"]);
      const [apply] = reset.body.operations;
      for (let isApplied = false; !isApplied;) {
        const { body } = await platform().call("GET", `/projects/${projectId}/operations/${apply?.id ?? ""}`);
        isApplied = isEnded(body.operation.status);
      }
      assert.equal(await passwordOf("app"), made.role.password);
      await platform().clearFaults();
      await settled();
      assert.equal(await passwordOf("app"), reset.body.role.password);
    });

    for (const end of ["error", "cancelled"]) {
      it(`keeps the old password if the operation ends as ${end}`, async () => {
        const { body: made } = await create({ name: "app" });
        await platform().fault({ action: "apply_config", end });
        await call("POST", "/app/reset_password");
        await settled();
        assert.equal(await passwordOf("app"), made.role.password);
      });
    }

    it("needs no operation without a compute", async () => {
      const { branch } = await child({});
      await create({ name: "app" }, branch.id);
      const reset = await call("POST", "/app/reset_password", undefined, branch.id);
      assert.deepEqual(actionsOf(reset), []);
      assert.equal(await passwordOf("app", branch.id), reset.body.role.password);
    });

    it("reports 404 for an unknown role", async () => {
      assertError(await call("POST", "/nobody/reset_password"), 404, /role not found/);
      assertError(await reveal("nobody"), 404, /role not found/);
    });
  });

  describe("without stored passwords", () => {
    it("returns a password only when it is created or reset", async () => {
      const { project, branch } = await platform().project({ store_passwords: false });
      const path = `/projects/${project.id}/branches/${branch.id}/roles`;
      const made = await platform().call("POST", path, { role: { name: "app" } });
      assert.match(made.body.role.password ?? "", /^npg_/);
      await platform().settled(project.id);
      const reset = await platform().call("POST", `${path}/app/reset_password`);
      assert.match(reset.body.role.password ?? "", /^npg_/);
      assert.notEqual(reset.body.role.password, made.body.role.password);
      await platform().settled(project.id);
      assertError(await platform().call("GET", `${path}/app/reveal_password`), 412, /"app" is not stored/);
      const query = `branch_id=${branch.id}&role_name=app&database_name=neondb`;
      assertError(await platform().call("GET", `/projects/${project.id}/connection_uri?${query}`), 412, /not stored/);
    });
  });

  describe("delete", () => {
    it("hides the role at once and then returns 204", async () => {
      await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "stuck" });
      const response = await call("DELETE", "/app");
      assert.equal(response.status, 200);
      assert.deepEqual(actionsOf(response), ["apply_config"]);
      assert.equal(response.body.role.name, "app");
      assert.equal((await call("GET", "/app")).status, 404);
      assert.deepEqual(await names(), ["neondb_owner"]);
      assert.equal((await call("DELETE", "/app")).status, 204);
      // The name stays in use until the deletion has finished.
      assertError(await call("POST", "", { role: { name: "app" } }), 423, /conflicting operations/);
      await platform().clearFaults();
      await settled();
      assert.equal((await create({ name: "app" })).status, 201);
    });

    it("makes the role visible again when the operation fails", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "error" });
      await call("DELETE", "/app");
      await settled();
      assert.deepEqual(await names(), ["neondb_owner", "app"]);
      assert.equal(await passwordOf("app"), made.role.password);
    });

    it("rejects a role that owns databases and names them", async () => {
      await create({ name: "app" });
      const path = `/projects/${projectId}/branches/${branchId}/databases`;
      for (const name of ["shop", "stock"]) {
        await platform().call("POST", path, { database: { name, owner_name: "app" } });
        await settled();
      }
      assertError(await call("DELETE", "/app"), 422, /role "app" owns "shop", "stock"/);
      for (const name of ["shop", "stock"]) {
        await platform().call("PATCH", `${path}/${name}`, { database: { owner_name: "neondb_owner" } });
        await settled();
      }
      assert.equal((await call("DELETE", "/app")).status, 200);
    });

    it("returns 204 for an unknown role and 404 for an unknown branch", async () => {
      assert.equal((await call("DELETE", "/nobody")).status, 204);
      assert.equal((await call("DELETE", "/nobody", undefined, "br-no-such-1")).status, 404);
    });
  });

  it("a reset and a deletion in progress continue after a restart", async () => {
    const data = mkdtempSync(join(tmpdir(), "neon-platform-"));
    const clock = new ManualPlatformClock();
    const start = () => startTestPlatform({ data, clock, operationTime: "1s" });
    const first = await start();
    const made = async () => {
      const { body } = await first.call("POST", "/projects", { project: {} });
      clock.advance(10_000);
      const roles = `/projects/${body.project.id}/branches/${body.branch.id}/roles`;
      const { role } = (await first.call("POST", roles, { role: { name: "app" } })).body;
      clock.advance(10_000);
      return { path: `${roles}/app`, password: role.password };
    };
    const [kept, deleted] = [await made(), await made()];
    const reset = await first.call("POST", `${kept.path}/reset_password`);
    assert.deepEqual(actionsOf(reset), ["apply_config"]);
    assert.deepEqual(actionsOf(await first.call("DELETE", deleted.path)), ["apply_config"]);
    await first.close();
    const second = await start();
    try {
      const revealed = async () => (await second.call("GET", `${kept.path}/reveal_password`)).body.password;
      assert.equal(await revealed(), kept.password);
      assert.equal((await second.call("GET", deleted.path)).status, 404);
      clock.advance(10_000);
      assert.equal(await revealed(), reset.body.role.password);
      const again = await second.call("POST", deleted.path.replace("/app", ""), { role: { name: "app" } });
      assert.equal(again.status, 201);
      assert.notEqual(again.body.role.password, deleted.password);
    } finally {
      await second.close();
      rmSync(data, { recursive: true, force: true });
    }
  });

  it("create, reset and delete report 423 while operations of the project are in progress", async () => {
    await create({ name: "app" });
    const other = (await child({})).branch.id;
    await platform().fault({ action: "start_compute", end: "stuck" });
    await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/restart`);
    for (const branch of [branchId, other]) {
      assertError(await call("POST", "", { role: { name: "new" } }, branch), 423, /conflicting operations/);
    }
    assertError(await call("POST", "/app/reset_password"), 423, /conflicting operations/);
    assertError(await call("DELETE", "/app"), 423, /conflicting operations/);
    await platform().clearFaults();
    await settled();
    assert.deepEqual(await names(), ["neondb_owner", "app"]);
  });
});
