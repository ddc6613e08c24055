import { before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnded } from "../../api/operations/status";
import { type Answer, startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

describe("platform: roles", () => {
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
  const child = async (asked: object) => {
    const { body } = await platform().call("POST", `/projects/${projectId}/branches`, asked);
    await settled();
    return body;
  };
  const call = (method: string, path = "", body?: unknown, branch = branchId) =>
    platform().call(method, `/projects/${projectId}/branches/${branch}/roles${path}`, body);
  const create = async (role: object, branch = branchId): Promise<Answer> => {
    const answer = await call("POST", "", { role }, branch);
    await settled();
    return answer;
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
  const actions = ({ body }: Answer) => body.operations.map(({ action }) => action);
  const state = async () =>
    (await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`)).body.endpoint.current_state;
  const refused = ({ status, body }: Answer, expected: number, message: RegExp, code = "") => {
    assert.equal(status, expected);
    assert.match(body.message, message);
    assert.equal(body.code, code);
  };

  describe("a new one", () => {
    it("gets a password that only this answer and a reveal tell, by one operation", async () => {
      const answer = await call("POST", "", { role: { name: "app" } });
      assert.equal(answer.status, 201);
      const [operation, ...others] = answer.body.operations;
      assert.deepEqual(others, []);
      assert.equal(operation?.action, "apply_config");
      assert.deepEqual([operation.branch_id, operation.endpoint_id], [branchId, endpointId]);
      const { role } = answer.body;
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

    it("that cannot log in has no password to tell or reset", async () => {
      const { body } = await create({ name: "group", no_login: true });
      assert.deepEqual([body.role.authentication_method, body.role.password], ["no_login", undefined]);
      refused(await reveal("group"), 422, /"group" cannot log in/);
      refused(await call("POST", "/group/reset_password"), 422, /"group" cannot log in/);
    });

    it("wakes a compute that rests, which rests again afterwards", async () => {
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      await platform().fault({ action: "apply_config", end: "stuck" });
      const answer = await call("POST", "", { role: { name: "app" } });
      assert.deepEqual(actions(answer), ["apply_config", "suspend_compute"]);
      const { body } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.deepEqual([body.endpoint.current_state, body.endpoint.pending_state], ["idle", "active"]);
      await platform().clearFaults();
      await settled();
      const { body: after } = await platform().call("GET", `/projects/${projectId}/endpoints/${endpointId}`);
      assert.deepEqual([after.endpoint.current_state, after.endpoint.pending_state], ["idle", undefined]);
      assert.ok((after.endpoint.started_at ?? "") > (body.endpoint.suspended_at ?? ""));
    });

    it("leaves an active compute active", async () => {
      await create({ name: "app" });
      assert.equal(await state(), "active");
    });

    it("on a branch without a compute needs no operation", async () => {
      const { branch } = await child({});
      const answer = await call("POST", "", { role: { name: "app" } }, branch.id);
      assert.deepEqual([answer.status, actions(answer)], [201, []]);
      assert.equal(await passwordOf("app", branch.id), answer.body.role.password);
    });

    it("belongs to its branch alone, and goes with its password to what branches from that", async () => {
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

    it("may hold any character in its name, and is found by it", async () => {
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
      ["a flag that is none", { name: "app", no_login: "yes" }, 400, /no_login/],
      ["a name that begins with pg", { name: "pgapp" }, 422, /"pgapp" is reserved/],
      ["the name neon_superuser", { name: "neon_superuser" }, 422, /reserved/],
      ["the name cloud_admin", { name: "cloud_admin" }, 422, /reserved/],
      ["the name zenith_admin", { name: "zenith_admin" }, 422, /reserved/],
      ["the name public", { name: "public" }, 422, /reserved/],
      ["the name none", { name: "none" }, 422, /reserved/],
      ["a name that is taken", { name: "neondb_owner" }, 409, /"neondb_owner" already exists/],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        refused(await create(role), status, message);
        assert.deepEqual(await names(), ["neondb_owner"]);
      });
    }

    it("may have a name of 63 bytes", async () => {
      assert.equal((await create({ name: `${"é".repeat(31)}x` })).status, 201);
    });

    it("is refused on a branch, or in a project, that is not there", async () => {
      refused(await create({ name: "app" }, "br-no-such-1"), 404, /branch not found/);
      const { status } = await platform().call("POST", `/projects/no-such-1/branches/${branchId}/roles`, {
        role: { name: "app" },
      });
      assert.equal(status, 404);
    });

    it("is refused beyond 500 on a branch, with the code of that limit", async () => {
      const { branch } = await child({});
      for (let index = 1; index < 500; index += 1) {
        const { status } = await call("POST", "", { role: { name: `role-${index}`, no_login: true } }, branch.id);
        assert.equal(status, 201);
      }
      refused(await create({ name: "one-more" }, branch.id), 422, /limit of 500 roles/, "ROLES_LIMIT_EXCEEDED");
      assert.equal((await call("DELETE", "/role-7", undefined, branch.id)).status, 200);
      assert.equal((await create({ name: "one-more" }, branch.id)).status, 201);
    });
  });

  describe("resetting its password", () => {
    it("answers another one, which takes the place of the old one when its operation is over", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "stuck" });
      const reset = await call("POST", "/app/reset_password");
      assert.equal(reset.status, 200);
      assert.deepEqual(actions(reset), ["apply_config"]);
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

    it("waits for the last operation where there are several", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`);
      await settled();
      await platform().fault({ action: "suspend_compute", end: "stuck" });
      const reset = await call("POST", "/app/reset_password");
      assert.deepEqual(actions(reset), ["apply_config", "suspend_compute"]);
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
      it(`changes nothing if its operation ends as ${end}`, async () => {
        const { body: made } = await create({ name: "app" });
        await platform().fault({ action: "apply_config", end });
        await call("POST", "/app/reset_password");
        await settled();
        assert.equal(await passwordOf("app"), made.role.password);
      });
    }

    it("needs no operation without a compute, and is in force at once", async () => {
      const { branch } = await child({});
      await create({ name: "app" }, branch.id);
      const reset = await call("POST", "/app/reset_password", undefined, branch.id);
      assert.deepEqual(actions(reset), []);
      assert.equal(await passwordOf("app", branch.id), reset.body.role.password);
    });

    it("is refused for a role that is not there", async () => {
      refused(await call("POST", "/nobody/reset_password"), 404, /role not found/);
      refused(await reveal("nobody"), 404, /role not found/);
    });
  });

  describe("of a project that stores no passwords", () => {
    it("are told their passwords once, when they are made or reset", async () => {
      const { project, branch } = await platform().project({ store_passwords: false });
      const path = `/projects/${project.id}/branches/${branch.id}/roles`;
      const made = await platform().call("POST", path, { role: { name: "app" } });
      assert.match(made.body.role.password ?? "", /^npg_/);
      await platform().settled(project.id);
      const reset = await platform().call("POST", `${path}/app/reset_password`);
      assert.match(reset.body.role.password ?? "", /^npg_/);
      assert.notEqual(reset.body.role.password, made.body.role.password);
      await platform().settled(project.id);
      refused(await platform().call("GET", `${path}/app/reveal_password`), 412, /"app" is not stored/);
      const query = `branch_id=${branch.id}&role_name=app&database_name=neondb`;
      refused(await platform().call("GET", `/projects/${project.id}/connection_uri?${query}`), 412, /not stored/);
    });
  });

  describe("deleting one", () => {
    it("takes it away at once, and answers 204 from then on", async () => {
      await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "stuck" });
      const answer = await call("DELETE", "/app");
      assert.equal(answer.status, 200);
      assert.deepEqual(actions(answer), ["apply_config"]);
      assert.equal(answer.body.role.name, "app");
      assert.equal((await call("GET", "/app")).status, 404);
      assert.deepEqual(await names(), ["neondb_owner"]);
      assert.equal((await call("DELETE", "/app")).status, 204);
      // Its name is not free before it is gone for good.
      refused(await call("POST", "", { role: { name: "app" } }), 423, /conflicting operations/);
      await platform().clearFaults();
      await settled();
      assert.equal((await create({ name: "app" })).status, 201);
    });

    it("that ends badly leaves it there", async () => {
      const { body: made } = await create({ name: "app" });
      await platform().fault({ action: "apply_config", end: "error" });
      await call("DELETE", "/app");
      await settled();
      assert.deepEqual(await names(), ["neondb_owner", "app"]);
      assert.equal(await passwordOf("app"), made.role.password);
    });

    it("is refused while it owns databases, which it names", async () => {
      await create({ name: "app" });
      const path = `/projects/${projectId}/branches/${branchId}/databases`;
      for (const name of ["shop", "stock"]) {
        await platform().call("POST", path, { database: { name, owner_name: "app" } });
        await settled();
      }
      refused(await call("DELETE", "/app"), 422, /role "app" owns "shop", "stock"/);
      for (const name of ["shop", "stock"]) {
        await platform().call("PATCH", `${path}/${name}`, { database: { owner_name: "neondb_owner" } });
        await settled();
      }
      assert.equal((await call("DELETE", "/app")).status, 200);
    });

    it("that was never there answers 204, and 404 on a branch that is not", async () => {
      assert.equal((await call("DELETE", "/nobody")).status, 204);
      assert.equal((await call("DELETE", "/nobody", undefined, "br-no-such-1")).status, 404);
    });
  });

  it("outlive a restart, with a reset and a deletion that are under way", async () => {
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
    assert.deepEqual(actions(reset), ["apply_config"]);
    assert.deepEqual(actions(await first.call("DELETE", deleted.path)), ["apply_config"]);
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

  it("are not changed while other operations of the project run, with a compute or without", async () => {
    await create({ name: "app" });
    const other = (await child({})).branch.id;
    await platform().fault({ action: "start_compute", end: "stuck" });
    await platform().call("POST", `/projects/${projectId}/endpoints/${endpointId}/restart`);
    for (const branch of [branchId, other]) {
      refused(await call("POST", "", { role: { name: "new" } }, branch), 423, /conflicting operations/);
    }
    refused(await call("POST", "/app/reset_password"), 423, /conflicting operations/);
    refused(await call("DELETE", "/app"), 423, /conflicting operations/);
    await platform().clearFaults();
    await settled();
    assert.deepEqual(await names(), ["neondb_owner", "app"]);
  });
});
