import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../support/platform";
import { suiteProjects } from "./support/project";
import { actionsOf, assertError, assertMembers, idsOf, pagesOf, rowsOf, valuesOf } from "./support/responses";
import { second } from "./support/time";

describe("local platform: projects", () => {
  const { clock, platform, project: newProject } = suiteProjects();
  const create = (project: object) => platform().call("POST", "/projects", { project });
  const created = async (project: object = {}) => {
    const { status, body } = await create(project);
    assert.equal(status, 201, body.message);
    return body;
  };
  /** A project that is ready, and a function that changes it. */
  const ready = async (input?: object) => {
    const fixture = await newProject(input);
    return { ...fixture, update: (project: object) => fixture.send("PATCH", "", { project }) };
  };

  describe("create", () => {
    it("creates a branch, a compute, a role and a database, and returns the connection URI [1.5 create timeline]", async () => {
      const { project, branch, endpoints, roles, databases, connection_uris } = await created();
      assert.match(project.id, /^[a-z]+-[a-z]+-\d{8}$/);
      assert.equal(project.name, project.id);
      assertMembers(branch, { name: "main", default: true, parent_id: undefined });
      const [endpoint] = endpoints;
      assert.equal(endpoint?.branch_id, branch.id);
      const [role] = roles;
      assert.deepEqual([role?.name, databases[0]?.name], ["neondb_owner", "neondb"]);
      assert.equal(
        connection_uris[0]?.connection_uri,
        `postgresql://neondb_owner:${role?.password ?? ""}@${endpoint.host}/neondb?sslmode=require&channel_binding=require`,
      );
    });

    it("sets all requested values", async () => {
      const input = {
        name: "all of it",
        region_id: "azure-gwc",
        pg_version: 16,
        provisioner: "k8s-pod",
        store_passwords: true,
        history_retention_seconds: 604_800,
        branch: { name: "trunk", role_name: "sally", database_name: "my db/ü", annotations: { a: "b" } },
        default_endpoint_settings: {
          autoscaling_limit_min_cu: 1,
          autoscaling_limit_max_cu: 4,
          suspend_timeout_seconds: 600,
          pg_settings: { work_mem: "8MB" },
        },
        settings: {
          quota: { active_time_seconds: 3600 },
          allowed_ips: {
            ips: ["10.0.0.1", "10.0.0.1-10.0.0.9", "10.0.0.0/8", "::1/64"],
            protected_branches_only: true,
          },
          enable_logical_replication: true,
          maintenance_window: { weekdays: [1, 7], start_time: "01:00", end_time: "02:00" },
          block_public_connections: true,
          block_vpc_connections: true,
          audit_log_level: "extended",
          preload_libraries: { use_defaults: false, enabled_libraries: ["pg_cron"] },
        },
      };
      const body = await created(input);
      const path = `/projects/${body.project.id}`;
      const { project } = (await platform().call("GET", path)).body;
      const { branch: _branch, settings, ...members } = input;
      for (const [name, value] of Object.entries(members)) {
        assert.deepEqual(project[name as keyof typeof project], value, name);
      }
      assert.deepEqual(project.settings, { ...settings, hipaa: false });
      assert.equal(project.platform_id, "azure");
      const { endpoints, roles, databases, branch } = body;
      assert.deepEqual([branch.name, roles[0]?.name], ["trunk", "sally"]);
      assert.deepEqual([databases[0]?.name, databases[0]?.owner_name], ["my db/ü", "sally"]);
      const [endpoint] = endpoints;
      assertMembers(endpoint, { autoscaling_limit_max_cu: 4, suspend_timeout_seconds: 600 });
      assert.equal(endpoint?.provisioner, "k8s-pod");
      assert.deepEqual(endpoint.settings, { pg_settings: { work_mem: "8MB" } });
      assert.match(body.connection_uris[0]?.connection_uri ?? "", /\/my%20db%2F%C3%BC\?/);
      const { annotation } = (await platform().call("GET", `${path}/branches/${branch.id}`)).body;
      assert.deepEqual(annotation.value, { a: "b" });
      assert.deepEqual(annotation.object, { type: "console/branch", id: branch.id });
    });

    it("accepts the deprecated top-level sizes and unknown members", async () => {
      const sizes = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 1 };
      const { endpoints, project } = await created({ ...sizes, shoe_size: 43 });
      assert.equal(endpoints[0]?.autoscaling_limit_min_cu, 0.5);
      assert.equal(project.default_endpoint_settings?.autoscaling_limit_max_cu, 1);
    });

    it("has the defaults of the real platform", async () => {
      const { project } = await created();
      const { regions } = (await platform().call("GET", "/regions")).body;
      assert.equal(regions.length, 11);
      const defaults = regions.filter((region) => region.default);
      assert.deepEqual(valuesOf(defaults, "region_id"), [project.region_id]);
      const { region_id, platform_id, provisioner, store_passwords, history_retention_seconds } = project;
      assert.deepEqual([region_id, platform_id, provisioner], ["aws-us-east-2", "aws", "k8s-neonvm"]);
      assert.deepEqual([store_passwords, history_retention_seconds], [true, 86_400]);
      assert.equal(project.branch_logical_size_limit, 16_777_216);
      assert.deepEqual(project.settings?.allowed_ips, { ips: [], protected_branches_only: false });
      assert.equal(project.settings.enable_logical_replication, false);
      assert.equal(project.default_endpoint_settings?.suspend_timeout_seconds, 0);
    });

    for (const [what, project, message] of [
      ["an unknown region", { region_id: "mars-1" }, /region "mars-1" is unknown/],
      ["an unknown Postgres version", { pg_version: 99 }, /project\.pg_version: .* <=18/],
      ["an unknown provisioner", { provisioner: "abacus" }, /provisioner "abacus"/],
      ["a minimum above the maximum", { autoscaling_limit_min_cu: 4 }, /minimum of 4 CU is above the maximum/],
      ["a reserved role name", { branch: { role_name: "pg_monitor" } }, /role name "pg_monitor" is reserved/],
      ["an invalid IP address", { settings: { allowed_ips: { ips: ["10.0.0"] } } }, /"10\.0\.0" is not an IP/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        assertError(await create(project), 400, message);
      });
    }

    it("stores no passwords if store_passwords is false", async () => {
      const { created: body, main, call, branch } = await ready({ store_passwords: false });
      assert.match(body.roles[0]?.password ?? "", /^npg_/);
      assert.equal(body.connection_uris.length, 1);
      assert.equal((await call("GET", "/connection_uri?database_name=neondb&role_name=neondb_owner")).status, 412);
      const child = await branch({ branch: { parent_id: main.id }, endpoints: [{ type: "read_write" }] });
      assert.deepEqual([child.roles[0]?.password, child.connection_uris], [undefined, undefined]);
    });
  });

  describe("update", () => {
    it("changes the name without an operation, even while others are in progress", async () => {
      const { project: before } = await created({ name: "before" });
      const response = await platform().call("PATCH", `/projects/${before.id}`, { project: { name: "after" } });
      assert.deepEqual([response.status, actionsOf(response)], [200, []]);
      const { project } = response.body;
      assert.equal(project.name, "after");
      assert.ok(project.updated_at >= before.updated_at);
    });

    it("keeps omitted settings and replaces lists", async () => {
      const settings = { allowed_ips: { ips: ["1.1.1.1", "2.2.2.2"], protected_branches_only: true } };
      const { created: before, update } = await ready({ settings });
      const input = { settings: { allowed_ips: { ips: ["3.3.3.3"] }, quota: { logical_size_bytes: 5 } } };
      const { project } = (await update(input)).body;
      assert.deepEqual(project.settings?.allowed_ips, { ips: ["3.3.3.3"], protected_branches_only: true });
      assert.deepEqual(project.settings.quota, { logical_size_bytes: 5 });
      assert.deepEqual(project.settings.maintenance_window, before.project.settings?.maintenance_window);
    });

    it("applies a new history retention in an operation [1.5 apply storage config; 1.13 operation.branch_id]", async () => {
      const { update } = await ready();
      const { body } = await update({ history_retention_seconds: 0 });
      assert.equal(body.project.history_retention_seconds, 0);
      assert.deepEqual(rowsOf(body.operations, "action", "branch_id"), [["apply_storage_config", undefined]]);
      assert.deepEqual(actionsOf(await update({ history_retention_seconds: 0 })), []);
    });

    it("suspends active computes when logical replication is enabled, which cannot be reverted", async () => {
      const { update, getEndpoint } = await ready();
      const replicate = (enable_logical_replication: boolean) => update({ settings: { enable_logical_replication } });
      assert.deepEqual(actionsOf(await replicate(true)), ["suspend_compute"]);
      assert.equal((await getEndpoint()).current_state, "idle");
      assertError(await replicate(false), 400, /cannot be disabled/);
    });

    for (const level of ["base", "extended", "full"] as const) {
      it(`returns the audit log level ${level} as it was chosen, at the creation or later`, async () => {
        const { update } = await ready();
        const levelOf = async (id: string) =>
          (await platform().call("GET", `/projects/${id}`)).body.project.settings?.audit_log_level;
        const chosen = { settings: { audit_log_level: level } };
        const { project } = await created(chosen);
        const { body } = await update(chosen);
        for (const one of [project, body.project]) {
          assert.deepEqual([one.settings?.audit_log_level, await levelOf(one.id)], [level, level]);
        }
        assert.deepEqual(
          actionsOf(await update({ settings: { audit_log_level: "full" } })),
          level === "full" ? [] : ["apply_config"],
        );
        assert.equal((await update({ settings: { audit_log_level: "base" } })).status, 422);
        const { project: other } = await created();
        assert.equal(await levelOf(other.id), undefined);
      });
    }
  });

  describe("delete", () => {
    it("hides the project with its contents, and keeps it recoverable [1.5 delete tenant]", async () => {
      const { id, call, done } = await ready();
      await done("DELETE");
      for (const [method, path] of [
        ["GET", "/operations"],
        ["DELETE", ""],
      ] as const) {
        assert.equal((await call(method, path)).status, 404, method);
      }
      const [found] = (await platform().call("GET", `/projects?recoverable=true&search=${id}`)).body.projects;
      assert.equal(found?.id, id);
      assert.ok(found.recoverable_until);
      assert.equal((await done("POST", "/recover")).branches.length, 1);
      assert.equal((await call("GET")).status, 200);
      assert.equal((await call("POST", "/recover")).status, 422);
    });

    it("rejects a project with a protected branch", async () => {
      const { main, done, send } = await ready();
      for (const [isProtected, status] of [
        [true, 422],
        [false, 200],
      ] as const) {
        await done("PATCH", `/branches/${main.id}`, { branch: { protected: isProtected } });
        assert.equal((await send("DELETE")).status, status);
      }
    });
  });

  it("has the specified members of each project [1.3 project.id; 1.3 project.name; 1.3 project.platform_id; 1.3 project.region_id; 1.3 project.provisioner; 1.3 project.pg_version; 1.3 project.locked; 1.3 project.cpu_used_sec; 1.3 project.created_at; 1.3 project.updated_at; 1.3 project.proxy_host; 1.3 project.branch_logical_size_limit]", async () => {
    const { id, created: body, endpointId, done, update } = await ready();
    clock.advance(992 * second);
    await done("POST", `/endpoints/${endpointId}/suspend`);
    await update({ name: "renamed" });
    const { projects } = (await platform().call("GET", `/projects?search=${id}`)).body;
    const [listed = {}] = projects as unknown as Record<string, unknown>[];
    const { created_at, updated_at, proxy_host, cpu_used_sec } = listed;
    assert.deepEqual([listed["id"], listed["name"]], [id, "renamed"]);
    assert.ok(String(updated_at) > String(created_at));
    assert.ok(body.endpoints[0]?.host.endsWith(`.${String(proxy_host)}`));
    // A quarter of a compute unit.
    assert.ok(Number(cpu_used_sec) >= 250 && Number(cpu_used_sec) < 260, String(cpu_used_sec));
    // Neither the published document nor the real service has it.
    assert.equal("locked" in listed, false);
  });

  it("available_preload_libraries depends on the version of Postgres", async () => {
    const libraries = async (pg_version: number) => {
      const { call } = await ready({ pg_version });
      return (await call("GET", "/available_preload_libraries")).body.libraries.map(({ library_name }) => library_name);
    };
    const before = await libraries(17);
    assert.ok(before.includes("timescaledb") && before.includes("pg_cron"));
    assert.ok(!(await libraries(18)).includes("timescaledb"));
  });
});

describe("local platform: list of projects", () => {
  const platform = suitePlatform();
  const list = async (query: string) => (await platform().call("GET", `/projects${query}`)).body;

  it("has pages of 10 by default, newest first [1.8 list projects]", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 23; count += 1) {
      const { body } = await platform().call("POST", "/projects", { project: { name: `p${count}` } });
      ids.unshift(body.project.id);
    }
    assert.equal((await list("")).projects.length, 10);
    const pages = await pagesOf(
      (cursor) => list(`?limit=8${cursor}`),
      ({ pagination }) => pagination?.cursor,
    );
    assert.deepEqual(idsOf(pages.flatMap(({ projects }) => projects)), ids);
    assert.equal(pages.length, 4);
  });

  it("finds projects by a part of the name or id, ignoring case", async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "Needle" } });
    const { id } = body.project;
    for (const search of ["needle", "EEDL", id.slice(3)]) {
      assert.deepEqual(idsOf((await list(`?search=${search}`)).projects), [id]);
    }
    assert.deepEqual((await list("?search=%25")).projects, []);
  });

  it("rejects a cursor of no list", async () => {
    assertError(await platform().call("GET", "/projects?cursor=nonsense"), 400, /cursor/);
  });
});
