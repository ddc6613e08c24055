import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { startTestPlatform, suitePlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

describe("local platform: projects", () => {
  const platform = suitePlatform();

  describe("create", () => {
    it("creates a branch, a compute, a role and a database, and returns the connection URI", async () => {
      const { status, body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
      assert.equal(status, 201);
      assert.match(body.project.id, /^[a-z]+-[a-z]+-\d{8}$/);
      assert.match(body.branch.id, /^br-[a-z]+-[a-z]+-\d{8}$/);
      assert.equal(body.branch.name, "main");
      assert.equal(body.branch.default, true);
      assert.equal(body.branch.current_state, "init");
      assert.equal(body.branch.pending_state, "ready");
      assert.equal(body.branch.parent_id, undefined);
      const [endpoint] = body.endpoints;
      assert.match(endpoint?.id ?? "", /^ep-[a-z]+-[a-z]+-\d{8}$/);
      assert.equal(endpoint?.current_state, "init");
      assert.equal(endpoint.pending_state, "active");
      assert.equal(endpoint.branch_id, body.branch.id);
      const [role] = body.roles;
      assert.equal(role?.name, "neondb_owner");
      assert.equal(body.databases[0]?.name, "neondb");
      assert.equal(
        body.connection_uris[0]?.connection_uri,
        `postgresql://neondb_owner:${role.password ?? ""}@${endpoint.host}/neondb?sslmode=require&channel_binding=require`,
      );
      assert.deepEqual(
        body.operations.map(({ action, status: state }) => [action, state]),
        [
          ["create_timeline", "running"],
          ["start_compute", "scheduling"],
        ],
      );
    });

    it("uses the id as the default name", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      assert.equal(body.project.name, body.project.id);
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
      const created = await platform().call("POST", "/projects", { project: input });
      const { body } = await platform().call("GET", `/projects/${created.body.project.id}`);
      const { project } = body;
      const { branch: _branch, settings, ...members } = input;
      for (const [name, value] of Object.entries(members)) {
        assert.deepEqual(project[name as keyof typeof project], value, name);
      }
      assert.deepEqual(project.settings, { ...settings, hipaa: false });
      assert.equal(project.platform_id, "azure");
      const { endpoints, roles, databases, branch } = created.body;
      assert.equal(branch.name, "trunk");
      assert.equal(roles[0]?.name, "sally");
      assert.equal(databases[0]?.name, "my db/ü");
      assert.equal(databases[0].owner_name, "sally");
      assert.equal(endpoints[0]?.autoscaling_limit_max_cu, 4);
      assert.equal(endpoints[0].suspend_timeout_seconds, 600);
      assert.equal(endpoints[0].provisioner, "k8s-pod");
      assert.deepEqual(endpoints[0].settings, { pg_settings: { work_mem: "8MB" } });
      assert.match(created.body.connection_uris[0]?.connection_uri ?? "", /\/my%20db%2F%C3%BC\?/);
      const found = await platform().call("GET", `/projects/${project.id}/branches/${branch.id}`);
      assert.deepEqual(found.body.annotation.value, { a: "b" });
      assert.deepEqual(found.body.annotation.object, { type: "console/branch", id: branch.id });
    });

    it("accepts the deprecated top-level sizes", async () => {
      const sizes = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 1 };
      const { body } = await platform().call("POST", "/projects", { project: sizes });
      assert.equal(body.endpoints[0]?.autoscaling_limit_min_cu, 0.5);
      assert.equal(body.project.default_endpoint_settings?.autoscaling_limit_max_cu, 1);
    });

    it("has the defaults of the real platform", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const { project } = body;
      assert.equal(project.region_id, "aws-us-east-2");
      assert.equal(project.platform_id, "aws");
      assert.equal(project.provisioner, "k8s-neonvm");
      assert.equal(project.store_passwords, true);
      assert.equal(project.history_retention_seconds, 86_400);
      assert.equal(project.branch_logical_size_limit, 16_777_216);
      assert.deepEqual(project.settings?.allowed_ips, { ips: [], protected_branches_only: false });
      assert.equal(project.settings.enable_logical_replication, false);
      assert.equal(project.default_endpoint_settings?.suspend_timeout_seconds, 0);
    });

    for (const [what, project, message] of [
      ["an unknown region", { region_id: "mars-1" }, /region "mars-1" is unknown/],
      ["an unknown Postgres version", { pg_version: 99 }, /pg_version 99/],
      ["an unknown provisioner", { provisioner: "abacus" }, /provisioner "abacus"/],
      ["a name of the wrong type", { name: 7 }, /project\.name/],
      ["an empty name", { name: "" }, /project\.name/],
      ["a name that is too long", { name: "x".repeat(257) }, /project\.name/],
      ["a history retention that is too long", { history_retention_seconds: 2_592_001 }, /history_retention_seconds/],
      ["an invalid compute size", { autoscaling_limit_min_cu: 0.3 }, /autoscaling_limit_min_cu/],
      ["a minimum above the maximum", { autoscaling_limit_min_cu: 4 }, /minimum of 4 CU is above the maximum/],
      ["a reserved role name", { branch: { role_name: "pg_monitor" } }, /role name "pg_monitor" is reserved/],
      ["a database name that is too long", { branch: { database_name: "é".repeat(32) } }, /63 bytes/],
      ["an invalid IP address", { settings: { allowed_ips: { ips: ["10.0.0"] } } }, /"10\.0\.0" is not an IP/],
      ["an incomplete maintenance window", { settings: { maintenance_window: { weekdays: [1] } } }, /start_time/],
    ] as const) {
      it(`rejects ${what}`, async () => {
        const { status, body } = await platform().call("POST", "/projects", { project });
        assert.equal(status, 400);
        assert.match(body.message, message);
      });
    }

    it("reports 404 for an unknown organization", async () => {
      const { status } = await platform().call("POST", "/projects", { project: { org_id: "org-no-such-one" } });
      assert.equal(status, 404);
    });

    it("ignores unknown members", async () => {
      const { status } = await platform().call("POST", "/projects", { project: { name: "x", shoe_size: 43 } });
      assert.equal(status, 201);
    });

    it("stores no passwords if store_passwords is false", async () => {
      const created = await platform().call("POST", "/projects", { project: { store_passwords: false } });
      const { project, branch, roles, connection_uris: uris } = created.body;
      assert.match(roles[0]?.password ?? "", /^npg_/);
      assert.equal(uris.length, 1);
      const uri = `/projects/${project.id}/connection_uri?database_name=neondb&role_name=neondb_owner`;
      assert.equal((await platform().call("GET", uri)).status, 412);
      await platform().settled(project.id);
      const child = await platform().call("POST", `/projects/${project.id}/branches`, {
        branch: { parent_id: branch.id },
        endpoints: [{ type: "read_write" }],
      });
      assert.equal(child.body.roles[0]?.password, undefined);
      assert.equal(child.body.connection_uris, undefined);
    });
  });

  describe("update", () => {
    it("changes the name without an operation, even while others are in progress", async () => {
      const { body } = await platform().call("POST", "/projects", { project: { name: "before" } });
      const changed = await platform().call("PATCH", `/projects/${body.project.id}`, { project: { name: "after" } });
      assert.equal(changed.status, 200);
      assert.equal(changed.body.project.name, "after");
      assert.deepEqual(changed.body.operations, []);
      assert.ok(changed.body.project.updated_at > body.project.updated_at);
    });

    it("keeps omitted settings and replaces lists", async () => {
      const settings = { allowed_ips: { ips: ["1.1.1.1", "2.2.2.2"], protected_branches_only: true } };
      const { body } = await platform().call("POST", "/projects", { project: { settings } });
      const path = `/projects/${body.project.id}`;
      const input = { settings: { allowed_ips: { ips: ["3.3.3.3"] }, quota: { logical_size_bytes: 5 } } };
      const changed = await platform().call("PATCH", path, { project: input });
      assert.deepEqual(changed.body.project.settings?.allowed_ips, { ips: ["3.3.3.3"], protected_branches_only: true });
      assert.deepEqual(changed.body.project.settings.quota, { logical_size_bytes: 5 });
      assert.deepEqual(changed.body.project.settings.maintenance_window, body.project.settings?.maintenance_window);
    });

    it("applies a new history retention in an operation", async () => {
      await platform().fault({ action: "create_timeline", end: "stuck" });
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const path = `/projects/${body.project.id}`;
      const input = { project: { history_retention_seconds: 0 } };
      assert.equal((await platform().call("PATCH", path, input)).status, 423);
      await platform().clearFaults();
      await platform().settled(body.project.id);
      const changed = await platform().call("PATCH", path, input);
      assert.equal(changed.body.project.history_retention_seconds, 0);
      assert.deepEqual(
        changed.body.operations.map(({ action, branch_id }) => [action, branch_id]),
        [["apply_storage_config", undefined]],
      );
      await platform().settled(body.project.id);
      assert.deepEqual((await platform().call("PATCH", path, input)).body.operations, []);
    });

    it("suspends active computes when logical replication is enabled, which cannot be reverted", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const path = `/projects/${body.project.id}`;
      await platform().settled(body.project.id);
      const on = { project: { settings: { enable_logical_replication: true } } };
      const changed = await platform().call("PATCH", path, on);
      assert.deepEqual(
        changed.body.operations.map(({ action }) => action),
        ["suspend_compute"],
      );
      await platform().settled(body.project.id);
      const { body: after } = await platform().call("GET", `${path}/endpoints`);
      assert.equal(after.endpoints[0]?.current_state, "idle");
      const off = await platform().call("PATCH", path, {
        project: { settings: { enable_logical_replication: false } },
      });
      assert.equal(off.status, 422);
    });

    it("raises the audit log level and rejects a lower one", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const path = `/projects/${body.project.id}`;
      const level = (audit_log_level: string) =>
        platform().call("PATCH", path, { project: { settings: { audit_log_level } } });
      await platform().settled(body.project.id);
      assert.equal((await level("full")).status, 200);
      await platform().settled(body.project.id);
      assert.equal((await level("base")).status, 422);
    });

    it("rejects HIPAA outside an organization that allows it", async () => {
      const { status } = await platform().call("POST", "/projects", { project: { settings: { hipaa: true } } });
      assert.equal(status, 422);
    });

    it("rejects a request without a body", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const { status, body: error } = await platform().call("PATCH", `/projects/${body.project.id}`);
      assert.equal(status, 400);
      assert.match(error.message, /no body/);
    });
  });

  describe("delete", () => {
    const gone = async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const { status } = await platform().call("DELETE", `/projects/${body.project.id}`);
      assert.equal(status, 200);
      return body.project.id;
    };

    it("hides the project with its contents and reports 404 the second time", async () => {
      const id = await gone();
      for (const path of ["", "/branches", "/endpoints", "/operations"]) {
        assert.equal((await platform().call("GET", `/projects/${id}${path}`)).status, 404, path);
      }
      assert.equal((await platform().call("DELETE", `/projects/${id}`)).status, 404);
    });

    it("keeps the project recoverable", async () => {
      const id = await gone();
      const { body } = await platform().call("GET", `/projects?recoverable=true&search=${id}`);
      assert.equal(body.projects[0]?.id, id);
      assert.ok(body.projects[0].recoverable_until);
      const recovered = await platform().call("POST", `/projects/${id}/recover`);
      assert.equal(recovered.status, 200);
      assert.equal(recovered.body.branches.length, 1);
      const after = await platform().call("GET", `/projects/${id}`);
      assert.equal(after.status, 200);
      assert.equal((await platform().call("POST", `/projects/${id}/recover`)).status, 422);
    });

    it("rejects a project with a protected branch", async () => {
      const { body } = await platform().call("POST", "/projects", { project: {} });
      const branch = `/projects/${body.project.id}/branches/${body.branch.id}`;
      await platform().call("PATCH", branch, { branch: { protected: true } });
      assert.equal((await platform().call("DELETE", `/projects/${body.project.id}`)).status, 422);
      await platform().call("PATCH", branch, { branch: { protected: false } });
      assert.equal((await platform().call("DELETE", `/projects/${body.project.id}`)).status, 200);
    });
  });

  it("available_preload_libraries depends on the version of Postgres", async () => {
    const libraries = async (pg_version: number) => {
      const { body: created } = await platform().call("POST", "/projects", { project: { pg_version } });
      const path = `/projects/${created.project.id}/available_preload_libraries`;
      const { status, body } = await platform().call("GET", path);
      assert.equal(status, 200);
      return body.libraries.map(({ library_name }) => library_name);
    };
    assert.ok((await libraries(17)).includes("timescaledb"));
    assert.ok((await libraries(17)).includes("pg_cron"));
    assert.ok(!(await libraries(18)).includes("timescaledb"));
  });
});

describe("local platform: list of projects", () => {
  const platform = suitePlatform();

  it("has pages of 10 by default, newest first", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 23; count += 1) {
      const { body } = await platform().call("POST", "/projects", { project: { name: `p${count}` } });
      ids.unshift(body.project.id);
    }
    const first = await platform().call("GET", "/projects");
    assert.equal(first.body.projects.length, 10);
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const more: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await platform().call("GET", `/projects?limit=8${more}`);
      seen.push(...body.projects.map(({ id }) => id));
      cursor = body.pagination?.cursor;
      pages += 1;
    } while (cursor !== undefined);
    assert.deepEqual(seen, ids);
    assert.equal(pages, 4);
  });

  it("finds projects by a part of the name or id, ignoring case", async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "Needle" } });
    for (const search of ["needle", "EEDL", body.project.id.slice(3)]) {
      const { body: found } = await platform().call("GET", `/projects?search=${search}`);
      assert.deepEqual(
        found.projects.map(({ id }) => id),
        [body.project.id],
      );
    }
    assert.deepEqual((await platform().call("GET", "/projects?search=%25")).body.projects, []);
  });

  it("has the specified members of each project", async () => {
    const clock = new ManualPlatformClock();
    const platform = await startTestPlatform({ clock, operationTime: "1s" });
    try {
      const { body: created } = await platform.call("POST", "/projects", { project: {} });
      const [endpoint] = created.endpoints;
      const path = `/projects/${created.project.id}`;
      clock.advance(1_002_000);
      await platform.call("POST", `${path}/endpoints/${endpoint?.id ?? ""}/suspend`);
      clock.advance(1000);
      await platform.call("PATCH", path, { project: { name: "renamed" } });
      const { body } = await platform.call("GET", "/projects");
      const [listed = {}] = body.projects as unknown as Record<string, unknown>[];
      const { id, name, created_at, updated_at, proxy_host, cpu_used_sec } = listed;
      assert.deepEqual([id, name], [created.project.id, "renamed"]);
      for (const time of [created_at, updated_at]) {
        assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      }
      assert.ok(String(updated_at) > String(created_at));
      assert.ok(endpoint?.host.endsWith(`.${String(proxy_host)}`));
      // A quarter of a compute unit.
      assert.ok(Number(cpu_used_sec) >= 250 && Number(cpu_used_sec) < 260, String(cpu_used_sec));
      for (const member of ["platform_id", "region_id", "provisioner"]) assert.equal(typeof listed[member], "string");
      for (const member of ["pg_version", "cpu_used_sec", "branch_logical_size_limit"]) {
        assert.ok(Number.isInteger(listed[member]), member);
      }
      assert.equal(typeof listed["locked"], "boolean");
    } finally {
      await platform.close();
    }
  });

  it("has fewer members than a single project", async () => {
    const { body } = await platform().call("GET", "/projects?limit=1");
    assert.equal("owner" in (body.projects[0] ?? {}), false);
    assert.equal("history_retention_seconds" in (body.projects[0] ?? {}), false);
  });

  for (const query of ["limit=0", "limit=401", "limit=x", "cursor=nonsense", "timeout=5", "recoverable=perhaps"]) {
    it(`rejects the query ${query}`, async () => {
      const { status, body } = await platform().call("GET", `/projects?${query}`);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(query.split("=", 1)[0] ?? ""));
    });
  }

  it("of shared projects is empty if nothing is shared", async () => {
    const { body } = await platform().call("GET", "/projects/shared?limit=100");
    assert.deepEqual(body.projects, []);
  });
});
