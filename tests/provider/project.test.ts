import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { type EngineResource, urnOf } from "../support/engine";
import { refusesInputs } from "../support/expected-errors";
import { declaring, type Input, onWire } from "../support/inputs";
import { assertOutputs } from "../support/outputs";
import { withoutTag } from "../support/ownership-tag";
import { concurrently, type Sent, suiteStage } from "../support/stage";
import { assertRefreshed, assertUnchanged, assertUpToDate } from "../support/up-to-date";

const night = { startTime: "01:00", endTime: "02:30" };

/** Inputs that one PATCH with exactly the new value changes. */
const updated: readonly Input[] = [
  ["name", "Shop of tables 0001", "Shop of chairs 0001"],
  ["defaultEndpointSettings.pgSettings", { work_mem: "8MB" }, { work_mem: "16MB", max_connections: "50" }],
  ["defaultEndpointSettings.pgbouncerSettings", { default_pool_size: "20" }, { default_pool_size: "30" }],
  ["defaultEndpointSettings.autoscalingLimitMinCu", 0.5, 1],
  ["defaultEndpointSettings.autoscalingLimitMaxCu", 4, 1],
  ["defaultEndpointSettings.suspendTimeoutSeconds", 600, -1],
  ["historyRetentionSeconds", 3600, 0],
  ["settings.quota.activeTimeSeconds", 100_000, 0],
  ["settings.quota.computeTimeSeconds", 100_000, 0],
  ["settings.quota.writtenDataBytes", 100_000, 0],
  ["settings.quota.dataTransferBytes", 100_000, 0],
  ["settings.quota.logicalSizeBytes", 100_000, 0],
  ["settings.allowedIps.ips", ["10.0.0.1", "10.1.0.0/16"], []],
  ["settings.allowedIps.protectedBranchesOnly", true, false],
  ["settings.enableLogicalReplication", false, true],
  ["settings.maintenanceWindow", { ...night, weekdays: [1, 7] }, { ...night, weekdays: [2] }],
  ["settings.blockPublicConnections", true, false],
  ["settings.blockVpcConnections", false, true],
  ["settings.auditLogLevel", "base", "full"],
  ["settings.preloadLibraries.useDefaults", true, false],
  ["settings.preloadLibraries.enabledLibraries", ["pg_cron"], ["pg_cron", "timescaledb"]],
];

/** Inputs whose change replaces the project. */
const replaced: readonly Input[] = [
  ["regionId", "aws-eu-central-1", "aws-us-east-1"],
  ["pgVersion", 16, 17],
  ["provisioner", "k8s-pod", "k8s-neonvm"],
  ["storePasswords", true, false],
  ["branch.name", "production", "main"],
  ["branch.roleName", "seller", "buyer"],
  ["branch.databaseName", "goods", "wares"],
  ["branch.annotations", { team_name: "sales", "cost-center": "7" }, { team_name: "support" }],
];

/** Inputs of which a change is refused. */
const fixed: readonly Input[] = [
  ["autoscalingLimitMinCu", 0.5, 1],
  ["autoscalingLimitMaxCu", 4, 3],
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

  /** The body of the request that created a project. */
  async function creationOf({ name, state }: EngineResource): Promise<Values> {
    const [creation] = await stage().sent(state === undefined ? name : String(state.outputs["name"]));
    assert.ok(creation);
    return createdWith(creation);
  }

  describe("every input", () => {
    const test = concurrently();

    /** Declares a test for each input, which changes it in this way. */
    function testEach(
      inputs: readonly Input[],
      effect: string,
      change: (project: EngineResource, path: string, to: Values) => Promise<void>,
    ): void {
      for (const [path, from, to] of inputs) {
        test(`sends ${path}, and ${effect}`, async () => {
          const project = stage().resource("Project");
          const args = declaring(path, from);
          assert.equal(await project.up(args), "create");
          assert.deepEqual(await creationOf(project), { name: project.name, ...onWire(args) });
          await assertUpToDate(stage(), project, args);
          await change(project, path, declaring(path, to));
          // Without a declared name, the logical name applies, which is a change. Any other omitted input is ignored.
          if (path === "name") return;
          await assertUnchanged(stage(), project, {});
          assert.equal(await project.refresh(), "same");
        });
      }
    }

    testEach(updated, "updates it in place", async (project, _, to) => {
      const up = async (): Promise<void> => assert.equal(await project.up(to), "update");
      assert.deepEqual(await stage().sentBy(project.id, up), [
        { method: "PATCH", path: `/projects/${project.id}`, body: { project: onWire(to) } },
      ]);
      await assertUnchanged(stage(), project, to);
      await assertRefreshed(project);
    });

    testEach(replaced, "replaces the project for a change", async (project, path, to) => {
      const plan = await project.preview(to);
      assert.deepEqual(plan.replaces, [path.split(".", 1)[0]]);
      assert.equal(plan.step, "replace");
      assert.equal(plan.deleteBeforeReplace, false);
      const warning = await project.warning();
      assert.match(warning, new RegExp(`^Changing \`${path}\` replaces this project\\.`));
      assert.match(warning, /All branches of the old project, their data and their hosts are deleted\./);
    });

    testEach(fixed, "refuses a change", async (project, path, to) => {
      const reason = /sets the size of the first compute when the project is created/;
      await assert.rejects(project.up(to), refusesInputs({ [path]: reason }));
    });
  });

  test("create › §6.17 sends only the logical name and the ownership tag for a program without inputs", async () => {
    const project = stage().resource("Project");
    await project.up({});
    assert.deepEqual(await creationOf(project), { name: project.name });
  });

  test("create › waits until branch, compute, role and database are ready, and outputs the connection", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const [branch, ...others] = await stage().branches(project.id);
    assert.ok(branch);
    assert.deepEqual(others, []);
    assert.equal(branch.current_state, "ready");
    const [compute] = await stage().computes(project.id, branch.id);
    assert.ok(compute);
    assert.equal(compute.current_state, "active");
    const query = `database_name=neondb&role_name=neondb_owner`;
    const { body } = await stage().platform.call("GET", `/projects/${project.id}/connection_uri?${query}`);
    assertOutputs(project.outputs, {
      projectId: project.id,
      defaultBranchId: branch.id,
      endpointId: compute.id,
      host: compute.host,
      poolerHost: compute.host.replace(compute.id, `${compute.id}-pooler`),
      roleName: "neondb_owner",
      databaseName: "neondb",
      connectionUri: body.uri,
    });
  });

  test("create › sends the declared organization, and a change of it replaces the project", async () => {
    const project = stage().resource("Project");
    // The organization does not exist on the local platform.
    const path = "^/projects\\?.*org_id=org-bold-river-1";
    await stage().platform.fault({ method: "GET", path, status: 200, body: { projects: [] } });
    await assert.rejects(project.up({ orgId: "org-bold-river-1" }), /organization not found/);
    assert.deepEqual(await creationOf(project), { name: project.name, org_id: "org-bold-river-1" });
    assert.equal(project.state, undefined);

    await project.up({});
    project.state = { ...project.present, outputs: { ...project.outputs, orgId: "org-bold-river-1" } };
    assert.deepEqual((await project.preview({ orgId: "org-calm-lake-2" })).replaces, ["orgId"]);
    // An update without a request: it records that the program declares the organization.
    const { changes, replaces } = await project.preview({ orgId: "org-bold-river-1" });
    assert.deepEqual([changes, replaces], [undefined, []]);
  });

  test("refresh › §6.10 reads answers without some settings, and up then changes one setting of several", async () => {
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

  test("update › sends a changed setting with all its declared members, and no other setting", async () => {
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

  test("update › sends several changes in one request", async () => {
    const project = stage().resource("Project");
    await project.up({ historyRetentionSeconds: 60 });
    const changes = {
      name: "Shop of lamps",
      historyRetentionSeconds: 120,
      settings: { blockVpcConnections: true },
      defaultEndpointSettings: { suspendTimeoutSeconds: 60 },
    };
    const sent = await stage().sentBy(project.id, () => project.up(changes));
    assert.deepEqual(sent, [{ method: "PATCH", path: `/projects/${project.id}`, body: { project: onWire(changes) } }]);
  });

  test("update › restores the logical name when the program no longer declares a name", async () => {
    const project = stage().resource("Project");
    await project.up({ name: "Shop of clocks" });
    assert.equal(await project.up({}), "update");
    assert.equal((await stage().projectOf(project.id)).name, project.name);
  });

  test("update › reports the platform's reason for a refused HIPAA setting", async () => {
    const project = stage().resource("Project");
    await project.up({ settings: { hipaa: false } });
    assert.deepEqual(await creationOf(project), { name: project.name, settings: { hipaa: false } });
    await assertUnchanged(stage(), project, { settings: { hipaa: false } });
    await assertRefreshed(project);
    const before = project.present;
    await assert.rejects(project.up({ settings: { hipaa: true } }), /HIPAA needs an organization/);
    assert.deepEqual(project.present, before);
  });

  test("update › §6.16 does not replace the project for unrelated changes, or for enabling logical replication", async () => {
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
  });

  test("lookup › returns all outputs for an id, and nothing for an unknown one", async () => {
    const { id, branchId, name } = await stage().project({ region_id: "aws-eu-central-1" });
    const read = await stage().server.read("Project", id, { __neon: { urn: urnOf("Project", "looked-up") } });
    assert.equal(read.id, id);
    assertOutputs(read.outputs, {
      projectId: id,
      name,
      regionId: "aws-eu-central-1",
      defaultBranchId: branchId,
      roleName: "neondb_owner",
      databaseName: "neondb",
    });
    assert.match(String(read.outputs["connectionUri"]), /^postgresql:/);
    assert.equal((await stage().server.read("Project", "no-such-project-1", {})).id, "");
  });
});
