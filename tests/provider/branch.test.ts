import assert from "node:assert/strict";

import { describe } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import { urnOf } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { inDays } from "../support/in-days";
import { withoutTag } from "../support/ownership-tag";
import { concurrently, type SentBy, type Stage, suiteStage } from "../support/stage";
import { assertRefreshed, assertUnchanged, assertUpToDate } from "../support/up-to-date";

/** The effect of changing a declared field. */
type Change =
  /** One PATCH with exactly this body. */
  | { readonly to: Values; readonly patch: Values }
  /** A replacement, whose preview names this input. */
  | { readonly to: Values; readonly replaces: string };

/** The effect of omitting a field that was declared. */
type Removal = "ignored" | { readonly method: string; readonly body?: Values };

interface Field {
  readonly title: string;
  readonly declares: Values;
  /** The members of the create request, apart from the name and the ownership tag. */
  readonly sends: { readonly branch?: Values; readonly compute?: Values; readonly annotations?: Values };
  readonly change: Change;
  readonly removal?: Removal;
}

const tomorrow = inDays(1);
const nextWeek = inDays(7);
const pgOnly = { pg_settings: {} };

const branchFields: readonly Field[] = [
  {
    title: "name",
    declares: { name: "preview" },
    sends: { branch: { name: "preview" } },
    change: { to: { name: "staging" }, patch: { name: "staging" } },
  },
  {
    title: "protected",
    declares: { protected: false },
    sends: { branch: { protected: false } },
    change: { to: { protected: true }, patch: { protected: true } },
  },
  {
    title: "expiresAt",
    declares: { expiresAt: tomorrow },
    sends: { branch: { expires_at: tomorrow } },
    change: { to: { expiresAt: nextWeek }, patch: { expires_at: nextWeek } },
    removal: { method: "PATCH", body: { branch: { expires_at: null } } },
  },
  {
    title: "parentLsn",
    declares: { parentLsn: "0/1DE2850" },
    sends: { branch: { parent_lsn: "0/1DE2850" } },
    change: { to: { parentLsn: "0/1DE2851" }, replaces: "parentLsn" },
  },
  {
    title: "initSource",
    declares: { initSource: "schema-only" },
    sends: { branch: { init_source: "schema-only" } },
    change: { to: { initSource: "parent-data" }, replaces: "initSource" },
  },
  {
    title: "archived",
    declares: { archived: true },
    sends: { branch: { archived: true } },
    change: { to: { archived: false }, replaces: "archived" },
  },
  {
    title: "annotations",
    declares: { annotations: { team_name: "sales", "cost-center": "7" } },
    sends: { annotations: { team_name: "sales", "cost-center": "7" } },
    change: { to: { annotations: { team_name: "support" } }, replaces: "annotations" },
  },
];

const deleted: Removal = { method: "DELETE" };
const computeFields: readonly Field[] = [
  {
    title: "compute.autoscalingLimitMinCu",
    declares: { compute: { autoscalingLimitMinCu: 0.5 } },
    sends: { compute: { autoscaling_limit_min_cu: 0.5 } },
    change: { to: { compute: { autoscalingLimitMinCu: 1 } }, patch: { autoscaling_limit_min_cu: 1 } },
    removal: deleted,
  },
  {
    title: "compute.autoscalingLimitMaxCu",
    declares: { compute: { autoscalingLimitMaxCu: 4 } },
    sends: { compute: { autoscaling_limit_max_cu: 4 } },
    change: { to: { compute: { autoscalingLimitMaxCu: 0.25 } }, patch: { autoscaling_limit_max_cu: 0.25 } },
    removal: deleted,
  },
  {
    title: "compute.suspendTimeoutSeconds",
    declares: { compute: { suspendTimeoutSeconds: 600 } },
    sends: { compute: { suspend_timeout_seconds: 600 } },
    change: { to: { compute: { suspendTimeoutSeconds: -1 } }, patch: { suspend_timeout_seconds: -1 } },
    removal: deleted,
  },
  {
    title: "compute.provisioner",
    declares: { compute: { provisioner: "k8s-pod" } },
    sends: { compute: { provisioner: "k8s-pod" } },
    change: { to: { compute: { provisioner: "k8s-neonvm" } }, patch: { provisioner: "k8s-neonvm" } },
    removal: deleted,
  },
  {
    title: "compute.settings.pgSettings",
    declares: { compute: { settings: { pgSettings: { work_mem: "8MB" } } } },
    sends: { compute: { settings: { pg_settings: { work_mem: "8MB" } } } },
    change: {
      to: { compute: { settings: { pgSettings: { maxConnections: "50" } } } },
      patch: { settings: { pg_settings: { maxConnections: "50" } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.pgbouncerSettings",
    declares: { compute: { settings: { pgbouncerSettings: { default_pool_size: "20" } } } },
    sends: { compute: { settings: { ...pgOnly, pgbouncer_settings: { default_pool_size: "20" } } } },
    change: {
      to: { compute: { settings: { pgbouncerSettings: { default_pool_size: "30" } } } },
      patch: { settings: { pgbouncer_settings: { default_pool_size: "30" } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.preloadLibraries.useDefaults",
    declares: { compute: { settings: { preloadLibraries: { useDefaults: true } } } },
    sends: { compute: { settings: { ...pgOnly, preload_libraries: { use_defaults: true } } } },
    change: {
      to: { compute: { settings: { preloadLibraries: { useDefaults: false } } } },
      patch: { settings: { preload_libraries: { use_defaults: false } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.preloadLibraries.enabledLibraries",
    declares: { compute: { settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } } } },
    sends: { compute: { settings: { ...pgOnly, preload_libraries: { enabled_libraries: ["pg_cron"] } } } },
    change: {
      to: { compute: { settings: { preloadLibraries: { enabledLibraries: [] } } } },
      patch: { settings: { preload_libraries: { enabled_libraries: [] } } },
    },
    removal: deleted,
  },
];

/** The body of a create request, without the ownership tag. */
function createdWith({ body }: SentBy): Values {
  const { annotation_value, ...others } = body as Values & { annotation_value: Record<string, string> };
  const annotations = withoutTag(annotation_value);
  return { ...others, ...(Object.keys(annotations).length > 0 ? { annotation_value: annotations } : {}) };
}

/** The branches of a project, without the one that was created with it. */
async function ownBranches(stage: Stage, project: { readonly id: string; readonly branchId: string }) {
  return (await stage.branches(project.id)).filter(({ id }) => id !== project.branchId);
}

describe("Branch", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("check", () => {
    test("refuses a compute range that the platform cannot scale over", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const before = (await stage().requests(project.id)).length;
      const compute = { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 };
      await assert.rejects(
        branch.up({ projectId: project.id, compute }),
        refusesInputs({ compute: "the minimum of 4 CU is above the maximum of 2 CU" }),
      );
      assert.equal((await stage().requests(project.id)).length, before);
    });
  });

  describe("every input", () => {
    const test = concurrently();
    for (const { title, declares, sends, change, removal = "ignored" } of [...branchFields, ...computeFields]) {
      const effect = "patch" in change ? "updates it in place" : "replaces the branch for a change";
      test(`sends ${title}, ${effect}, and ${removal === "ignored" ? "ignores" : "applies"} its removal`, async () => {
        const project = await stage().project();
        const branch = stage().resource("Branch");
        const base = { projectId: project.id };
        const args = { ...base, ...declares };
        const [creation, ...others] = await stage().sentBy(project.id, async () =>
          assert.equal(await branch.up(args), "create"),
        );
        assert.ok(creation);
        assert.deepEqual(others, []);
        assert.deepEqual(createdWith(creation), {
          branch: { name: branch.name, ...sends.branch },
          ...(sends.compute === undefined ? {} : { endpoints: [{ type: "read_write", ...sends.compute }] }),
          ...(sends.annotations === undefined ? {} : { annotation_value: sends.annotations }),
        });
        await assertUpToDate(stage(), branch, args);

        const to = { ...base, ...change.to };
        if ("replaces" in change) {
          const plan = await branch.preview(to);
          assert.deepEqual(plan.replaces, [change.replaces]);
          assert.equal(plan.deleteBeforeReplace, true);
          const warning = await branch.warning();
          assert.match(warning, new RegExp(`^Changing \`${title}\` replaces this branch\\.`));
          assert.match(warning, /Data written to the old branch is deleted/);
        } else {
          const isCompute = sends.compute !== undefined;
          const sent = await stage().sentBy(project.id, () => branch.up(to));
          assert.deepEqual(sent, [
            isCompute
              ? {
                  method: "PATCH",
                  path: `/projects/${project.id}/endpoints/${String(branch.outputs["endpointId"])}`,
                  body: { endpoint: change.patch },
                }
              : {
                  method: "PATCH",
                  path: `/projects/${branch.id.replace("/", "/branches/")}`,
                  body: { branch: change.patch },
                },
          ]);
          await assertUnchanged(stage(), branch, to);
          await assertRefreshed(branch);
        }

        // Without a declared name, the logical name applies, which is a change.
        if (sends.branch?.["name"] !== undefined) return;
        if (removal === "ignored") {
          await assertUnchanged(stage(), branch, base);
        } else {
          const sent = await stage().sentBy(project.id, async () => assert.equal(await branch.up(base), "update"));
          assert.deepEqual(
            sent.map(({ path: _, ...rest }) => rest),
            [removal],
          );
          await assertUnchanged(stage(), branch, base);
        }
        assert.equal(await branch.refresh(), "same");
      });
    }
  });

  describe("update of a compute that somebody else has deleted", () => {
    const test = concurrently();
    const small = { autoscalingLimitMaxCu: 0.25 };
    const large = { autoscalingLimitMaxCu: 2 };

    /** A branch with a small compute that was deleted without the provider. */
    async function withoutCompute() {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, compute: small });
      const endpointId = String(branch.outputs["endpointId"]);
      const branchId = String(branch.outputs["branchId"]);
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${endpointId}`);
      await stage().settled(projectId);
      return { projectId, branch, branchId, endpointId };
    }

    test("fails and advises `pulumi refresh`, after which up creates another compute", async () => {
      const { projectId, branch, branchId, endpointId } = await withoutCompute();
      await assert.rejects(branch.up({ projectId, compute: large }), (error) => {
        assert.ok(error instanceof CallError);
        assert.equal(error.partial, undefined);
        assert.match(
          error.message,
          new RegExp(
            `^The compute ${endpointId} of branch ${branchId} no longer exists \\(PATCH /projects/${projectId}/endpoints/${endpointId} failed with HTTP 404: [^)]+\\)\\. Run \`pulumi refresh\`, and then \`pulumi up\`\\.$`,
          ),
        );
        return true;
      });
      assert.equal(await branch.refresh(), "changed");
      assert.equal(await branch.up({ projectId, compute: large }), "update");
      assert.notEqual(branch.outputs["endpointId"], endpointId);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("fails in the same way if there is another compute, and changes that one after a refresh", async () => {
      const { projectId, branch, branchId, endpointId } = await withoutCompute();
      const endpoint = { branch_id: branchId, type: "read_write", autoscaling_limit_max_cu: 1 };
      await stage().platform.call("POST", `/projects/${projectId}/endpoints`, { endpoint });
      await stage().settled(projectId);
      const text = `The compute ${endpointId} of branch ${branchId} no longer exists (`;
      await assert.rejects(branch.up({ projectId, compute: large }), failsWith(text));
      await branch.refresh();
      assert.equal(await branch.up({ projectId, compute: large }), "update");
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("keeps an earlier change of the same update, and the next up creates another compute", async () => {
      const { projectId, branch, branchId } = await withoutCompute();
      const args = { projectId, name: "renamed", compute: large };
      await assert.rejects(
        branch.up(args),
        failsWith(/no longer exists \(.*\)\. The next `pulumi up` resumes from here\.$/),
      );
      assert.equal(await branch.up(args), "update");
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("reports the branch if that was deleted as well", async () => {
      const { projectId, branch, branchId } = await withoutCompute();
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
      await stage().settled(projectId);
      await assert.rejects(
        branch.up({ projectId, compute: large }),
        failsWith(`The branch ${branch.id} no longer exists`),
      );
    });
  });

  describe("create", () => {
    test("sends the point in time, and compares it as an instant", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      // Later than the creation of the project, to the millisecond.
      const parentTimestamp = new Date().toISOString();
      const args = { projectId: project.id, parentTimestamp };
      const [creation] = await stage().sentBy(project.id, () => branch.up(args));
      assert.ok(creation);
      assert.deepEqual(createdWith(creation), {
        branch: { name: branch.name, parent_timestamp: parentTimestamp },
      });
      await assertUpToDate(stage(), branch, args);
      const offset = new Date(Date.parse(parentTimestamp) + 7_200_000).toISOString().replace("Z", "+02:00");
      assert.equal((await branch.preview({ ...args, parentTimestamp: offset })).changes, false);
      const plan = await branch.preview({ ...args, parentTimestamp: "2030-01-31T12:00:00Z" });
      assert.deepEqual([plan.replaces, plan.deleteBeforeReplace], [["parentTimestamp"], true]);
    });

    test("§6.13 queues eight branches on the project lock, without a 423", async () => {
      const project = await stage().project();
      const args = { projectId: project.id, compute: {} };
      const branches = Array.from({ length: 8 }, () => stage().resource("Branch"));
      await Promise.all(branches.map((branch) => branch.up(args)));
      const requests = await stage().requests(project.id);
      assert.deepEqual(
        requests.filter(({ status }) => status === null || status >= 400),
        [],
      );
      const made = requests.filter(({ method, path }) => method === "POST" && path.endsWith("/branches"));
      assert.equal(made.length, 8);
      assert.equal((await ownBranches(stage(), project)).length, 8);
      assert.equal(new Set(branches.map(({ outputs }) => outputs["connectionUri"])).size, 8);
      const queued = branches
        .flatMap((branch) => branch.said("progress"))
        .filter((text) => /^waiting for (?:create|update|delete) /.test(text));
      assert.ok(queued.length >= 7, "the rows of those that wait for the lock show it");
      await Promise.all(branches.map((branch) => branch.destroy()));
      const locked = (await stage().requests(project.id)).filter(({ status }) => status === 423);
      assert.deepEqual(locked, []);
    });

    test("§6.22 outputs no connection without a compute", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id });
      await branch.refresh();
      for (const output of ["connectionUri", "host", "poolerHost", "endpointId", "roleName", "databaseName"]) {
        assert.equal(branch.outputs[output], undefined, output);
      }
    });

    test("§6.7 never reads a password in a project that stores none", async () => {
      const project = stage().resource("Project");
      await project.up({ storePasswords: false });
      assert.match(String(project.outputs["connectionUri"]), /^postgresql:/);
      await assertRefreshed(project);
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, compute: {} };
      await branch.up(args);
      await assertUpToDate(stage(), branch, args);
      // A compute that is created later has a host, but its password cannot be read.
      await branch.up({ projectId: project.id });
      await branch.up(args);
      assert.match(String(branch.outputs["host"]), /^ep-/);
      assert.equal(branch.outputs["connectionUri"], undefined);
      await assertRefreshed(branch);
    });
  });

  describe("refresh", () => {
    test("finds a new name, and up reverts it unless the program declares that name", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const base = { projectId: project.id };
      await branch.up(base);
      const path = `/projects/${branch.id.replace("/", "/branches/")}`;
      await stage().platform.call("PATCH", path, { branch: { name: "elsewhere" } });
      assert.equal(await branch.refresh(), "changed");
      assert.equal(branch.present.inputs["name"], "elsewhere");
      assert.deepEqual(await stage().sentBy(project.id, () => branch.up({ ...base, protected: true })), [
        { method: "PATCH", path, body: { branch: { name: branch.name, protected: true } } },
      ]);
      await stage().platform.call("PATCH", path, { branch: { name: "again" } });
      assert.equal(await branch.refresh(), "changed");
      assert.deepEqual(await stage().sentBy(project.id, () => branch.up({ ...base, name: "again" })), []);
    });
  });

  describe("update", () => {
    test("creates, resizes and deletes the compute as declared", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const base = { projectId: project.id };
      await branch.up(base);
      assert.equal(branch.outputs["endpointId"], undefined);
      assert.equal(branch.outputs["connectionUri"], undefined);
      const path = `/projects/${project.id}/endpoints`;
      const branchId = branch.id.split("/")[1];

      const added = await stage().sentBy(project.id, () => branch.up({ ...base, compute: {} }));
      assert.deepEqual(added, [
        { method: "POST", path, body: { endpoint: { branch_id: branchId, type: "read_write" } } },
      ]);
      const endpointId = String(branch.outputs["endpointId"]);
      assert.match(String(branch.outputs["connectionUri"]), new RegExp(`@${endpointId}\\.`));
      await assertUpToDate(stage(), branch, { ...base, compute: {} });

      const sizes = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2, settings: { preloadLibraries: {} } };
      const resized = await stage().sentBy(project.id, () => branch.up({ ...base, compute: sizes }));
      assert.deepEqual(resized, [
        {
          method: "PATCH",
          path: `${path}/${endpointId}`,
          body: { endpoint: { autoscaling_limit_min_cu: 1, settings: { preload_libraries: {} } } },
        },
      ]);
      await assertUnchanged(stage(), branch, { ...base, compute: sizes });
      await assertUnchanged(stage(), branch, { ...base, compute: { autoscalingLimitMaxCu: 2 } });
      await assertUnchanged(stage(), branch, { ...base, compute: {} });

      const removed = await stage().sentBy(project.id, () => branch.up(base));
      assert.deepEqual(removed, [{ method: "DELETE", path: `${path}/${endpointId}` }]);
      assert.equal(branch.outputs["endpointId"], undefined);
      assert.equal(branch.outputs["host"], undefined);
      assert.equal(branch.outputs["connectionUri"], undefined);
      assert.deepEqual(await stage().computes(project.id, branchId ?? ""), []);
      await assertRefreshed(branch);
    });

    test("ignores a compute that the program never declared", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const base = { projectId: project.id };
      await branch.up(base);
      const endpoint = { branch_id: branch.id.split("/")[1], type: "read_write" };
      await stage().platform.call("POST", `/projects/${project.id}/endpoints`, { endpoint });
      await stage().settled(project.id);
      assert.equal(await branch.refresh(), "same");
      await assertUnchanged(stage(), branch, base);
      assert.equal(await branch.up({ ...base, protected: true }), "update");
      assert.equal((await stage().computes(project.id, String(endpoint.branch_id))).length, 1);
    });

    test("sends name and protection in one request", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id });
      const args = { projectId: project.id, name: "release", protected: true };
      const sent = await stage().sentBy(project.id, () => branch.up(args));
      assert.deepEqual(
        sent.map(({ body }) => body),
        [{ branch: { name: "release", protected: true } }],
      );
      assert.equal(branch.outputs["name"], "release");
    });

    test("keeps a default name when the resource is renamed in the program", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id });
      assert.equal(await branch.up({ projectId: project.id }, { urn: urnOf("Branch", "another") }), "same");
      assert.equal(branch.present.inputs["name"], branch.name);
    });

    test("§6.18 fails and advises `pulumi refresh` if somebody else has deleted the branch", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      const args = { projectId: project.id };
      await branch.up(args);
      await stage().platform.call("DELETE", `/projects/${branch.id.replace("/", "/branches/")}`);
      await stage().settled(project.id);
      await assert.rejects(branch.up({ ...args, protected: true }), /no longer exists.* Run `pulumi refresh`/);
    });

    test("§6.22 outputs no connection URI if there are several roles", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id });
      const path = `/projects/${branch.id.replace("/", "/branches/")}/roles`;
      const { roles } = (await stage().platform.call("GET", path)).body;
      const body = { roles: [...roles, ...roles.map((role) => ({ ...role, name: "second" }))] };
      await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 200, body });
      await branch.up({ projectId: project.id, compute: {} });
      assert.match(String(branch.outputs["host"]), /^ep-/);
      for (const output of ["connectionUri", "roleName"]) assert.equal(branch.outputs[output], undefined, output);
      assert.equal(branch.outputs["databaseName"], "neondb", "there is only one");
      await assertRefreshed(branch);
    });
  });

  describe("replace", () => {
    test("§6.11 replaces the branch when its declared parent changes, and not when that is omitted", async () => {
      const project = await stage().project();
      const [one, other] = [await stage().branch(project.id), await stage().branch(project.id)];
      const branch = stage().resource("Branch");
      const args = { projectId: project.id, parentId: one.id };
      await branch.up(args);
      const { id } = branch;
      assert.equal(branch.outputs["parentId"], one.id);
      await assertUpToDate(stage(), branch, args);
      await assertUnchanged(stage(), branch, { projectId: project.id });

      const moved = { projectId: project.id, parentId: other.id };
      assert.equal(await branch.up(moved), "replace");
      assert.notEqual(branch.id, id);
      const [now, ...rest] = (await stage().branches(project.id)).filter(({ name }) => name === branch.name);
      assert.deepEqual(rest, []);
      assert.equal(now?.parent_id, other.id);
      await assertUnchanged(stage(), branch, moved);
    });

    test("creates the branch in the new project before it deletes the old one", async () => {
      const [one, other] = [await stage().project(), await stage().project()];
      const branch = stage().resource("Branch");
      await branch.up({ projectId: one.id });
      assert.equal(await branch.up({ projectId: other.id }), "replace");
      assert.equal(branch.plan?.deleteBeforeReplace, false);
      assert.deepEqual(await ownBranches(stage(), one), []);
      assert.equal((await ownBranches(stage(), other)).length, 1);
      const sent = (await stage().sent()).filter(({ path }) => path.includes(one.id) || path.includes(other.id));
      const last = sent.slice(-2).map(({ method, path }) => `${method} ${path.split("/")[2] ?? ""}`);
      assert.deepEqual(last, [`POST ${other.id}`, `DELETE ${one.id}`]);
    });

    test("creates the branch under the new name before it deletes the old one", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id, name: "old", annotations: { run: "1" } });
      const args = { projectId: project.id, name: "new", annotations: { run: "2" } };
      const sent = await stage().sentBy(project.id, async () => assert.equal(await branch.up(args), "replace"));
      assert.equal(branch.plan?.deleteBeforeReplace, false);
      assert.deepEqual(
        sent.map(({ method }) => method),
        ["POST", "DELETE"],
      );
      assert.deepEqual(
        (await ownBranches(stage(), project)).map(({ name }) => name),
        ["new"],
      );
    });
  });

  describe("lookup", () => {
    test("§6.22 returns the URI of the branch's own compute for an id, and nothing for an unknown one", async () => {
      const project = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId: project.id, compute: {} });
      const hidden = { __neon: { urn: urnOf("Branch", "looked-up") } };
      const read = await stage().server.read("Branch", branch.id, { projectId: project.id, ...hidden });
      assert.equal(read.id, branch.id);
      assert.equal(read.outputs["connectionUri"], branch.outputs["connectionUri"]);
      assert.equal((await stage().server.read("Branch", `${project.id}/br-no-such-1`, hidden)).id, "");
      assert.equal((await stage().server.read("Branch", "no-such-project-1/br-no-such-1", hidden)).id, "");
    });
  });
});
