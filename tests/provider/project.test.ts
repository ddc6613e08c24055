import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { CheckError, type EngineResource, urnOf } from "../support/engine";
import { concurrently, suiteStage, type Sent, type Stage } from "../support/stage";

/** What becomes of a change of a field that was declared. */
type Change =
  /** One PATCH that says exactly this. */
  | { readonly to: Values; readonly patch: Values }
  /** A new project, whose preview names this input. */
  | { readonly to: Values; readonly replaces: string }
  /** Refused before anything is sent. */
  | { readonly to: Values; readonly refused: RegExp };

interface Field {
  readonly title: string;
  readonly declares: Values;
  /** How a create request says it; the mark is left out. */
  readonly sends: Values;
  readonly change: Change;
}

const quotaMembers: readonly (readonly [string, string])[] = [
  ["activeTimeSeconds", "active_time_seconds"],
  ["computeTimeSeconds", "compute_time_seconds"],
  ["writtenDataBytes", "written_data_bytes"],
  ["dataTransferBytes", "data_transfer_bytes"],
  ["logicalSizeBytes", "logical_size_bytes"],
];
const night = { weekdays: [1, 7], startTime: "01:00", endTime: "02:30" };
const wireNight = { weekdays: [1, 7], start_time: "01:00", end_time: "02:30" };
const onlyWhenMade = /sizes the first compute when the project is made/;

const fields: readonly Field[] = [
  {
    title: "name",
    declares: { name: "Shop of tables 0001" },
    sends: { name: "Shop of tables 0001" },
    change: { to: { name: "Shop of chairs 0001" }, patch: { name: "Shop of chairs 0001" } },
  },
  {
    title: "regionId",
    declares: { regionId: "aws-eu-central-1" },
    sends: { region_id: "aws-eu-central-1" },
    change: { to: { regionId: "aws-us-east-1" }, replaces: "regionId" },
  },
  {
    title: "pgVersion",
    declares: { pgVersion: 16 },
    sends: { pg_version: 16 },
    change: { to: { pgVersion: 17 }, replaces: "pgVersion" },
  },
  {
    title: "provisioner",
    declares: { provisioner: "k8s-pod" },
    sends: { provisioner: "k8s-pod" },
    change: { to: { provisioner: "k8s-neonvm" }, replaces: "provisioner" },
  },
  {
    title: "storePasswords",
    declares: { storePasswords: true },
    sends: { store_passwords: true },
    change: { to: { storePasswords: false }, replaces: "storePasswords" },
  },
  {
    title: "branch.name",
    declares: { branch: { name: "production" } },
    sends: { branch: { name: "production" } },
    change: { to: { branch: { name: "main" } }, replaces: "branch" },
  },
  {
    title: "branch.roleName",
    declares: { branch: { roleName: "seller" } },
    sends: { branch: { role_name: "seller" } },
    change: { to: { branch: { roleName: "buyer" } }, replaces: "branch" },
  },
  {
    title: "branch.databaseName",
    declares: { branch: { databaseName: "goods" } },
    sends: { branch: { database_name: "goods" } },
    change: { to: { branch: { databaseName: "wares" } }, replaces: "branch" },
  },
  {
    title: "branch.annotations",
    declares: { branch: { annotations: { team_name: "sales", "cost-center": "7" } } },
    sends: { branch: { annotations: { team_name: "sales", "cost-center": "7" } } },
    change: { to: { branch: { annotations: { team_name: "support" } } }, replaces: "branch" },
  },
  {
    title: "autoscalingLimitMinCu",
    declares: { autoscalingLimitMinCu: 0.5 },
    sends: { autoscaling_limit_min_cu: 0.5 },
    change: { to: { autoscalingLimitMinCu: 1 }, refused: onlyWhenMade },
  },
  {
    title: "autoscalingLimitMaxCu",
    declares: { autoscalingLimitMaxCu: 4 },
    sends: { autoscaling_limit_max_cu: 4 },
    change: { to: { autoscalingLimitMaxCu: 3 }, refused: onlyWhenMade },
  },
  {
    title: "defaultEndpointSettings.pgSettings",
    declares: { defaultEndpointSettings: { pgSettings: { work_mem: "8MB" } } },
    sends: { default_endpoint_settings: { pg_settings: { work_mem: "8MB" } } },
    change: {
      to: { defaultEndpointSettings: { pgSettings: { work_mem: "16MB", max_connections: "50" } } },
      patch: { default_endpoint_settings: { pg_settings: { work_mem: "16MB", max_connections: "50" } } },
    },
  },
  {
    title: "defaultEndpointSettings.pgbouncerSettings",
    declares: { defaultEndpointSettings: { pgbouncerSettings: { default_pool_size: "20" } } },
    sends: { default_endpoint_settings: { pgbouncer_settings: { default_pool_size: "20" } } },
    change: {
      to: { defaultEndpointSettings: { pgbouncerSettings: { default_pool_size: "30" } } },
      patch: { default_endpoint_settings: { pgbouncer_settings: { default_pool_size: "30" } } },
    },
  },
  {
    title: "defaultEndpointSettings.autoscalingLimitMinCu",
    declares: { defaultEndpointSettings: { autoscalingLimitMinCu: 0.5 } },
    sends: { default_endpoint_settings: { autoscaling_limit_min_cu: 0.5 } },
    change: {
      to: { defaultEndpointSettings: { autoscalingLimitMinCu: 1 } },
      patch: { default_endpoint_settings: { autoscaling_limit_min_cu: 1 } },
    },
  },
  {
    title: "defaultEndpointSettings.autoscalingLimitMaxCu",
    declares: { defaultEndpointSettings: { autoscalingLimitMaxCu: 4 } },
    sends: { default_endpoint_settings: { autoscaling_limit_max_cu: 4 } },
    change: {
      to: { defaultEndpointSettings: { autoscalingLimitMaxCu: 1 } },
      patch: { default_endpoint_settings: { autoscaling_limit_max_cu: 1 } },
    },
  },
  {
    title: "defaultEndpointSettings.suspendTimeoutSeconds",
    declares: { defaultEndpointSettings: { suspendTimeoutSeconds: 600 } },
    sends: { default_endpoint_settings: { suspend_timeout_seconds: 600 } },
    change: {
      to: { defaultEndpointSettings: { suspendTimeoutSeconds: -1 } },
      patch: { default_endpoint_settings: { suspend_timeout_seconds: -1 } },
    },
  },
  {
    title: "historyRetentionSeconds",
    declares: { historyRetentionSeconds: 3600 },
    sends: { history_retention_seconds: 3600 },
    change: { to: { historyRetentionSeconds: 0 }, patch: { history_retention_seconds: 0 } },
  },
  ...quotaMembers.map(([name, wire]): Field => ({
    title: `settings.quota.${name}`,
    declares: { settings: { quota: { [name]: 100_000 } } },
    sends: { settings: { quota: { [wire]: 100_000 } } },
    change: { to: { settings: { quota: { [name]: 0 } } }, patch: { settings: { quota: { [wire]: 0 } } } },
  })),
  {
    title: "settings.allowedIps.ips",
    declares: { settings: { allowedIps: { ips: ["10.0.0.1", "10.1.0.0/16"] } } },
    sends: { settings: { allowed_ips: { ips: ["10.0.0.1", "10.1.0.0/16"] } } },
    change: { to: { settings: { allowedIps: { ips: [] } } }, patch: { settings: { allowed_ips: { ips: [] } } } },
  },
  {
    title: "settings.allowedIps.protectedBranchesOnly",
    declares: { settings: { allowedIps: { protectedBranchesOnly: true } } },
    sends: { settings: { allowed_ips: { protected_branches_only: true } } },
    change: {
      to: { settings: { allowedIps: { protectedBranchesOnly: false } } },
      patch: { settings: { allowed_ips: { protected_branches_only: false } } },
    },
  },
  {
    title: "settings.enableLogicalReplication",
    declares: { settings: { enableLogicalReplication: false } },
    sends: { settings: { enable_logical_replication: false } },
    change: {
      to: { settings: { enableLogicalReplication: true } },
      patch: { settings: { enable_logical_replication: true } },
    },
  },
  {
    title: "settings.maintenanceWindow",
    declares: { settings: { maintenanceWindow: night } },
    sends: { settings: { maintenance_window: wireNight } },
    change: {
      to: { settings: { maintenanceWindow: { ...night, weekdays: [2] } } },
      patch: { settings: { maintenance_window: { ...wireNight, weekdays: [2] } } },
    },
  },
  {
    title: "settings.blockPublicConnections",
    declares: { settings: { blockPublicConnections: true } },
    sends: { settings: { block_public_connections: true } },
    change: {
      to: { settings: { blockPublicConnections: false } },
      patch: { settings: { block_public_connections: false } },
    },
  },
  {
    title: "settings.blockVpcConnections",
    declares: { settings: { blockVpcConnections: false } },
    sends: { settings: { block_vpc_connections: false } },
    change: { to: { settings: { blockVpcConnections: true } }, patch: { settings: { block_vpc_connections: true } } },
  },
  {
    title: "settings.auditLogLevel",
    declares: { settings: { auditLogLevel: "base" } },
    sends: { settings: { audit_log_level: "base" } },
    change: { to: { settings: { auditLogLevel: "full" } }, patch: { settings: { audit_log_level: "full" } } },
  },
  {
    title: "settings.preloadLibraries.useDefaults",
    declares: { settings: { preloadLibraries: { useDefaults: true } } },
    sends: { settings: { preload_libraries: { use_defaults: true } } },
    change: {
      to: { settings: { preloadLibraries: { useDefaults: false } } },
      patch: { settings: { preload_libraries: { use_defaults: false } } },
    },
  },
  {
    title: "settings.preloadLibraries.enabledLibraries",
    declares: { settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } } },
    sends: { settings: { preload_libraries: { enabled_libraries: ["pg_cron"] } } },
    change: {
      to: { settings: { preloadLibraries: { enabledLibraries: ["pg_cron", "timescaledb"] } } },
      patch: { settings: { preload_libraries: { enabled_libraries: ["pg_cron", "timescaledb"] } } },
    },
  },
];

/** The body of a create request without our mark, which has to be there. */
function createdWith({ body }: Sent): Values {
  const { project } = body as { project: Values & { branch: Values & { annotations: Record<string, string> } } };
  const { "neon-pulumi": mark, ...annotations } = project.branch.annotations;
  assert.match(mark ?? "", /^[0-9a-f]{24}\.[0-9a-f]{16}$/);
  const { annotations: _, ...named } = project.branch;
  const branch = { ...named, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
  const { branch: __, ...rest } = project;
  return { ...rest, ...(Object.keys(branch).length > 0 ? { branch } : {}) };
}

/** What is read is what is declared: a refresh has nothing to show. */
async function assertRefreshed(project: EngineResource): Promise<void> {
  const { inputs, outputs } = project.present;
  assert.equal(await project.refresh(), "same");
  assert.deepEqual(project.present.inputs, inputs);
  assert.deepEqual(project.present.outputs, outputs);
}

async function requestsOf(stage: Stage, project: EngineResource): Promise<number> {
  return (await stage.requests(project.id)).length;
}

/** Nothing of the program has changed: nothing is done, nothing is even asked. */
async function assertUnchanged(stage: Stage, project: EngineResource, args: Values): Promise<void> {
  const before = await requestsOf(stage, project);
  assert.equal(await project.up(args), "same");
  assert.equal(project.plan?.changes, false);
  assert.equal(await requestsOf(stage, project), before);
}

describe("a project", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("with one field declared: sent alone, then unchanged, then changed alone, then left alone", () => {
    const test = concurrently();
    for (const { title, declares, sends, change } of fields) {
      test(title, async () => {
        const project = stage().resource("Project");
        assert.equal(await project.up(declares), "create");
        const [creation] = await stage().sent(String(project.outputs["name"]));
        assert.ok(creation);
        assert.deepEqual(createdWith(creation), { name: project.name, ...sends });

        await assertUnchanged(stage(), project, declares);
        await assertRefreshed(project);
        await assertUnchanged(stage(), project, declares);

        if ("refused" in change) {
          await assert.rejects(project.up(change.to), (error) => {
            assert.ok(error instanceof CheckError);
            assert.match(error.message, change.refused);
            return true;
          });
        } else if ("replaces" in change) {
          const plan = await project.preview(change.to);
          assert.deepEqual(plan.replaces, [change.replaces]);
          assert.equal(plan.step, "replace");
          assert.equal(plan.deleteBeforeReplace, false);
          const warning = await project.warning();
          assert.match(
            warning,
            new RegExp(`^Changing \`${title}\` replaces this project\\.`),
          );
          assert.match(warning, /All branches of the old project, with their data and their hosts, go with it\./);
        } else {
          const before = (await stage().sent(project.id)).length;
          assert.equal(await project.up(change.to), "update");
          const sent = (await stage().sent(project.id)).slice(before);
          assert.deepEqual(
            sent.map(({ method, path, body }) => ({ method, path, body })),
            [{ method: "PATCH", path: `/projects/${project.id}`, body: { project: change.patch } }],
          );
          await assertUnchanged(stage(), project, change.to);
          await assertRefreshed(project);
        }

        // The name falls back to the logical one, which is a change; all else is the platform's to keep.
        if (sends["name"] !== undefined) return;
        await assertUnchanged(stage(), project, {});
        assert.equal(await project.refresh(), "same");
      });
    }
  });

  test("§6.17 is created with nothing but its logical name and our mark, and nothing that a plan could refuse", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const [creation] = await stage().sent(project.name);
    assert.ok(creation);
    assert.deepEqual(createdWith(creation), { name: project.name });
  });

  test("is usable when it is created: branch, compute, role and database are there", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { outputs } = project;
    const [branch, ...others] = await stage().branches(project.id);
    assert.ok(branch);
    assert.deepEqual(others, []);
    assert.equal(branch.current_state, "ready");
    const [compute] = await stage().computes(project.id, branch.id);
    assert.ok(compute);
    assert.equal(compute.current_state, "active");
    const { projectId, defaultBranchId, endpointId, host, poolerHost, roleName, databaseName } = outputs;
    assert.deepEqual(
      { projectId, defaultBranchId, endpointId, host, poolerHost, roleName, databaseName },
      {
        projectId: project.id,
        defaultBranchId: branch.id,
        endpointId: compute.id,
        host: compute.host,
        poolerHost: compute.host.replace(compute.id, `${compute.id}-pooler`),
        roleName: "neondb_owner",
        databaseName: "neondb",
      },
    );
    const query = `database_name=neondb&role_name=neondb_owner`;
    const { body } = await stage().platform.call("GET", `/projects/${project.id}/connection_uri?${query}`);
    assert.equal(outputs["connectionUri"], body.uri);
  });

  test("sends a setting with all its declared members, and leaves the other settings alone", async () => {
    const project = stage().resource("Project");
    const allowedIps = { ips: ["10.0.0.1"], protectedBranchesOnly: true };
    await project.up({ settings: { allowedIps, quota: { activeTimeSeconds: 60, writtenDataBytes: 5 } } });
    await project.up({ settings: { allowedIps, quota: { activeTimeSeconds: 90, writtenDataBytes: 5 } } });
    const patches = (await stage().sent(project.id)).map(({ body }) => body);
    const quota = { active_time_seconds: 90, written_data_bytes: 5 };
    assert.deepEqual(patches, [{ project: { settings: { quota } } }]);
    const { settings } = await stage().projectOf(project.id);
    assert.deepEqual(settings?.allowed_ips, { ips: ["10.0.0.1"], protected_branches_only: true });
  });

  test("sends several changes in one request", async () => {
    const project = stage().resource("Project");
    await project.up({ historyRetentionSeconds: 60 });
    await project.up({
      name: "Shop of lamps",
      historyRetentionSeconds: 120,
      settings: { blockVpcConnections: true },
      defaultEndpointSettings: { suspendTimeoutSeconds: 60 },
    });
    assert.deepEqual(
      (await stage().sent(project.id)).map(({ method, body }) => ({ method, body })),
      [
        {
          method: "PATCH",
          body: {
            project: {
              name: "Shop of lamps",
              history_retention_seconds: 120,
              default_endpoint_settings: { suspend_timeout_seconds: 60 },
              settings: { block_vpc_connections: true },
            },
          },
        },
      ],
    );
  });

  test("goes back to its logical name when the program no longer gives one", async () => {
    const project = stage().resource("Project");
    await project.up({ name: "Shop of clocks" });
    assert.equal(await project.up({}), "update");
    assert.equal((await stage().projectOf(project.id)).name, project.name);
  });

  test("keeps the name it was given when the resource is renamed in the program", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const requests = await requestsOf(stage(), project);
    assert.equal(await project.up({}, { urn: urnOf("Project", "another") }), "same");
    assert.equal(project.plan?.changes, false);
    assert.equal(await requestsOf(stage(), project), requests);
    assert.equal(project.present.inputs["name"], project.name);
  });

  test("belongs to the organization that it names, which cannot change in place", async () => {
    const project = stage().resource("Project");
    // The local platform has no organizations.
    const noneThere = {
      method: "GET",
      path: "^/projects\\?.*org_id=org-bold-river-1",
      status: 200,
      body: { projects: [] },
    };
    await stage().platform.fault(noneThere);
    await assert.rejects(project.up({ orgId: "org-bold-river-1" }), /organization not found/);
    const [creation] = await stage().sent(project.name);
    assert.ok(creation);
    assert.deepEqual(createdWith(creation), { name: project.name, org_id: "org-bold-river-1" });
    assert.equal(project.state, undefined);

    await project.up({});
    project.state = { ...project.present, outputs: { ...project.outputs, orgId: "org-bold-river-1" } };
    assert.deepEqual((await project.preview({ orgId: "org-calm-lake-2" })).replaces, ["orgId"]);
    // An update that sends nothing: it takes down that the organization is the program's, and is frozen from then on.
    const { changes, replaces } = await project.preview({ orgId: "org-bold-river-1" });
    assert.deepEqual([changes, replaces], [undefined, []]);
  });

  test("declares HIPAA as it is, and passes on why the platform does not allow another value", async () => {
    const project = stage().resource("Project");
    await project.up({ settings: { hipaa: false } });
    const [creation] = await stage().sent(project.name);
    assert.ok(creation);
    assert.deepEqual(createdWith(creation), { name: project.name, settings: { hipaa: false } });
    await assertUnchanged(stage(), project, { settings: { hipaa: false } });
    await assertRefreshed(project);
    const before = project.present;
    await assert.rejects(project.up({ settings: { hipaa: true } }), /HIPAA needs an organization/);
    assert.deepEqual(project.present, before);
  });

  test("§6.10 changes one setting of many, and reads answers that leave settings out", async () => {
    const project = stage().resource("Project");
    const args = { settings: { allowedIps: { ips: ["10.0.0.1"] }, blockVpcConnections: true } };
    await project.up(args);
    const { settings, ...rest } = await stage().projectOf(project.id);
    const { allowed_ips: _, ...others } = settings ?? {};
    const { inputs } = project.present;
    for (const body of [{ project: { ...rest, settings: others } }, { project: rest }]) {
      await stage().platform.fault({ method: "GET", path: `^/projects/${project.id}$`, status: 200, body });
      await project.refresh();
      assert.equal(project.id, rest.id);
    }
    await project.refresh();
    assert.deepEqual(project.present.inputs, inputs);
    await assertUnchanged(stage(), project, args);
    await project.up({ settings: { allowedIps: { ips: ["10.0.0.2"] }, blockVpcConnections: true } });
    assert.deepEqual(
      (await stage().sent(project.id)).map(({ body }) => body),
      [{ project: { settings: { allowed_ips: { ips: ["10.0.0.2"] } } } }],
    );
  });

  test("§6.16 is never replaced by an unrelated change, nor by switching logical replication on", async () => {
    const project = stage().resource("Project");
    await project.up({ regionId: "aws-eu-west-2", pgVersion: 16, settings: { enableLogicalReplication: false } });
    const { id } = project;
    const on = { settings: { enableLogicalReplication: true } };
    const changes: readonly Values[] = [
      { name: "Shop of books", regionId: "aws-eu-west-2", pgVersion: 16, ...on },
      { name: "Shop of books", historyRetentionSeconds: 0, ...on },
      { settings: { ...on.settings, quota: { activeTimeSeconds: 60 } } },
    ];
    for (const args of changes) {
      assert.equal(await project.up(args), "update");
      assert.equal(project.id, id);
    }
    assert.equal((await stage().projectOf(id)).settings?.enable_logical_replication, true);
    const off = { settings: { ...(changes[2]?.["settings"] as Values), enableLogicalReplication: false } };
    await assert.rejects(project.up(off), (error) => {
      assert.ok(error instanceof CheckError);
      assert.deepEqual(error.failures, [
        { property: "settings.enableLogicalReplication", reason: "cannot be switched off again once it is on" },
      ]);
      return true;
    });
  });

  test("refuses to lower the audit log level, and says how it is", async () => {
    const project = stage().resource("Project");
    await project.up({ settings: { auditLogLevel: "extended" } });
    await assert.rejects(project.up({ settings: { auditLogLevel: "base" } }), (error) => {
      assert.ok(error instanceof CheckError);
      assert.deepEqual(error.failures, [
        {
          property: "settings.auditLogLevel",
          reason: "can only be raised: it is extended and cannot go back to base",
        },
      ]);
      return true;
    });
    assert.equal(await project.up({ settings: { auditLogLevel: "full" } }), "update");
  });

  test("is made anew before the old one is deleted when it is replaced", async () => {
    const project = stage().resource("Project");
    await project.up({ regionId: "aws-eu-central-1" });
    const old = project.id;
    assert.equal(await project.up({ regionId: "aws-us-west-2" }), "replace");
    assert.notEqual(project.id, old);
    assert.deepEqual(await stage().projects(project.name), [
      (await stage().projects(project.name)).find(({ id }) => id === project.id),
    ]);
    const sent = [...(await stage().sent(project.name)), ...(await stage().sent(old))];
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path}`),
      ["POST /projects", "POST /projects", `DELETE /projects/${old}`],
    );
    await assertRefreshed(project);
    await assertUnchanged(stage(), project, { regionId: "aws-us-west-2" });
  });

  test("§6.18 that was deleted by someone else is gone after a refresh, and made again by the next up", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const old = project.id;
    await stage().platform.call("DELETE", `/projects/${old}`);
    assert.equal(await project.refresh(), "gone");
    assert.equal(await project.up({}), "create");
    assert.notEqual(project.id, old);
    assert.equal((await stage().projects(project.name)).length, 1);
  });

  test("that was deleted by someone else fails an update with what to do, and is deleted without complaint", async () => {
    const project = stage().resource("Project");
    await project.up({});
    await stage().platform.call("DELETE", `/projects/${project.id}`);
    const before = project.present;
    await assert.rejects(project.up({ name: "Shop of ghosts" }), /pulumi refresh/);
    assert.deepEqual(project.present, before);
    await project.destroy();
    assert.deepEqual(await stage().projects("Shop of ghosts"), []);
  });

  test("looked up by its id has everything that is known of it", async () => {
    const { id, branchId, name } = await stage().project({ region_id: "aws-eu-central-1" });
    const read = await stage().server.read("Project", id, { __neon: { urn: urnOf("Project", "looked-up") } });
    assert.equal(read.id, id);
    const {
      projectId,
      name: readName,
      regionId,
      defaultBranchId,
      roleName,
      databaseName,
      connectionUri,
    } = read.outputs;
    assert.deepEqual(
      { projectId, readName, regionId, defaultBranchId, roleName, databaseName },
      {
        projectId: id,
        readName: name,
        regionId: "aws-eu-central-1",
        defaultBranchId: branchId,
        roleName: "neondb_owner",
        databaseName: "neondb",
      },
    );
    assert.match(String(connectionUri), /^postgresql:/);
    assert.equal((await stage().server.read("Project", "no-such-project-1", {})).id, "");
  });
});
