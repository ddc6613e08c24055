import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { urnOf } from "../support/engine";
import { refusesInputs } from "../support/expected-errors";
import { withoutTag } from "../support/ownership-tag";
import { concurrently, type Sent, suiteStage } from "../support/stage";
import { assertRefreshed, assertUnchanged, assertUpToDate } from "../support/up-to-date";

/** The effect of changing a declared field. */
type Change =
  /** One PATCH with exactly this body. */
  | { readonly to: Values; readonly patch: Values }
  /** A replacement, whose preview names this input. */
  | { readonly to: Values; readonly replaces: string }
  /** Refused by `check`, for this reason. */
  | { readonly to: Values; readonly refused: RegExp };

interface Field {
  readonly title: string;
  readonly declares: Values;
  /** The members of the create request, without the ownership tag. */
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
const onlyAtCreation = /sets the size of the first compute when the project is created/;

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
    change: { to: { autoscalingLimitMinCu: 1 }, refused: onlyAtCreation },
  },
  {
    title: "autoscalingLimitMaxCu",
    declares: { autoscalingLimitMaxCu: 4 },
    sends: { autoscaling_limit_max_cu: 4 },
    change: { to: { autoscalingLimitMaxCu: 3 }, refused: onlyAtCreation },
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

/** The body of a create request, without the ownership tag. */
function createdWith({ body }: Sent): Values {
  const { project } = body as { project: Values & { branch: Values & { annotations: Record<string, string> } } };
  const { branch: sent, ...others } = project;
  const annotations = withoutTag(sent.annotations);
  const { annotations: _, ...named } = sent;
  const branch = { ...named, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
  return { ...others, ...(Object.keys(branch).length > 0 ? { branch } : {}) };
}

describe("Project", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("check", () => {
    test("refuses to lower the audit log level, and reports the current one", async () => {
      const project = stage().resource("Project");
      await project.up({ settings: { auditLogLevel: "extended" } });
      const reason = "can only be raised: it is extended and cannot be lowered to base";
      await assert.rejects(
        project.up({ settings: { auditLogLevel: "base" } }),
        refusesInputs({ "settings.auditLogLevel": reason }),
      );
      assert.equal(await project.up({ settings: { auditLogLevel: "full" } }), "update");
    });
  });

  describe("every input", () => {
    const test = concurrently();
    for (const { title, declares, sends, change } of fields) {
      const effect =
        "patch" in change
          ? "updates it in place"
          : "replaces" in change
            ? "replaces the project for a change"
            : "refuses a change";
      test(`sends ${title}, and ${effect}`, async () => {
        const project = stage().resource("Project");
        assert.equal(await project.up(declares), "create");
        const [creation] = await stage().sent(String(project.outputs["name"]));
        assert.ok(creation);
        assert.deepEqual(createdWith(creation), { name: project.name, ...sends });

        await assertUpToDate(stage(), project, declares);

        if ("refused" in change) {
          await assert.rejects(project.up(change.to), refusesInputs({ [title]: change.refused }));
        } else if ("replaces" in change) {
          const plan = await project.preview(change.to);
          assert.deepEqual(plan.replaces, [change.replaces]);
          assert.equal(plan.step, "replace");
          assert.equal(plan.deleteBeforeReplace, false);
          const warning = await project.warning();
          assert.match(warning, new RegExp(`^Changing \`${title}\` replaces this project\\.`));
          assert.match(warning, /All branches of the old project, their data and their hosts are deleted\./);
        } else {
          const up = async (): Promise<void> => assert.equal(await project.up(change.to), "update");
          assert.deepEqual(await stage().sentBy(project.id, up), [
            { method: "PATCH", path: `/projects/${project.id}`, body: { project: change.patch } },
          ]);
          await assertUnchanged(stage(), project, change.to);
          await assertRefreshed(project);
        }

        // Without a declared name, the logical name applies, which is a change. Any other omitted input is ignored.
        if (sends["name"] !== undefined) return;
        await assertUnchanged(stage(), project, {});
        assert.equal(await project.refresh(), "same");
      });
    }
  });

  describe("create", () => {
    test("§6.17 sends only the logical name and the ownership tag for a program without inputs", async () => {
      const project = stage().resource("Project");
      await project.up({});
      const [creation] = await stage().sent(project.name);
      assert.ok(creation);
      assert.deepEqual(createdWith(creation), { name: project.name });
    });

    test("waits until branch, compute, role and database are ready, and outputs the connection", async () => {
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

    test("sends the declared organization, and a change of it replaces the project", async () => {
      const project = stage().resource("Project");
      // The organization does not exist on the local platform.
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
      // An update without a request: it records that the program declares the organization.
      const { changes, replaces } = await project.preview({ orgId: "org-bold-river-1" });
      assert.deepEqual([changes, replaces], [undefined, []]);
    });
  });

  describe("refresh", () => {
    test("§6.10 reads answers without some settings, and up then changes one setting of several", async () => {
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
  });

  describe("update", () => {
    test("sends a changed setting with all its declared members, and no other setting", async () => {
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

    test("restores the logical name when the program no longer declares a name", async () => {
      const project = stage().resource("Project");
      await project.up({ name: "Shop of clocks" });
      assert.equal(await project.up({}), "update");
      assert.equal((await stage().projectOf(project.id)).name, project.name);
    });

    test("keeps a default name when the resource is renamed in the program", async () => {
      const project = stage().resource("Project");
      await project.up({});
      const requests = (await stage().requests(project.id)).length;
      assert.equal(await project.up({}, { urn: urnOf("Project", "another") }), "same");
      assert.equal(project.plan?.changes, false);
      assert.equal((await stage().requests(project.id)).length, requests);
      assert.equal(project.present.inputs["name"], project.name);
    });

    test("reports the platform's reason for a refused HIPAA setting", async () => {
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

    test("§6.16 does not replace the project for unrelated changes, or for enabling logical replication", async () => {
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
      await assert.rejects(
        project.up(off),
        refusesInputs({ "settings.enableLogicalReplication": "cannot be disabled again once it is enabled" }),
      );
    });
  });

  describe("replace", () => {
    test("creates the new project before it deletes the old one", async () => {
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
      await assertUpToDate(stage(), project, { regionId: "aws-us-west-2" });
    });
  });

  describe("delete", () => {
    test("succeeds if somebody else has deleted the project, and update advises `pulumi refresh`", async () => {
      const project = stage().resource("Project");
      await project.up({});
      await stage().platform.call("DELETE", `/projects/${project.id}`);
      const before = project.present;
      await assert.rejects(project.up({ name: "Shop of ghosts" }), /pulumi refresh/);
      assert.deepEqual(project.present, before);
      await project.destroy();
      assert.deepEqual(await stage().projects("Shop of ghosts"), []);
    });
  });

  describe("lookup", () => {
    test("returns all outputs for an id, and nothing for an unknown one", async () => {
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
});
